import { operations, validateRequest, validateResponse } from '../../../api/contract';
import { requestProperties } from '../../../api/properties';

type Entry = Record<string, unknown>;

const search = (body: Entry) =>
	validateRequest('POST', '/v2/search', {}, { query: 'tea', ...body });
const scrape = (scrapeOptions: Entry) => search({ scrapeOptions });
describe('operations', () => {
	it('lists what openapi.yaml has, and apart from it what goes beyond', () => {
		const of = (source: string) =>
			operations.filter((o) => o.source === source).map((o) => `${o.method} ${o.path}`);
		expect(of('document')).toEqual([
			'POST /v2/search',
			'POST /v2/agent',
			'DELETE /v2/agent/{jobId}',
			'GET /v2/crawl/active',
			'GET /v1/crawl/active',
			'GET /v1/crawl/{id}',
			'GET /v2/team/credit-usage/historical',
			'POST /v1/extract',
		]);
		expect(of('beyond')).toContain('POST /v2/scrape');
		expect(of('beyond').filter((one) => of('document').includes(one))).toEqual([]);
		expect(new Set(operations.map((o) => o.operationId)).size).toBe(operations.length);
	});

	it('gives scrape every field of ScrapeOptions at the top level', () => {
		const options = requestProperties('search')
			.filter((path) => path.startsWith('scrapeOptions.'))
			.map((path) => path.slice('scrapeOptions.'.length));
		expect(requestProperties('scrape')).toEqual(['url', ...options, 'zeroDataRetention']);
	});
});

describe('openapi.yaml and what goes beyond it', () => {
	it.each([
		['branding', { formats: [{ type: 'branding' }] }],
		['question', { formats: [{ type: 'question', question: 'why?' }] }],
		['change tracking', { formats: [{ type: 'changeTracking', modes: ['json'], tag: null }] }],
		['a prompt of json', { formats: [{ type: 'json', prompt: 'the price' }] }],
	])('%s is in one of them', (_name, options) => {
		expect(scrape(options)).toEqual([]);
	});

	it('judges responses, also by the table of errors', () => {
		const active = (status: number, body: unknown) =>
			validateResponse('GET', '/v2/crawl/active', status, body).map((b) => b.code);
		expect(active(200, { success: true, crawls: [] })).toEqual([]);
		expect(active(200, { success: true })).toEqual(['required']);
		expect(active(402, { error: 'x' })).toEqual(['required']);
		expect(active(418, {})).toEqual(['unknown_status']);
		expect(validateResponse('POST', '/v2/map', 402, { error: 'x' })).toEqual([]);
		const crawl = '/v1/crawl/00000000-0000-4000-8000-000000000000';
		const cancelled = { status: 'cancelled' };
		expect(validateResponse('GET', crawl, 200, cancelled)).toEqual([]);
	});
});

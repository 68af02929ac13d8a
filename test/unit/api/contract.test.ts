import { operations, validateRequest, validateResponse } from '../../../api/contract';
import { beyondFile, documentFile } from '../../../api/files';
import { propertiesIn, requestProperties } from '../../../api/properties';

type Entry = Record<string, unknown>;

const search = (body: Entry) =>
	validateRequest('POST', '/v2/search', {}, { query: 'tea', ...body });
const scrape = (scrapeOptions: Entry) => search({ scrapeOptions });
const paths = (breaches: Array<{ path: unknown[] }>) => breaches.map((b) => b.path.join('.'));
const schemas = (documentFile.components as Entry).schemas as Record<string, Entry>;

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

	it('holds the additions in the second file only', () => {
		expect(JSON.stringify(documentFile)).not.toMatch(/byApiKey|changeTracking"|branding|cancelled/);
		expect(JSON.stringify(beyondFile)).toMatch(/byApiKey.*branding/);
	});

	it.each(operations)('$operationId has schemas that compile', ({ method, path, validateBody }) => {
		const body = validateBody && {};
		const judge = () => validateRequest(method, path.replace(/\{\w+\}/g, 'id'), {}, body);
		expect(judge).not.toThrow();
	});

	it('gives scrape every field of ScrapeOptions at the top level', () => {
		const options = requestProperties('search')
			.filter((path) => path.startsWith('scrapeOptions.'))
			.map((path) => path.slice('scrapeOptions.'.length));
		expect(requestProperties('scrape')).toEqual(['url', ...options, 'zeroDataRetention']);
	});
});

describe('the contract rejects a request beyond its limits', () => {
	const text = (length: number) => 'x'.repeat(length);
	const cases: Array<[string, Entry, Entry]> = [
		['query', { query: text(500) }, { query: text(501) }],
		['limit', { limit: 1 }, { limit: 0 }],
		['limit', { limit: 100 }, { limit: 101 }],
		['limit', { limit: 5 }, { limit: 5.5 }],
		['tbs', { tbs: 'sbd:1,qdr:w' }, { tbs: 'qdr:x' }],
		['tbs', { tbs: 'cdr:1,cd_min:01/02/2026,cd_max:03/04/2026' }, { tbs: 'cdr:1,cd_min:2026' }],
		['enterprise.0', { enterprise: ['zdr', 'anon'] }, { enterprise: ['other'] }],
		[
			'sources.0.tbs',
			{ sources: [{ type: 'web', tbs: 'qdr:d' }] },
			{ sources: [{ type: 'web', tbs: '' }] },
		],
		[
			'sources.0.tbs',
			{ sources: [{ type: 'news' }] },
			{ sources: [{ type: 'news', tbs: 'qdr:d' }] },
		],
		['sources.0.type', { sources: [{ type: 'images' }] }, { sources: [{ type: 'videos' }] }],
		[
			'categories.0.type',
			{ categories: [{ type: 'pdf' }, 'github'] },
			{ categories: [{ type: 'doc' }] },
		],
		['surprise', {}, { surprise: 1 }],
		['ignoreInvalidURLs', { ignoreInvalidURLs: true }, { ignoreInvalidURLs: 'true' }],
	];
	it.each(cases)('search: %s', (path, good, bad) => {
		expect(search(good)).toEqual([]);
		expect(paths(search(bad))).toEqual([path]);
	});

	const viewport = { width: 800, height: 600 };
	const optionCases: Array<[string, Entry, Entry]> = [
		['timeout', { timeout: 1000 }, { timeout: 999 }],
		['timeout', { timeout: 300000 }, { timeout: 300001 }],
		['location.country', { location: { country: 'DE' } }, { location: { country: 'usa' } }],
		[
			'parsers.0.maxPages',
			{ parsers: [{ type: 'pdf', maxPages: 10000 }] },
			{ parsers: [{ type: 'pdf', maxPages: 10001 }] },
		],
		['parsers.0.maxPages', { parsers: [] }, { parsers: [{ type: 'pdf', maxPages: 0 }] }],
		[
			'parsers.0.mode',
			{ parsers: [{ type: 'pdf', mode: 'ocr' }] },
			{ parsers: [{ type: 'pdf', mode: 'slow' }] },
		],
		['parsers.0.x', { parsers: [{ type: 'pdf' }] }, { parsers: [{ type: 'pdf', x: 1 }] }],
		['profile.name', { profile: { name: text(128) } }, { profile: { name: text(129) } }],
		['profile.name', { profile: { name: 'a', saveChanges: false } }, { profile: { name: '' } }],
		['proxy', { proxy: 'enhanced' }, { proxy: 'stealth' }],
		['headers', { headers: { Cookie: 'a=b' } }, { headers: [{ key: 'Cookie' }] }],
		[
			'formats.0.quality',
			{ formats: [{ type: 'screenshot', quality: 100, viewport }] },
			{ formats: [{ type: 'screenshot', quality: 101 }] },
		],
		[
			'formats.0.viewport.height',
			{ formats: [{ type: 'screenshot', fullPage: true }] },
			{ formats: [{ type: 'screenshot', viewport: { width: 1 } }] },
		],
		['formats.0', { formats: ['markdown', { type: 'html' }] }, { formats: [7] }],
		['formats.0.type', { formats: [{ type: 'audio' }] }, { formats: [{ type: 'gif' }] }],
		[
			'actions.0',
			{ actions: [{ type: 'wait', milliseconds: 1 }] },
			{ actions: [{ type: 'wait', milliseconds: 1, selector: 'a' }] },
		],
		['actions.0', { actions: [{ type: 'wait', selector: 'a' }] }, { actions: [{ type: 'wait' }] }],
		['actions.0.milliseconds', {}, { actions: [{ type: 'wait', milliseconds: 0 }] }],
		[
			'actions.0.selector',
			{ actions: [{ type: 'click', selector: 'a', all: true }] },
			{ actions: [{ type: 'click' }] },
		],
		[
			'actions.0.text',
			{ actions: [{ type: 'write', text: 'a' }] },
			{ actions: [{ type: 'write' }] },
		],
		[
			'actions.0.key',
			{ actions: [{ type: 'press', key: 'Enter' }] },
			{ actions: [{ type: 'press' }] },
		],
		[
			'actions.0.direction',
			{ actions: [{ type: 'scroll', direction: 'up' }] },
			{ actions: [{ type: 'scroll', direction: 'left' }] },
		],
		[
			'actions.0.url',
			{ actions: [{ type: 'scrape' }] },
			{ actions: [{ type: 'scrape', url: 'x' }] },
		],
		[
			'actions.0.script',
			{ actions: [{ type: 'executeJavascript', script: '1' }] },
			{ actions: [{ type: 'executeJavascript' }] },
		],
		[
			'actions.0.format',
			{ actions: [{ type: 'pdf', format: 'A6', scale: 0.5 }] },
			{ actions: [{ type: 'pdf', format: 'B5' }] },
		],
		['parsePDF', {}, { parsePDF: true }],
	];
	it.each(optionCases)('v2 scrape options: %s', (path, good, bad) => {
		expect(scrape(good)).toEqual([]);
		expect(paths(scrape(bad))).toEqual([`scrapeOptions.${path}`]);
	});

	it('agent: prompt, model, unknown fields', () => {
		const agent = (body: Entry) => paths(validateRequest('POST', '/v2/agent', {}, body));
		expect(agent({ prompt: text(10000), model: 'spark-1-pro', maxCredits: 0.5 })).toEqual([]);
		expect(agent({ prompt: text(10001) })).toEqual(['prompt']);
		expect(agent({ model: 'gpt' })).toEqual(['model']);
		expect(agent({ url: 'x' })).toEqual(['url']);
	});

	it('extract: urls are required, v1 options are not those of v2', () => {
		const extract = (body: Entry) => paths(validateRequest('POST', '/v1/extract', {}, body));
		const urls = ['https://a.example/*'];
		const both = { type: 'wait', milliseconds: 2, selector: '#a' };
		expect(extract({ urls, scrapeOptions: { actions: [both], parsePDF: false } })).toEqual([]);
		expect(extract({ urls, scrapeOptions: { changeTrackingOptions: { tag: null } } })).toEqual([]);
		expect(extract({})).toEqual(['urls']);
		expect(extract({ urls, scrapeOptions: { parsers: [] } })).toEqual(['scrapeOptions.parsers']);
	});

	it('a missing body, an unasked body, an unknown query and an id that is none', () => {
		expect(validateRequest('POST', '/v2/search')).not.toEqual([]);
		expect(validateRequest('GET', '/v2/crawl/active', {}, {})).not.toEqual([]);
		expect(paths(validateRequest('GET', '/v2/crawl/active', { page: '2' }))).toEqual(['page']);
		expect(paths(validateRequest('GET', '/v1/crawl/abc'))).toEqual(['id']);
		expect(paths(validateRequest('GET', '/v2/team/activity', { limit: '101' }))).toEqual(['limit']);
		expect(validateRequest('PUT', '/v2/search')[0].code).toBe('unknown_operation');
	});
});

describe('the defaults in the contract', () => {
	const cases: Array<[string, Entry]> = [
		[
			'SearchRequest',
			{
				limit: 5,
				sources: [{ type: 'web' }],
				categories: [],
				country: 'US',
				timeout: 60000,
				ignoreInvalidURLs: false,
				scrapeOptions: {},
			},
		],
		[
			'ScrapeOptions',
			{
				onlyMainContent: true,
				maxAge: 172800000,
				waitFor: 0,
				mobile: false,
				skipTlsVerification: true,
				timeout: 60000,
				parsers: [{ type: 'pdf' }],
				removeBase64Images: true,
				blockAds: true,
				proxy: 'auto',
				storeInCache: true,
			},
		],
		[
			'ScrapeOptionsV1',
			{
				onlyMainContent: true,
				maxAge: 0,
				waitFor: 0,
				mobile: false,
				skipTlsVerification: false,
				timeout: 30000,
				parsePDF: true,
				removeBase64Images: true,
				blockAds: true,
				storeInCache: true,
			},
		],
		['AgentRequest', { maxCredits: 2500, model: 'spark-1-mini' }],
		[
			'ExtractRequest',
			{
				enableWebSearch: false,
				ignoreSitemap: false,
				includeSubdomains: true,
				showSources: false,
				ignoreInvalidURLs: false,
			},
		],
		['Parser', { mode: 'auto' }],
		['PageLocation', { country: 'US' }],
		['Profile', { saveChanges: true }],
		['ClickAction', { all: false }],
		['ScrollAction', { direction: 'down' }],
		['PdfAction', { format: 'Letter', landscape: false, scale: 1 }],
		['ScreenshotFormat', { fullPage: false }],
		['ScreenshotAction', { fullPage: false }],
	];
	it.each(cases)('%s', (name, expected) => {
		const properties = Object.entries(schemas[name].properties as Record<string, Entry>);
		const defaults = properties
			.filter(([, p]) => 'default' in p)
			.map(([key, p]) => [key, p.default]);
		expect(Object.fromEntries(defaults)).toEqual(expected);
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

describe('propertiesIn', () => {
	it('gives the paths of requestProperties for a body that uses them', () => {
		const body = {
			query: 'tea',
			categories: [{ type: 'pdf' }],
			sources: [{ type: 'web', tbs: 'qdr:d' }, { type: 'news' }],
			scrapeOptions: {
				headers: { 'X-Anything': '1' },
				formats: [{ type: 'screenshot', viewport: { width: 1, height: 2 } }],
				actions: [{ type: 'wait', milliseconds: 5 }],
				parsers: [{ type: 'pdf', mode: 'ocr' }],
			},
		};
		const used = [...propertiesIn('search', body).keys()];
		expect(used.sort()).toEqual(
			[
				'query',
				'categories',
				'categories[].pdf',
				'sources',
				'sources[].web',
				'sources[].web.tbs',
				'sources[].news',
				'scrapeOptions',
				'scrapeOptions.headers',
				'scrapeOptions.formats',
				'scrapeOptions.formats[].screenshot',
				'scrapeOptions.formats[].screenshot.viewport',
				'scrapeOptions.formats[].screenshot.viewport.width',
				'scrapeOptions.formats[].screenshot.viewport.height',
				'scrapeOptions.actions',
				'scrapeOptions.actions[].wait',
				'scrapeOptions.actions[].wait.milliseconds',
				'scrapeOptions.parsers',
				'scrapeOptions.parsers[].pdf',
				'scrapeOptions.parsers[].pdf.mode',
			].sort(),
		);
		expect(requestProperties('search')).toEqual(expect.arrayContaining(used));
	});

	it('shows what the contract does not know', () => {
		const known = requestProperties('agentStart');
		expect(propertiesIn('agentStart', { prompt: 'x', extra: { a: 1 } }).has('extra')).toBe(true);
		expect(known).not.toContain('extra');
		const query = propertiesIn('usageHistorical', undefined, { byApiKey: 'true' });
		expect([...query]).toEqual([['?byApiKey', '"true"']]);
		expect(() => requestProperties('nothing')).toThrow('no operation nothing');
	});
});

import { type LocalService, startService } from '../../../mock-service';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses are read as they come */

/** What the service takes and refuses, where that differs from its document. */
let service: LocalService;

beforeAll(async () => {
	service = await startService({ crawlMs: 0, jobMs: 0 });
});
afterAll(async () => await service.close());

async function call(path: string, body: unknown): Promise<{ status: number; body: any }> {
	const response = await fetch(`${service.url}${path}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return { status: response.status, body: await response.json() };
}

const url = 'https://a.example';
const scrape = (body: object) => ['/v2/scrape', { url, ...body }] as const;
const batch = (body: object) => ['/v2/batch/scrape', { urls: [url], ...body }] as const;
const crawl = (body: object) => ['/v2/crawl', { url, ...body }] as const;
const crawlPages = (scrapeOptions: object) => crawl({ scrapeOptions });
const search = (body: object) => ['/v2/search', { query: 'tea', ...body }] as const;
const searchPages = (scrapeOptions: object) => search({ scrapeOptions });
const map = (body: object) => ['/v2/map', { url, ...body }] as const;
const agent = (body: object) => ['/v2/agent', { prompt: 'Find tea', ...body }] as const;
const extract = (body: object) => ['/v1/extract', { urls: [url], ...body }] as const;

type Request = readonly [path: string, body: unknown];

const named = (requests: Request[]) =>
	requests.map(
		(request) => [`${request[0]} ${JSON.stringify(request[1]).slice(0, 150)}`, request] as const,
	);

describe('takes', () => {
	const webhook = 'https://a.example/hook';
	const open = { type: 'object', properties: { a: { $ref: '#' } }, additionalProperties: true };
	it.each(
		named([
			scrape({ url: 'a.example/page' }),
			crawl({ url: 'a.example' }),
			map({ url: 'a.example' }),
			batch({ urls: ['a.example'] }),
			extract({ urls: ['a.example/*'] }),
			...[scrape, crawlPages, searchPages, batch].map((of) => of({ location: { country: 'de' } })),
			map({ location: { country: 'gb', languages: ['en'] } }),
			scrape({ location: { country: 'us-generic' } }),
			...[crawl, batch, agent].map((of) => of({ webhook })),
			...[scrape, crawl, search, map, agent, batch].flatMap((of) => [
				of({ integration: 'n8n' }),
				of({ integration: '_own', origin: 'own' }),
			]),
			search({ tbs: '' }),
			search({ tbs: 'anything' }),
			search({ sources: [{ type: 'web', tbs: '', filter: 'a', lang: 'en', country: 'us' }] }),
			search({ sources: ['web', 'alexandria'], domainTools: true, toolDetail: 'full' }),
			search({ lang: 'de', filter: 'a', country: 'de' }),
			search({ enterprise: ['default'] }),
			search({ categories: ['docs'] }),
			search({ includeDomains: [' Example.com '], excludeDomains: [] }),
			scrape({ formats: ['rawBase64'] }),
			scrape({ formats: [{ type: 'deterministicJson', prompt: 'All' }] }),
			...[scrape, crawlPages, searchPages].flatMap((of) =>
				[
					of({ formats: [{ type: 'query', prompt: 'All?', mode: 'directQuote' }] }),
					of({ formats: [{ type: 'screenshot', quality: 80.5, wide: true }] }),
					of({ formats: ['markdown', { type: 'json', schema: open }] }),
					of({ parsers: ['pdf', 'image'], fastMode: true, useMock: 'a' }),
					of({ actions: [{ type: 'scrape', more: 1 }], proxy: 'stealth' }),
					of({ waitFor: 500, timeout: 1000 }),
					of({ maxAge: 0, minAge: 0, formats: [] }),
				].filter((request) => !JSON.stringify(request).includes('minAge')),
			),
			scrape({ formats: [{ type: 'attributes', selectors: [] }], profile: { name: 'a', more: 1 } }),
			map({
				limit: 2.5,
				timeout: 0.5,
				includePaths: ['a'],
				useIndex: false,
				crawlEntireDomain: true,
			}),
			crawl({ limit: 0, maxDiscoveryDepth: 1.5 }),
			crawl({ limit: -1 }),
			extract({ urls: undefined, prompt: 'Tea' }),
			extract({ systemPrompt: 'Be brief', limit: 3, timeout: 5000 }),
		]),
	)('%s', async (_name, [path, body]) => {
		const { status, body: said } = await call(path, body);
		expect([status, said.error]).toEqual([200, undefined]);
	});

	it('a body with a request that has none', async () => {
		const { body } = await call(...crawl({}));
		const { status } = await fetch(`${service.url}/v2/crawl/${body.id}`, {
			method: 'DELETE',
			headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
			body: '{"any":"thing"}',
		});
		expect(status).toBe(200);
	});
});

describe('refuses', () => {
	const two = {
		formats: ['markdown', { type: 'screenshot' }, { type: 'screenshot', fullPage: true }],
	};
	const tracked = { formats: [{ type: 'changeTracking', modes: ['json'] }] };
	const clicks = (count: number) => ({
		actions: Array.from({ length: count }, () => ({ type: 'click', selector: 'a' })),
	});
	const open = { type: 'object', additionalProperties: true };
	const oneScreenshot = 'You may only specify one screenshot format';
	const markdown = 'The changeTracking format requires the markdown format to be specified as well';
	const actions = 'Number of actions cannot exceed 50';
	const half = 'waitFor must not exceed half of timeout';
	const wait = 'Total wait time (waitFor + wait actions) cannot exceed 60 seconds';
	const country = 'Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.';
	const both = 'includeDomains and excludeDomains cannot both be specified';
	const domain = 'Domain must be a valid hostname without protocol or path';
	const eleven = Array.from({ length: 11 }, (_, index) => `https://a${index}.example`);
	const pages = [
		['', scrape],
		['', batch],
		['scrapeOptions.', crawlPages],
		['scrapeOptions.', searchPages],
	] as const;

	it.each(
		[
			...pages.flatMap(([at, of]) => [
				[of(two), `${at}formats`, 'custom', oneScreenshot] as const,
				[of(tracked), `${at}formats`, 'custom', markdown] as const,
				[of(clicks(51)), `${at}actions`, 'custom', actions] as const,
				[of({ waitFor: 600, timeout: 1000 }), 'waitFor', 'custom', half] as const,
				[of({ location: { country: 'usa' } }), `${at}location.country`, 'custom', country] as const,
				[of({ location: { country: 'ZZ' } }), `${at}location.country`, 'custom', country] as const,
				[of({ maxAge: -1 }), `${at}maxAge`, 'too_small', undefined] as const,
				[of({ minAge: -1 }), `${at}minAge`, 'too_small', undefined] as const,
				[of({ waitFor: -1 }), `${at}waitFor`, 'too_small', undefined] as const,
				[of({ waitFor: 60_001 }), `${at}waitFor`, 'too_big', undefined] as const,
				[of({ headers: { a: 1 } }), `${at}headers.a`, 'invalid_type', undefined] as const,
			]),
			[
				scrape({
					actions: Array.from({ length: 3 }, () => ({ type: 'wait', milliseconds: 21_000 })),
				}),
				'actions',
				'custom',
				wait,
			],
			[
				scrape({ actions: [{ type: 'wait', milliseconds: 1, selector: 'a' }] }),
				'actions.0',
				'custom',
				"Either 'milliseconds' or 'selector' must be provided, but not both.",
			],
			[
				scrape({ formats: [{ type: 'screenshot', viewport: { width: 7681, height: 1 } }] }),
				'formats.0.viewport.width',
				'too_big',
			],
			[
				scrape({ actions: [{ type: 'screenshot', viewport: { width: 1, height: 4321 } }] }),
				'actions.0.viewport.height',
				'too_big',
			],
			[
				scrape({ formats: ['rawBase64', 'html'] }),
				'formats',
				'custom',
				'The rawBase64 format cannot be combined with other formats',
			],
			[
				scrape({ formats: [{ type: 'question', question: '' }] }),
				'formats.0.question',
				'too_small',
			],
			[scrape({ formats: [{ type: 'highlights', query: '' }] }), 'formats.0.query', 'too_small'],
			[
				scrape({ formats: [{ type: 'query', prompt: 'a', mode: 'quoted' }] }),
				'formats.0',
				'invalid_union',
			],
			[
				scrape({ formats: [{ type: 'query', prompt: 'a', more: 1 }] }),
				'formats.0',
				'invalid_union',
			],
			[
				scrape({ formats: [{ type: 'json', schema: open }] }),
				'formats.0.schema',
				'custom',
				/^Schema contains/,
			],
			[
				scrape({ formats: [{ type: 'json', prompt: 'a'.repeat(10_001) }] }),
				'formats.0.prompt',
				'too_big',
			],
			...[scrape, crawl, search, map, agent, batch].map(
				(of) =>
					[
						of({ integration: 'mine' }),
						'integration',
						'custom',
						/^Invalid enum value\. Expected 'dify' \|/,
					] as const,
			),
			[
				search({ includeDomains: ['a.example'], excludeDomains: ['b.example'] }),
				'',
				'custom',
				both,
			],
			[search({ includeDomains: ['https://a.example'] }), 'includeDomains.0', 'custom', domain],
			[search({ excludeDomains: ['a.example/b'] }), 'excludeDomains.0', 'custom', domain],
			[search({ categories: ['developer', 'pdf'] }), '', 'custom', /developer category/],
			[search({ sources: ['web', { type: 'news' }] }), 'sources', 'invalid_union'],
			[search({ timeout: 0 }), 'timeout', 'too_small'],
			[map({ limit: 0 }), 'limit', 'too_small'],
			[map({ timeout: 0 }), 'timeout', 'too_small'],
			[map({ includePaths: ['(?=a)'] }), 'includePaths', 'custom', /^Invalid includePaths pattern/],
			[
				crawl({ excludePaths: ['(a'] }),
				'excludePaths',
				'custom',
				/^Invalid excludePaths pattern "\(a"/,
			],
			[crawl({ webhook: 'no url' }), 'webhook.url', 'invalid_format', 'Invalid URL'],
			[crawl({ webhook: { url, metadata: { a: 1 } } }), 'webhook.metadata.a', 'invalid_type'],
			[batch({ appendToId: 'a' }), 'appendToId', 'invalid_format', 'Invalid UUID'],
			[
				extract({ urls: eleven }),
				'urls',
				'custom',
				'Maximum of 10 URLs allowed per request while in beta.',
			],
			[extract({ schema: { type: 'sentence' } }), 'schema', 'custom', 'Invalid JSON schema.'],
			[extract({ urls: undefined }), '', 'custom', "Either 'urls' or 'prompt' must be provided."],
			[agent({ schema: { type: 'sentence' } }), 'schema', 'custom', /^Invalid JSON schema: /],
			[agent({ prompt: undefined }), 'prompt', 'invalid_type'],
			[agent({ webhook: { url, events: ['page'] } }), 'webhook.events.0', 'invalid_value'],
			[agent({ threadId: 'a' }), 'threadId', 'invalid_format'],
		].map(([request, place, code, message]: any) => [
			`${request[0]} ${JSON.stringify(request[1]).slice(0, 120)}`,
			request,
			{ place, code, message },
		]),
	)('%s', async (_name, [path, sent], { place, code, message }) => {
		const { status, body } = await call(path, sent);
		expect(status).toBe(400);
		const [first] = body.details;
		expect([first.path.join('.'), first.code]).toEqual([place, code]);
		if (message !== undefined) expect(first.message).toMatch(message);
		if (code === 'custom' && path !== '/v2/search') expect(body.error).toBe(first.message);
	});
});

it('reads a body before it looks at the key or the path', async () => {
	const { status } = await fetch(`${service.url}/v2/nothing`, {
		method: 'POST',
		headers: { authorization: 'Bearer wrong', 'content-type': 'application/json' },
		body: '{"a":',
	});
	expect(status).toBe(400);
});

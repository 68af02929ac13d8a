/**
 * Every rule of the request schemas in the service's source, by what they take and refuse: alone in a request that is
 * otherwise good.
 */
import { type LocalService, startService } from '../../../mock-service';

type Body = Record<string, unknown>;
type Request = (more: Body) => [path: string, body: Body];

let service: LocalService;

beforeAll(async () => {
	service = await startService({ crawlMs: 0, jobMs: 0, credits: 1e9 });
});
afterAll(async () => await service.close());

/** Returns the requests whose status isn't the wanted one. */
async function others(status: number, requests: Array<[path: string, body: Body]>) {
	const found: string[] = [];
	for (const [path, body] of requests) {
		const response = await fetch(`${service.url}${path}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (response.status === status) continue;
		found.push(`${path} ${JSON.stringify(body).slice(0, 200)}: ${response.status} ${text}`);
	}
	return found;
}

const takes = async (of: Request, bodies: Body[]) =>
	expect(await others(200, bodies.map(of))).toEqual([]);
const refuses = async (of: Request, bodies: Body[]) =>
	expect(await others(400, bodies.map(of))).toEqual([]);

const url = 'https://a.example';
const hook = 'https://hook.example';
const id = '0190a8a0-0000-7000-8000-000000000000';
const tooLong = 'a'.repeat(10_001);

const scrape: Request = (more) => ['/v2/scrape', { url, ...more }];
const batch: Request = (more) => ['/v2/batch/scrape', { urls: [url], ...more }];
const crawl: Request = (more) => ['/v2/crawl', { url, ...more }];
const map: Request = (more) => ['/v2/map', { url, ...more }];
const search: Request = (more) => ['/v2/search', { query: 'tea', ...more }];
const agent: Request = (more) => ['/v2/agent', { prompt: 'Find tea', ...more }];
const extract: Request = (more) => ['/v1/extract', { urls: [url], ...more }];
const inOptions =
	(of: Request): Request =>
	(scrapeOptions) =>
		of({ scrapeOptions });

const format = (...formats: unknown[]) => ({ formats });
const parser = (parser: unknown) => ({ parsers: [parser] });
const action = (...actions: unknown[]) => ({ actions });

const PAGES: Array<[name: string, of: Request]> = [
	['a scrape', scrape],
	['a batch', batch],
	['pages of a crawl', inOptions(crawl)],
	['pages of a search', inOptions(search)],
];

describe.each(PAGES)('the options of %s', (name, of) => {
	it('are taken', async () => {
		await takes(of, [
			{ timeout: 1000 },
			{ waitFor: 60_000, timeout: 120_000 },
			{ fastMode: true, useMock: 'a', onlyCleanContent: true, headers: {} },
			{ location: {} },
			{ location: { country: '', more: 1 } },
			{ profile: { name: 'a', saveChanges: false, more: 1 } },
			{ redactPII: true },
			{ redactPII: {} },
			{ redactPII: { mode: 'fast', entities: ['PERSON'], replaceStyle: 'mask' } },
			{ threatProtection: { mode: 'off', blockedTlds: ['zip'], failurePolicy: 'open' } },
			{ auditMetadata: { username: 'a' } },
			format('product', 'menu', 'links', 'images', 'summary', 'rawHtml', 'html'),
			format({ type: 'screenshot', fullPage: true, quality: 1 }),
			format({ type: 'json', checkPromptInjection: true }),
			format('json'),
			format({ type: 'json', schema: 'any' }),
			format({ type: 'query', prompt: '' }),
			parser({ type: 'image' }),
			{ parsers: [] },
			parser({ type: 'pdf', mode: 'ocr', maxPages: 10_000, pages: true, blocks: true }),
			parser({ type: 'pdf', pageMarkers: true, pageMarkdown: false }),
			{ actions: [] },
			action({ type: 'scroll' }, { type: 'scrape' }, { type: 'wait', selector: '' }),
			action({ type: 'pdf', landscape: true, scale: 2, format: 'A0' }),
		]);
	});

	it('are refused', async () => {
		await refuses(of, [
			...[999, 1000.5, '2000'].map((timeout) => ({ timeout })),
			...[1.5, -1].map((waitFor) => ({ waitFor })),
			{ waitFor: 60_001, timeout: 200_000 },
			{ maxAge: 1.5 },
			{ minAge: 1.5 },
			{ proxy: 'fast' },
			{ location: { languages: 'en' } },
			...[{}, { name: '' }, { name: 'a'.repeat(129) }].map((profile) => ({ profile })),
			...['yes', { mode: 'slow' }, { more: 1 }, { entities: ['NAME'] }].map((redactPII) => ({
				redactPII,
			})),
			...[{ mode: 'high' }, { more: 1 }, { riskScoreThreshold: 101 }].map((threatProtection) => ({
				threatProtection,
			})),
			...['mobile', 'blockAds', 'lockdown', 'fastMode', 'storeInCache'].map((name) => ({
				[name]: 'a',
			})),
			{ onlyMainContent: null },
			{ includeTags: 'a' },
			{ includeTags: [1] },
			{ unknown: 1 },
			{ pageMarkdown: true },
			{ formats: 'markdown' },
			format('none'),
			format({ type: 'markdown', more: 1 }),
			...[{ quality: 0 }, { quality: 101 }].map((more) => format({ type: 'screenshot', ...more })),
			...[{ width: 0, height: 1 }, { width: 1.5, height: 1 }, { width: 1 }].map((viewport) =>
				format({ type: 'screenshot', viewport }),
			),
			format({ type: 'question' }),
			format({ type: 'question', question: tooLong }),
			format({ type: 'question', question: 'a', more: 1 }),
			format({ type: 'highlights', query: tooLong }),
			format({ type: 'query', prompt: tooLong }),
			format({ type: 'json', prompt: 'a', more: 1 }),
			parser('doc'),
			parser({ type: 'image', more: 1 }),
			...[{ maxPages: 0 }, { maxPages: 10_001 }, { mode: 'slow' }, { more: 1 }, { pages: 'a' }].map(
				(more) => parser({ type: 'pdf', ...more }),
			),
			...['jump', 'wait', 'click', 'press', 'write', 'executeJavascript'].map((type) =>
				action({ type }),
			),
			action({ type: 'wait', milliseconds: 0 }),
			action({ type: 'wait', milliseconds: 60_001 }),
			action({ type: 'pdf', format: 'B4' }),
			action({ type: 'scroll', direction: 'left' }),
			action({ type: 'screenshot', quality: 0 }),
		]);
	});

	const own = [
		format('branding'),
		format('video'),
		format('rawBase64'),
		format('deterministicJson'),
		format({ type: 'attributes', selectors: [] }),
		format('markdown', 'changeTracking'),
	];

	it('have the formats of the operation', async () => {
		if (name === 'pages of a search') return await refuses(of, own);
		const tracked = { type: 'changeTracking', tag: null, modes: ['json', 'git-diff'] };
		await takes(of, [...own, format('audio'), format('markdown', { ...tracked, prompt: tooLong })]);
		await refuses(of, [
			format('markdown', { ...tracked, modes: ['text'] }),
			format('markdown', { ...tracked, more: 1 }),
			format({ type: 'attributes' }),
			format({ type: 'attributes', selectors: [{ selector: 'a', attribute: 'b', more: 1 }] }),
			format('json', 'deterministicJson'),
			format('rawBase64', 'links'),
		]);
	});
});

it.each([
	['scrape', scrape],
	['crawl', crawl],
	['map', map],
])('the URL of a %s', async (_name, of) => {
	await takes(
		of,
		['8.8.8.8', 'HTTPS://A.example', 'a.example/b'].map((address) => ({ url: address })),
	);
	await refuses(
		of,
		[1, 'ftp://a.example', 'http://localhost', 'http://a', '', undefined].map((address) => ({
			url: address,
		})),
	);
});

it('a scrape and a batch', async () => {
	await takes(scrape, [
		{ zeroDataRetention: true },
		{ actions: [{ type: 'wait', milliseconds: 59_000 }], waitFor: 5000 },
	]);
	await takes(batch, [
		{ maxConcurrency: 1, zeroDataRetention: true },
		{ ignoreInvalidURLs: true, urls: [url, 'no url'] },
	]);
	await refuses(batch, [
		...[[], undefined, [1]].map((urls) => ({ urls })),
		...[0, 1.5].map((maxConcurrency) => ({ maxConcurrency })),
		{ appendToId: 'a' },
		{ ignoreInvalidURLs: 'a' },
	]);
});

const patterns = (count: number, text = 'a') => Array<string>(count).fill(text);

it.each([
	['crawl', crawl],
	['map', map],
])('the paths and limits of a %s', async (_name, of) => {
	await takes(of, [
		...[0.5, 60].map((delay) => ({ delay })),
		...[0, -1, 1.5].map((maxDiscoveryDepth) => ({ maxDiscoveryDepth })),
		{ sitemap: 'only', robotsUserAgent: 'a', ignoreRobotsTxt: true, ignoreQueryParameters: true },
		{ deduplicateSimilarURLs: false, allowExternalLinks: true, regexOnFullURL: true },
		{ includePaths: patterns(1000) },
		{ includePaths: ['(?i)a'] },
	]);
	await refuses(of, [
		...[0, -1, 61].map((delay) => ({ delay })),
		...['a', [1], ['a'.repeat(2001)], patterns(1001)].map((includePaths) => ({ includePaths })),
		{ includePaths: patterns(600), excludePaths: patterns(401) },
		{ includePaths: patterns(60, 'a'.repeat(1900)) },
		{ excludePaths: ['(?<=a)b'] },
		{ excludePaths: ['(a)\\1'] },
		{ sitemap: 'none' },
		{ maxDiscoveryDepth: '1' },
		...['ignoreRobotsTxt', 'crawlEntireDomain', 'regexOnFullURL', 'unknown'].map((name) => ({
			[name]: 'a',
		})),
	]);
});

it('a crawl', async () => {
	await takes(crawl, [
		...[0, 1.5, -3, 1e9].map((limit) => ({ limit })),
		{ prompt: '', maxConcurrency: 1, zeroDataRetention: false },
	]);
	await refuses(crawl, [
		{ limit: '1' },
		{ maxConcurrency: 0 },
		{ prompt: tooLong },
		{ scrapeOptions: 'a' },
		{ scrapeOptions: { url } },
	]);
});

it('webhooks', async () => {
	const of = (more: Body) => ({ webhook: { url: hook, ...more } });
	for (const start of [crawl, batch, agent]) {
		await takes(start, [
			of({ events: [], metadata: { a: 'b' }, headers: { a: 'b' } }),
			of({ events: ['started', 'completed', 'failed'] }),
			{ webhook: hook },
		]);
		await refuses(start, [
			{ webhook: {} },
			of({ more: 1 }),
			of({ events: ['done'] }),
			of({ headers: { a: 1 } }),
			of({ headers: { 'x-firecrawl-signature': 'a' } }),
			of({ headers: { 'X-Firecrawl-Job-ID': 'a' } }),
		]);
	}
	await takes(agent, [of({ events: ['action', 'cancelled'] })]);
	await takes(crawl, [of({ events: ['page'] })]);
	await refuses(crawl, [of({ events: ['action'] })]);
});

it('a map', async () => {
	await takes(map, [
		...[100_000, 1.5].map((limit) => ({ limit })),
		{ search: '', timeout: 1, includeSubdomains: false, ignoreCache: true },
		{ headers: { a: 'b' }, useMock: 'a', useIndex: false },
		{ threatProtection: { mode: 'normal' }, auditMetadata: { username: 'a' } },
	]);
	await refuses(map, [
		...[0.5, 0, 100_001].map((limit) => ({ limit })),
		{ timeout: -1 },
		{ headers: { a: 1 } },
		{ search: 1 },
		{ prompt: 'a' },
		{ location: { country: 'xx' } },
	]);
});

it('a search', async () => {
	await takes(search, [
		{ query: '' },
		{ limit: 100, timeout: 1, safe: true, highlights: false, ignoreInvalidURLs: true },
		{ threatProtection: {} },
		...[[], ['web', 'images', 'news'], [{ type: 'images' }], ['alexandria']].map((sources) => ({
			sources,
		})),
		{ sources: [{ type: 'web', tbs: 'a', filter: 'a', lang: 'a', country: 'a', location: 'a' }] },
		...[[], ['developer', 'repo'], [{ type: 'github' }], ['pdf', 'research']].map((categories) => ({
			categories,
		})),
		{ includeDomains: [], excludeDomains: ['b.example'] },
		{ lang: 'xx', country: 'anything', location: 'Here', tbs: '' },
		...[[], ['anon', 'zdr', 'default']].map((enterprise) => ({ enterprise })),
		{ scrapeOptions: {} },
	]);
	await refuses(search, [
		...[1, undefined].map((query) => ({ query })),
		...[0, 101, 1.5].map((limit) => ({ limit })),
		...[1.5, -1, 0].map((timeout) => ({ timeout })),
		...[
			'web',
			['video'],
			[{ type: 'images', tbs: 'a' }],
			[{ type: 'web', more: 1 }],
			['web', { type: 'news' }],
		].map((sources) => ({ sources })),
		...[
			['none'],
			['developer', 'github'],
			['docs', 'pdf'],
			[{ type: 'github', more: 1 }],
			['github', { type: 'pdf' }],
		].map((categories) => ({ categories })),
		...['a.example', ['localhost'], ['a.example/b']].map((includeDomains) => ({ includeDomains })),
		{ enterprise: ['none'] },
		...['safe', 'highlights', 'country', 'tbs', 'origin', 'unknown'].map((name) => ({ [name]: 1 })),
		{ auditMetadata: { username: 'a' } },
	]);
});

it('an agent task', async () => {
	const approve = { approvalId: id };
	await takes(agent, [
		...[['a.example'], []].map((urls) => ({ urls })),
		...[0, -1.5].map((maxCredits) => ({ maxCredits })),
		...['spark-2', 'spark-1-pro', 'spark-1-mini'].map((model) => ({ model })),
		...[{}, false].map((schema) => ({ schema })),
		{ prompt: '', effort: 'high', mode: 'chat', strictConstrainToURLs: true },
		{ exchange: {} },
		{ exchange: { enabled: true, toolkits: [], maxCalls: 30 } },
		{ threatProtection: {}, auditMetadata: { username: 'a' } },
	]);
	await refuses(agent, [
		...[tooLong, undefined].map((prompt) => ({ prompt })),
		...[['no url here'], 'a.example'].map((urls) => ({ urls })),
		{ maxCredits: '1' },
		{ model: 'spark-3' },
		{ effort: 'max' },
		{ mode: 'ask' },
		...[{ maxCalls: 31 }, { maxCalls: 0 }, { more: 1 }, { decline: {} }].map((exchange) => ({
			exchange,
		})),
		{ exchange: { approve: { approvalId: 'a' } } },
		{ exchange: { approve: { ...approve, more: 1 } } },
		...[{ type: 'x' }, { type: 'object', required: 'a' }].map((schema) => ({ schema })),
		...['threadId', 'unknown'].map((name) => ({ [name]: 1 })),
	]);
});

it('an extraction', async () => {
	await takes(extract, [
		{ limit: 1, timeout: 1000, systemPrompt: 'a', schema: {}, prompt: '' },
		...[{ model: 'FIRE-1' }, {}].map((model) => ({ agent: model })),
		{ enableWebSearch: true, showSources: true, ignoreSitemap: true, includeSubdomains: false },
		{ threatProtection: {}, scrapeOptions: {}, ignoreInvalidURLs: false },
		{ urls: [] },
		{ urls: ['a.example/*'] },
	]);
	await refuses(extract, [
		...[0, 1.5].map((limit) => ({ limit })),
		{ timeout: 999 },
		...[{ model: 1 }, { more: 1 }].map((model) => ({ agent: model })),
		...['prompt', 'systemPrompt'].map((name) => ({ [name]: tooLong })),
		{ urls: ['no url'] },
		{ urls: undefined, prompt: '' },
		...[{ type: 'x' }, { type: 'object', additionalProperties: true }].map((schema) => ({
			schema,
		})),
		{ scrapeOptions: { unknown: 1 } },
		...['showSources', 'unknown'].map((name) => ({ [name]: 'a' })),
	]);
});

it('the options of the pages of an extraction', async () => {
	const of = inOptions(extract);
	await takes(of, [
		format('markdown', 'html', 'summary', 'branding'),
		format('screenshot@fullPage'),
		{ proxy: 'stealth', parsePDF: false, geolocation: { country: 'US' } },
		{ ...format('json'), jsonOptions: { prompt: 'a' } },
		{ ...format('extract'), extract: { prompt: 'a' } },
		{ ...format('markdown', 'changeTracking'), changeTrackingOptions: { modes: ['json'] } },
		{ waitFor: 500, timeout: 1000 },
	]);
	await refuses(of, [
		format({ type: 'markdown' }),
		format('video'),
		format('screenshot', 'screenshot@fullPage'),
		format('changeTracking'),
		format('rawBase64', 'html'),
		format('json'),
		{ jsonOptions: { prompt: 'a' } },
		{ waitFor: 501, timeout: 1000 },
		{ waitFor: 60_001, timeout: 300_000 },
		{ timeout: 999 },
		{ maxAge: -1 },
		{ minAge: 1 },
		{ parsers: ['pdf'] },
		{ location: { country: 'xx' } },
		{ agent: { prompt: 'a' } },
	]);
});

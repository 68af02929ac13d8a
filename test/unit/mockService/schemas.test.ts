/**
 * The rules of the request schemas in the service's source that differ most from its document, by what they take and
 * refuse: alone in a request that is otherwise good.
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
const tooLong = 'a'.repeat(10_001);

const scrape: Request = (more) => ['/v2/scrape', { url, ...more }];
const batch: Request = (more) => ['/v2/batch/scrape', { urls: [url], ...more }];
const crawl: Request = (more) => ['/v2/crawl', { url, ...more }];
const search: Request = (more) => ['/v2/search', { query: 'tea', ...more }];
const agent: Request = (more) => ['/v2/agent', { prompt: 'Find tea', ...more }];
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
			{ onlyCleanContent: true, headers: {} },
			{ location: {} },
			{ profile: { name: 'a', saveChanges: false, more: 1 } },
			{ redactPII: { mode: 'fast', entities: ['PERSON'], replaceStyle: 'mask' } },
			{ threatProtection: { mode: 'off', blockedTlds: ['zip'], failurePolicy: 'open' } },
			format('product', 'menu', 'links', 'images', 'summary', 'rawHtml', 'html'),
			format({ type: 'json', schema: 'any' }),
			parser({ type: 'pdf', mode: 'ocr', maxPages: 10_000, pages: true, blocks: true }),
			action({ type: 'scroll' }, { type: 'scrape' }, { type: 'wait', selector: '' }),
		]);
	});

	it('are refused', async () => {
		await refuses(of, [
			...[999, 1000.5, '2000'].map((timeout) => ({ timeout })),
			{ proxy: 'fast' },
			...[{}, { name: '' }, { name: 'a'.repeat(129) }].map((profile) => ({ profile })),
			...['yes', { mode: 'slow' }, { more: 1 }, { entities: ['NAME'] }].map((redactPII) => ({
				redactPII,
			})),
			...[{ mode: 'high' }, { more: 1 }, { riskScoreThreshold: 101 }].map((threatProtection) => ({
				threatProtection,
			})),
			...['mobile', 'blockAds', 'lockdown', 'storeInCache'].map((name) => ({
				[name]: 'a',
			})),
			{ unknown: 1 },
			format('none'),
			format({ type: 'markdown', more: 1 }),
			...[{ width: 0, height: 1 }, { width: 1.5, height: 1 }, { width: 1 }].map((viewport) =>
				format({ type: 'screenshot', viewport }),
			),
			parser('doc'),
			...[{ maxPages: 0 }, { maxPages: 10_001 }, { mode: 'slow' }, { more: 1 }, { pages: 'a' }].map(
				(more) => parser({ type: 'pdf', ...more }),
			),
			...['jump', 'wait', 'click', 'press', 'write', 'executeJavascript'].map((type) =>
				action({ type }),
			),
			action({ type: 'wait', milliseconds: 60_001 }),
			action({ type: 'scroll', direction: 'left' }),
		]);
	});

	const own = [format('branding'), format('markdown', 'changeTracking')];

	it('have the formats of the operation', async () => {
		if (name === 'pages of a search') return await refuses(of, own);
		const tracked = { type: 'changeTracking', tag: null, modes: ['json', 'git-diff'] };
		await takes(of, [...own, format('audio'), format('markdown', { ...tracked, prompt: tooLong })]);
		await refuses(of, [
			format('markdown', { ...tracked, modes: ['text'] }),
			format('rawBase64', 'links'),
		]);
	});
});

const patterns = (count: number, text = 'a') => Array<string>(count).fill(text);

it('the paths and limits of a crawl', async () => {
	await takes(crawl, [
		...[0.5, 60].map((delay) => ({ delay })),
		...[0, 3].map((maxDiscoveryDepth) => ({ maxDiscoveryDepth })),
		{ sitemap: 'only', robotsUserAgent: 'a', ignoreRobotsTxt: true, ignoreQueryParameters: true },
		{ deduplicateSimilarURLs: false, allowExternalLinks: true, regexOnFullURL: true },
		{ includePaths: patterns(1000) },
		{ includePaths: ['(?i)a'] },
	]);
	await refuses(crawl, [
		...[0, -1, 61].map((delay) => ({ delay })),
		...['a', [1], ['a'.repeat(2001)], patterns(1001)].map((includePaths) => ({ includePaths })),
		{ includePaths: patterns(600), excludePaths: patterns(401) },
		{ includePaths: patterns(60, 'a'.repeat(1900)) },
		{ excludePaths: ['(?<=a)b'] },
		{ excludePaths: ['(a)\\1'] },
		...['ignoreRobotsTxt', 'crawlEntireDomain', 'regexOnFullURL', 'unknown'].map((name) => ({
			[name]: 'a',
		})),
	]);
});

it('a search', async () => {
	await takes(search, [
		{ query: '' },
		{ limit: 100, timeout: 1, safe: true, highlights: false, ignoreInvalidURLs: true },
		...[[], ['web', 'images', 'news'], [{ type: 'images' }], ['alexandria']].map((sources) => ({
			sources,
		})),
		{ sources: [{ type: 'web', tbs: 'a', location: 'a' }] },
		...[[], ['developer'], [{ type: 'github' }], ['pdf', 'research']].map((categories) => ({
			categories,
		})),
		{ country: 'anything', location: 'Here', tbs: '' },
		...[[], ['anon', 'zdr']].map((enterprise) => ({ enterprise })),
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
			[{ type: 'github', more: 1 }],
			['github', { type: 'pdf' }],
		].map((categories) => ({ categories })),
		...['a.example', ['localhost'], ['a.example/b']].map((includeDomains) => ({ includeDomains })),
		...['safe', 'highlights', 'country', 'tbs', 'origin', 'unknown'].map((name) => ({ [name]: 1 })),
	]);
});

it('an agent task', async () => {
	await takes(agent, [
		...[['a.example'], []].map((urls) => ({ urls })),
		...[0, -1.5].map((maxCredits) => ({ maxCredits })),
		...['spark-2', 'spark-1-pro', 'spark-1-mini'].map((model) => ({ model })),
		...[{}, false].map((schema) => ({ schema })),
		{ prompt: '', effort: 'high', mode: 'chat', strictConstrainToURLs: true },
		{ exchange: { enabled: true, toolkits: [], maxCalls: 30 } },
	]);
	await refuses(agent, [
		...[tooLong, undefined].map((prompt) => ({ prompt })),
		...[['no url here'], 'a.example'].map((urls) => ({ urls })),
		...[{ maxCalls: 31 }, { maxCalls: 0 }, { more: 1 }, { decline: {} }].map((exchange) => ({
			exchange,
		})),
		{ exchange: { approve: { approvalId: 'a' } } },
		...[{ type: 'x' }, { type: 'object', required: 'a' }].map((schema) => ({ schema })),
		...['threadId', 'unknown'].map((name) => ({ [name]: 1 })),
	]);
});

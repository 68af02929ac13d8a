/**
 * What the request schemas in the service's source refuse beyond its document, alone in a request that is otherwise good.
 * What they take is what the forms send (test/contract) and the clients of others.
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
	it('are refused where the service does', async () => {
		await refuses(of, [
			...[999, 1000.5, '2000'].map((timeout) => ({ timeout })),
			...[{}, { name: '' }, { name: 'a'.repeat(129) }].map((profile) => ({ profile })),
			...['yes', { mode: 'slow' }, { more: 1 }, { entities: ['NAME'] }].map((redactPII) => ({
				redactPII,
			})),
			...[{ mode: 'high' }, { more: 1 }, { riskScoreThreshold: 101 }].map((threatProtection) => ({
				threatProtection,
			})),
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

it.each([
	['crawl', crawl],
	['map', map],
])('the paths and limits of a %s', async (_name, of) => {
	await refuses(of, [
		...[0, -1, 61].map((delay) => ({ delay })),
		...['a', [1], ['a'.repeat(2001)], patterns(1001)].map((includePaths) => ({ includePaths })),
		{ includePaths: patterns(600), excludePaths: patterns(401) },
		{ includePaths: patterns(60, 'a'.repeat(1900)) },
		{ excludePaths: ['(?<=a)b'] },
		{ excludePaths: ['(a)\\1'] },
	]);
});

it('a search', async () => {
	await refuses(search, [
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
	]);
});

it('an agent task', async () => {
	await refuses(agent, [
		...[tooLong, undefined].map((prompt) => ({ prompt })),
		...[['no url here'], 'a.example'].map((urls) => ({ urls })),
		...[{ maxCalls: 31 }, { maxCalls: 0 }, { more: 1 }, { decline: {} }].map((exchange) => ({
			exchange,
		})),
		{ exchange: { approve: { approvalId: 'a' } } },
		...[{ type: 'x' }, { type: 'object', required: 'a' }].map((schema) => ({ schema })),
	]);
});

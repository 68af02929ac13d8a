import { validateResponse } from '../../../api/contract';
import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses are read as they come */

let service: LocalService;
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

async function start(options: ServiceOptions = {}): Promise<void> {
	service = await startService({ crawlMs: 0, jobMs: 0, ...options });
}

async function call(method: string, path: string, body?: unknown) {
	const response = await fetch(path.startsWith('http') ? path : service.url + path, {
		method,
		headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const parsed: any = await response.json();
	const bare = path.replace(service.url, '').split('?')[0];
	expect(validateResponse(method, bare, response.status, parsed)).toEqual([]);
	return { status: response.status, headers: response.headers, body: parsed };
}

/** Advances the clock of the service. */
const later = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);
const HOUR = 3_600_000;

const urls = ['https://a.example/1', 'https://a.example/fail', 'https://a.example/robots'];
const kinds: Array<[string, object, string]> = [
	['crawl', { url: 'https://a.example', limit: 3 }, '/v2/crawl'],
	['batch', { urls: urls.map((url) => url.replace(/fail|robots/, 'x')) }, '/v2/batch/scrape'],
];

describe.each(kinds)('a %s', (_kind, body, path) => {
	const begin = async (options?: ServiceOptions) => {
		await start(options);
		later(0);
		const { id } = (await call('POST', path, body)).body;
		return `${path}/${id}`;
	};

	it('may say from its start on that it has completed, and never goes back', async () => {
		const job = await begin({ falseEnd: true, crawlMs: 1_000_000 });
		const first = (await call('GET', job)).body;
		expect(first).toMatchObject({ status: 'completed', completed: 0, total: 3, data: [] });
		expect(first.next).toContain('skip=0');
		later(500_000);
		expect((await call('GET', job)).body).toMatchObject({ status: 'completed', completed: 1 });
		later(1_000_000);
		expect((await call('GET', job)).body).toMatchObject({ status: 'completed', completed: 3 });
	});

	it('goes on for a while when all its pages are there, and leads to an empty chunk', async () => {
		const job = await begin({ crawlMs: 10_000 });
		later(9_000);
		const { body: running } = await call('GET', job);
		expect(running).toMatchObject({ status: 'scraping', completed: 3, total: 3 });
		expect(running.data).toHaveLength(3);
		expect(running).not.toHaveProperty('completedAt');
		const { body: empty } = await call('GET', running.next);
		expect([empty.data, empty.next]).toEqual([[], running.next]);
		later(10_000);
		const { body: ended } = await call('GET', job);
		expect(ended).toMatchObject({ status: 'completed', completedAt: expect.any(String) });
		expect(ended).not.toHaveProperty('next');
	});

	it('that is cancelled leads for ever to an empty chunk that names itself', async () => {
		const job = await begin();
		expect((await call('DELETE', job)).body).toEqual({ status: 'cancelled' });
		const { next } = (await call('GET', job)).body;
		const { body: empty } = await call('GET', next);
		expect(empty).toMatchObject({ status: 'cancelled', data: [], next });
	});

	it('that is cancelled lists each URL that was left among its errors', async () => {
		const job = await begin();
		expect(
			(await call('GET', `${job}/errors`)).body.errors.map(({ code }: any) => code),
		).not.toContain('UNKNOWN_ERROR');
		await call('DELETE', job);
		const { errors } = (await call('GET', `${job}/errors`)).body;
		const left = errors.filter(({ code }: any) => code === 'UNKNOWN_ERROR');
		expect(left).toHaveLength(3);
		expect(left[0]).toMatchObject({ url: expect.any(String), timestamp: expect.any(String) });
	});

	it('is cancelled twice within a moment, and not after it', async () => {
		const job = await begin({ crawlMs: 10_000 });
		await call('DELETE', job);
		expect((await call('DELETE', job)).status).toBe(200);
		later(2_000);
		const { status, body: said } = await call('DELETE', job);
		expect([status, said]).toEqual([409, { error: 'Crawl is already completed' }]);
	});

	it('expires after a day', async () => {
		const job = await begin();
		later(25 * HOUR);
		expect((await call('GET', job)).status).toBe(404);
	});
});

describe('a batch', () => {
	it('leaves URLs that failed out of its total, and says why they did', async () => {
		await start({ crawlMs: 1_000 });
		const { id } = (await call('POST', '/v2/batch/scrape', { urls })).body;
		later(1_000);
		const { body } = await call('GET', `/v2/batch/scrape/${id}`);
		expect(body).toMatchObject({ status: 'completed', total: 1, completed: 1 });
		const { errors, robotsBlocked } = (await call('GET', `/v2/batch/scrape/${id}/errors`)).body;
		const timestamp = expect.any(String) as string;
		expect(errors).toMatchObject([
			{ url: urls[1], code: 'SCRAPE_TIMEOUT', timestamp },
			{ url: urls[2], code: 'CRAWL_DENIAL', timestamp },
		]);
		expect(robotsBlocked).toEqual([urls[2]]);
	});

	it('names the place of an invalid URL, and nothing where all are ignored', async () => {
		await start();
		const { status, body } = await call('POST', '/v2/batch/scrape', { urls: [urls[0], 'no url'] });
		expect([status, body.details[0].path]).toEqual([400, ['urls', 1]]);
		const none = await call('POST', '/v2/batch/scrape', {
			urls: ['no url'],
			ignoreInvalidURLs: true,
		});
		expect([none.status, none.body.error]).toEqual([400, 'No valid URLs provided']);
	});
});

describe('the paths of a crawl', () => {
	const crawl = async (body: object, url = 'https://a.example') => {
		await start({ crawlMs: 1_000 });
		const { status, body: said } = await call('POST', '/v2/crawl', { url, ...body });
		later(1_000);
		if (status !== 200) return { status, said };
		const { data } = (await call('GET', `/v2/crawl/${said.id}`)).body;
		const { errors } = (await call('GET', `/v2/crawl/${said.id}/errors`)).body;
		const denied = errors.filter(({ url: of }: any) => of === url);
		return { status, urls: data.map(({ metadata }: any) => metadata.url), denied };
	};

	it.each([
		['included', { includePaths: ['^/blog/'] }, /a\.example\/blog\//, 4],
		['included anywhere in the path', { includePaths: ['post-[12]'] }, /post-[12]$/, 2],
		['included as the first one', { includePaths: ['^/$'] }, /example$/, 1],
		['excluded', { excludePaths: ['^/page-', '^/shop'] }, /example$|\/(blog|docs)\//, 9],
		[
			'included by the whole URL',
			{ includePaths: ['^https://a\\.example/docs/'], regexOnFullURL: true },
			/\/docs\//,
			4,
		],
	])('are %s', async (_how, body, expected, count) => {
		const { urls: found } = await crawl(body);
		expect(found).toHaveLength(count);
		for (const url of found) expect(url).toMatch(expected);
	});

	it('match nothing with a whole URL where only the path is compared', async () => {
		const { urls: found, denied } = await crawl({ includePaths: ['https://a.example/docs/.*'] });
		expect(found).toEqual([]);
		expect(denied).toMatchObject([{ code: 'CRAWL_DENIAL' }]);
	});

	it.each([[{ limit: 1 }], [{ includePaths: ['^/blog$'] }]])(
		'leave the page that it starts from: %j',
		async (body) => {
			const { urls: found, denied } = await crawl(body, 'https://a.example/blog');
			expect([found, denied]).toEqual([['https://a.example/blog'], []]);
		},
	);

	it('have to be regular expressions', async () => {
		expect(await crawl({ includePaths: ['*.pdf'] })).toMatchObject({
			status: 400,
			said: {
				success: false,
				error: expect.stringContaining('repetition operator missing expression'),
			},
		});
	});

	it('are made of a prompt, which the response tells', async () => {
		await start();
		const prompt = 'Only the docs';
		const { body } = await call('POST', '/v2/crawl', {
			url: 'https://a.example',
			prompt,
			limit: 5,
		});
		expect(body).toMatchObject({ promptGeneratedOptions: {}, finalCrawlerOptions: { limit: 5 } });
	});
});

it('a redirect out of a crawl is among its errors, like what robots.txt forbids', async () => {
	await start();
	const { id } = (await call('POST', '/v2/crawl', { url: 'https://moved-robots.example' })).body;
	const { errors } = (await call('GET', `/v2/crawl/${id}/errors`)).body;
	expect(errors.map(({ url, code }: any) => [url, code])).toEqual([
		['https://moved-robots.example/moved', 'CRAWL_DENIAL'],
		['https://moved-robots.example/private', 'CRAWL_DENIAL'],
	]);
});

it.each(['/v2/team/activity', '/v2/team/credit-usage', '/v2/team/credit-usage/historical'])(
	'%s needs the database',
	async (path) => {
		await start({ database: false });
		expect((await call('GET', path)).status).toBe(500);
		expect((await call('GET', '/v2/crawl/active')).status).toBe(200);
	},
);

it('an extraction that responds at once tells its cost, in names of its own', async () => {
	await start({ extractAtOnce: true });
	const { body } = await call('POST', '/v1/extract', {
		urls: ['https://a.example', 'https://b.example'],
	});
	expect(body).toMatchObject({
		llmUsage: expect.any(Number),
		totalUrlsScraped: 2,
		tokensBilled: 150,
		creditsBilled: 10,
	});
	expect(body).not.toHaveProperty('creditsUsed');
});

it('an extraction expires after six hours', async () => {
	await start();
	const { id } = (await call('POST', '/v1/extract', { urls: ['https://a.example'] })).body;
	later(5 * HOUR);
	expect((await call('GET', `/v1/extract/${id}`)).status).toBe(200);
	later(2 * HOUR);
	expect((await call('GET', `/v1/extract/${id}`)).status).toBe(404);
});

it('an agent task is cancelled once', async () => {
	await start();
	const { id } = (await call('POST', '/v2/agent', { prompt: 'x' })).body;
	await call('DELETE', `/v2/agent/${id}`);
	const again = await call('DELETE', `/v2/agent/${id}`);
	expect([again.status, again.body.error]).toEqual([409, 'Agent is already cancelled']);
});

it('an approval of an agent task is answered once, in its thread, and not in two ways', async () => {
	await start({ jobMs: 1 });
	const task = (exchange: object, threadId?: string) =>
		call('POST', '/v2/agent', {
			prompt: 'x',
			mode: 'chat',
			exchange,
			...(threadId && { threadId }),
		});
	const { id, threadId } = (await task({ requireApproval: true })).body;
	later(10);
	const approvalId = (await call('GET', `/v2/agent/${id}`)).body.pendingApproval.id;
	const answer = { approve: { approvalId } };
	const both = { ...answer, decline: { approvalId } };
	const other = { decline: { approvalId: 'other' } };
	expect((await task(answer)).status).toBe(400);
	for (const wrong of [both, other]) expect((await task(wrong, threadId)).status).toBe(400);
	expect((await task(answer, threadId)).body).toMatchObject({ threadId, threadTurn: 2 });
	later(10);
	expect((await task(answer, threadId)).status).toBe(400);
});

it('a site that cannot be scraped has no links', async () => {
	await start();
	const { status, body } = await call('POST', '/v2/map', { url: 'https://dns-error.example' });
	expect([status, body.links]).toEqual([200, []]);
});

it('the attributes of elements are a format', async () => {
	await start();
	const selectors = [
		{ selector: 'a', attribute: 'href' },
		{ selector: 'meta[property="product:price:amount"]', attribute: 'content' },
		{ selector: 'a[href^="mailto:"]', attribute: 'href' },
		{ selector: 'img', attribute: 'src' },
	];
	const formats = [{ type: 'attributes', selectors }];
	const { body } = await call('POST', '/v2/scrape', { url: 'https://a.example', formats });
	expect(body.data.attributes).toEqual(
		[/^https:\/\/a\.example/, /^\$\d/, /^mailto:hello@a\.example$/, /\.jpg$/].map((like, n) => ({
			...selectors[n],
			values: [expect.stringMatching(like)],
		})),
	);
});

it.each([
	['no-browser', 400, 'SCRAPE_ACTIONS_NOT_SUPPORTED'],
	['retry-limit', 500, 'SCRAPE_RETRY_LIMIT'],
	['zdr-violation', 400, 'SCRAPE_ZDR_VIOLATION_ERROR'],
	['x-twitter', 500, 'SCRAPE_X_TWITTER_CONFIGURATION_ERROR'],
	['job-cancelled', 500, 'SCRAPE_JOB_CANCELLED'],
	['index-only', 403, 'AGENT_INDEX_ONLY'],
])('a page on %s: %i %s', async (label, status, code) => {
	await start();
	const reply = await call('POST', '/v2/scrape', { url: `https://${label}.example` });
	expect([reply.status, reply.body.code]).toEqual([status, code]);
	if (label === 'index-only') expect(reply.body.login_url).toEqual(expect.any(String));
});

it('a 429 may name the wait in a field of its body', async () => {
	await start({ rateLimit: { requests: 1, perMs: 60_000, retryAfter: 'body' } });
	await call('GET', '/v2/crawl/active');
	const { status, headers, body } = await call('GET', '/v2/crawl/active');
	expect([status, headers.get('retry-after')]).toEqual([429, null]);
	expect(body.retry_after_seconds).toBeGreaterThan(58);
	expect(body.error).not.toMatch(/\ds/);
});

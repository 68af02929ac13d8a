/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type LocalService, type ServiceOptions, startService } from '../../mock-service';
import { WebDataAgent } from '../../nodes/WebDataAgent/WebDataAgent.node';
import { WebDataCrawl } from '../../nodes/WebDataCrawl/WebDataCrawl.node';
import { WebDataExtract } from '../../nodes/WebDataExtract/WebDataExtract.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { WebDataUsage } from '../../nodes/WebDataUsage/WebDataUsage.node';
import { runNode } from '../support/engine';
import type * as QuickTime from '../support/quickTime';

jest.mock('../../nodes/shared/base/time', () =>
	jest.requireActual<typeof QuickTime>('../support/quickTime').quickTime(),
);

const NODES = {
	crawl: new WebDataCrawl(),
	scrape: new WebDataScrape(),
	agent: new WebDataAgent(),
	extract: new WebDataExtract(),
	usage: new WebDataUsage(),
};

let service: LocalService;
afterEach(async () => await service.close());

async function start(options: ServiceOptions = {}): Promise<void> {
	service = await startService({ crawlMs: 1, jobMs: 1, ...options });
}

async function run(node: keyof typeof NODES, parameters: INodeParameters) {
	const { output, error } = await runNode({
		nodeType: NODES[node],
		parameters,
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
	});
	expect(service.violations).toEqual([]);
	return { items: (output[0] ?? []).map(({ json }) => json), error };
}

const locator = (value: string) => ({ __rl: true, mode: 'id', value });
const urls = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3'].join('\n');
const site = { operation: 'startAndWait', url: 'https://a.example' };

it.each<[keyof typeof NODES, INodeParameters, number]>([
	['crawl', { ...site, maxPages: 3 }, 3],
	['scrape', { operation: 'batchStartAndWait', urls }, 3],
])(
	'a %s that says too early that it has completed gives all its pages',
	async (node, form, count) => {
		await start({ falseEnd: true });
		const { items, error } = await run(node, form);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(count);
		expect(items.every(({ markdown }) => typeof markdown === 'string')).toBe(true);
	},
);

it('a crawl that goes on when all its pages are there gives each once', async () => {
	await start({ crawlMs: 3_000, chunkBytes: 2_000 });
	const { items } = await run('crawl', site);
	expect(new Set(items.map(({ url }) => url)).size).toBe(12);
	expect(items).toHaveLength(12);
});

it('a batch that was cancelled gives the pages it has, and says of the others that it was', async () => {
	await start({ crawlMs: 0 });
	const { id } = service.batches.add();
	await run('scrape', { operation: 'batchCancel', jobId: id });
	const { items, error } = await run('scrape', {
		operation: 'batchGetPages',
		jobId: id,
		returnAll: true,
	});
	expect(error).toBeUndefined();
	expect(items[0].batchWarning).toBe('The batch was cancelled. The batch has no page.');
	expect(items.map(({ pageError }) => pageError)).toEqual(
		[1, 2, 3].map(() => 'Not scraped: the batch was cancelled'),
	);
	expect(service.requests.length).toBeLessThan(8);
});

it.each<[keyof typeof NODES, string, () => INodeParameters]>([
	['crawl', 'cancel', () => ({ crawlId: locator(service.crawls.add({ status: 'completed' }).id) })],
	['agent', 'cancel', () => ({ jobId: service.jobs.add({ kind: 'agent' }).id })],
])('a job of %s that has ended cannot be cancelled, and says so', async (node, operation, job) => {
	await start();
	const form = { operation, ...job() };
	await new Promise((resolve) => setTimeout(resolve, 20));
	const { error } = await run(node, form);
	expect(error?.message).toMatch(/^The job has already ended/);
});

it('pages of a batch that failed have their reasons, though no total counts them', async () => {
	await start();
	const failing = `${urls}\nhttps://a.example/fail\nhttps://a.example/robots`;
	const { items } = await run('scrape', { operation: 'batchStartAndWait', urls: failing });
	expect(items.map(({ pageError }) => pageError)).toEqual([
		undefined,
		undefined,
		undefined,
		'The page did not answer in time',
		'robots.txt of the site forbids this page',
	]);
	expect(JSON.stringify(items)).not.toContain('batchWarning');
});

describe('the paths of a crawl', () => {
	const crawled = async (paths: INodeParameters) => {
		await start();
		return await run('crawl', { ...site, ...paths });
	};

	it.each<[string, INodeParameters, RegExp, number]>([
		['a plain path', { includePaths: '/docs' }, /\/docs\//, 4],
		['a regular expression', { includePaths: '^/blog/post-[12]$' }, /\/blog\//, 2],
		['paths to leave out', { excludePaths: '/page-.*\n/shop/.*' }, /example\/$|\/(blog|docs)\//, 9],
	])('may be %s', async (_what, options, expected, count) => {
		const { items, error } = await crawled(options);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(count);
		for (const { url } of items) expect(url).toMatch(expected);
	});
});

it.each<[string, INodeParameters]>([
	['getCredits', {}],
	['getHistorical', {}],
	['listActivity', {}],
])('a service without a database is told from one that is busy: %s', async (operation, form) => {
	await start({ database: false });
	const { error } = await run('usage', { operation, ...form });
	expect(error?.message).toBeDefined();
	expect(error?.description).not.toMatch(/wait a moment/i);
});

it('an extraction that responds at once counts what it says it has billed', async () => {
	await start({ extractAtOnce: true });
	const { items } = await run('extract', {
		operation: 'startAndWait',
		urls: 'https://a.example',
		prompt: 'Prices',
	});
	expect(items).toMatchObject([{ status: 'completed', runCreditsUsed: 5 }]);
});

it('a wait that a 429 names in its body is kept', async () => {
	await start({ rateLimit: { requests: 1, perMs: 1_000, retryAfter: 'body' } });
	const form = { operation: 'scrape', url: 'https://a.example' };
	await run('scrape', form);
	const { error } = await run('scrape', form);
	expect(error).toBeUndefined();
	const [, rejected, again] = service.requests;
	expect(rejected.status).toBe(429);
	expect(again.at - rejected.at).toBeGreaterThanOrEqual(900);
});

it.each([
	['no-browser', /actions/i],
	['retry-limit', /tried|retr/i],
	['x-twitter', /set up/i],
	['job-cancelled', /cancel/i],
	['index-only', /log ?in|sign ?(in|up)|index/i],
])('a page on %s fails with advice of its own', async (label, advice) => {
	await start();
	const { error } = await run('scrape', { operation: 'scrape', url: `https://${label}.example` });
	expect(`${error?.message} ${error?.description}`.replace(/“.*”/g, '')).toMatch(advice);
	expect(error?.description).not.toContain('try Proxy: Enhanced');
});

it('the options that a prompt was made into are in the output', async () => {
	await start();
	const pages = { prompt: 'Only the docs' };
	const { items } = await run('crawl', { operation: 'start', url: 'https://a.example', pages });
	expect(items[0] as IDataObject).toMatchObject({ finalCrawlerOptions: { maxDiscoveryDepth: 2 } });
});

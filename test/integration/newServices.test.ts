import type { INodeParameters } from 'n8n-workflow';

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
		[
			'paths to leave out',
			{ options: { excludePaths: '/page-.*\n/shop/.*' } },
			/example\/$|\/(blog|docs)\//,
			9,
		],
	])('may be %s', async (_what, options, expected, count) => {
		const { items, error } = await crawled(options);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(count);
		for (const { url } of items) expect(url).toMatch(expected);
	});
});

it('an extraction that responds at once counts what it says it has billed', async () => {
	await start();
	const result = { extractId: 'e-1', data: { price: 4 }, creditsBilled: 5 };
	service.fail({ path: '/v1/extract', status: 200, body: { success: true, ...result } });
	const { items } = await run('extract', {
		operation: 'startAndWait',
		urls: 'https://a.example',
		prompt: 'Prices',
		options: { includeRunDetails: true },
	});
	expect(items).toMatchObject([{ run: { status: 'completed', runCreditsUsed: 5 } }]);
});

/** n8n works for others while long lists are read, however many entries a service sends. */
import type { IDataObject } from 'n8n-workflow';

import { CrawlWatch } from '../../nodes/WebDataCrawlTrigger/crawlWatch';
import { comparedText } from '../../nodes/WebDataPageTrigger/content';
import { identified } from '../../nodes/WebDataSearchTrigger/poll';
import { listActivity } from '../../nodes/WebDataUsage/operations/listActivity';
import { CollectedPages, collectPages } from '../../nodes/shared/jobs/collectedPages';
import { PageFiles } from '../../nodes/shared/jobs/pageFiles';
import { FileRoom } from '../../nodes/shared/run/downloads/fileRoom';
import { longestTurn, slowness } from '../support/cpuTime';
import { ScriptedTask } from '../support/task';

/** Longest turn (CPU time in ms) on a quiet machine, besides JSON.parse. */
const LONGEST_MS = 300;

const numbered = (count: number, more: IDataObject = {}): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ ...more, id: n, url: `https://a.example/${n}` }));

const pages = numbered(150_000, { markdown: 'a', metadata: { sourceURL: 'https://a.example/' } });

it.each<[string, () => Promise<unknown>]>([
	['90,000 results of a search', async () => await identified(numbered(90_000), true)],
	[
		'150,000 pages of a job',
		async () => {
			const task = new ScriptedTask([]);
			const call = { method: 'GET' as const, path: '/v2/crawl/a' };
			const collected = new CollectedPages({ bytes: 0 });
			const first = { status: 200, body: { status: 'completed', data: pages } };
			const settings = { collected, take: () => {}, remedy: '' };
			await collectPages(task, call, first, settings);
			expect(collected.count).toBe(150_000);
		},
	],
	[
		'150,000 pages for a file',
		async () => {
			const { context } = new ScriptedTask([]);
			const files = new PageFiles(context.helpers, new FileRoom(), 'crawl', 'a', {});
			await files.add([...pages, ...pages]);
			expect(files.items).not.toEqual([]);
		},
	],
	[
		'95,000 jobs',
		async () => {
			const call = { method: 'GET' as const, path: '/v2/team/activity' };
			const task = new ScriptedTask([{ data: numbered(95_000) }], { call });
			const { items } = await listActivity.execute!(task, undefined);
			expect(items).toHaveLength(95_000);
		},
	],
	[
		'5,000 lines of a page, each compared with 5,000 patterns',
		async () => {
			const text = numbered(5_000)
				.map(({ url }) => `A line about ${String(url)}`)
				.join('\n');
			const patterns = numbered(5_000).map(({ id }) => `nothing ${String(id)}*of this`);
			expect(await comparedText(text, patterns)).toBe(text);
		},
	],
	[
		'5,000 crawls, each compared with 1,000 patterns',
		async () => {
			const tracked = numbered(5_000).map(({ id, url }) => ({ id: String(id), url: String(url) }));
			const urlPatterns = numbered(1_000).map(({ id }) => `b.example/${String(id)}*`);
			const before = { version: 3, scope: '', tracked, done: [], begunAt: 1 };
			const watch = new CrawlWatch(before, { scope: '', events: [], urlPatterns }, 1);
			expect(watch.candidates).toEqual([]);
		},
	],
])('%s', async (_name, work) => {
	const { ms } = await longestTurn(work);
	expect(ms > LONGEST_MS ? ms / slowness() : ms).toBeLessThan(LONGEST_MS);
});

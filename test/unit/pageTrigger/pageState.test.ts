/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { ServiceError } from '../../../nodes/shared/client/errors/serviceError';
import { type PagesTask, type ReadPage, pollPages } from '../../../nodes/WebDataPageTrigger/poll';
import {
	MAX_KEPT_TEXT,
	type PageReading,
	type PageReport,
	type PageSettings,
	type PagesState,
	commitReadings,
} from '../../../nodes/WebDataPageTrigger/pageState';

const A = 'https://example.com/a';
const B = 'https://example.com/b';
const settings: PageSettings = {
	scope: 'pages',
	urls: [A, B],
	leastChange: 1,
	reportChanges: true,
	reportFailures: true,
	failuresNeeded: 2,
	maxKeptText: 1_000,
};

const read = (text: string): PageReading => ({
	kind: 'read',
	text,
	hash: `#${text}`,
});
/** Returns an error as the client declares it; other failures may pass by themselves. */
const httpError = (httpCode?: string) => {
	const cause = { '401': 'credential-invalid', '402': 'quota-exhausted', '429': 'rate-limited' }[
		httpCode ?? ''
	];
	const failure = cause ? { cause: cause as 'rate-limited' } : undefined;
	return new ServiceError(`HTTP ${httpCode}`, { description: '', failure });
};
const failed: PageReading = { kind: 'failed', reason: 'HTTP 403' };

/** Returns the reports of consecutive polls, and the state they leave. */
async function polls(steps: Array<Record<string, PageReading>>, more: Partial<PageSettings> = {}) {
	let state: PagesState | undefined;
	const reports: PageReport[][] = [];
	for (const readings of steps) {
		const all = new Map(Object.entries(readings));
		const result = await commitReadings(state, all, { ...settings, ...more });
		state = JSON.parse(JSON.stringify(result.state));
		reports.push(result.reports);
	}
	return { state: state!, reports };
}

describe('commitReadings', () => {
	it('takes the first version for granted and reports each change from the last one reported', async () => {
		const steps = ['one', 'one', 'two', 'two', 'one'].map((text) => ({ [A]: read(text) }));
		const { reports } = await polls(steps);
		const change = (from: string, to: string) => ({
			event: 'changed',
			url: A,
			previousHash: `#${from}`,
			hash: `#${to}`,
			hunks: [{ oldStart: 0, newStart: 0, removed: [from], added: [to] }],
		});
		expect(reports).toEqual([[], [], [change('one', 'two')], [], [change('two', 'one')]]);
	});

	it('lets n8n serve others between two comparisons', async () => {
		const lines = (first: number) =>
			Array.from({ length: 1_400 }, (_, n) => String((n * first) % 10)).join('\n');
		const urls = Array.from({ length: 20 }, (_, n) => `https://example.com/${n}`);
		const pages = (first: number) =>
			Object.fromEntries(urls.map((url) => [url, read(lines(first))]));
		let turns = 0;
		const timer = setInterval(() => turns++, 1);
		const { reports } = await polls([pages(3), pages(7)], { urls, maxKeptText: 10_000 });
		clearInterval(timer);
		expect(reports[1]).toHaveLength(20);
		expect(turns).toBeGreaterThan(5);
	});

	it('lets small changes add up to one that is large enough', async () => {
		const texts = ['price', 'price 1', 'price 12', 'price 123', 'price 124'];
		const { reports } = await polls(
			texts.map((text) => ({ [A]: read(text) })),
			{ leastChange: 4 },
		);
		expect(reports.map(({ length }) => length)).toEqual([0, 0, 0, 1, 0]);
		expect(reports[3][0]).toMatchObject({ previousHash: '#price', hash: '#price 123' });
	});

	it('reports a change to and from nothing', async () => {
		const { reports } = await polls(['text', '', 'text'].map((text) => ({ [A]: read(text) })));
		expect(reports.flat()).toMatchObject([
			{ hunks: [{ removed: ['text'], added: [] }] },
			{ hunks: [{ removed: [], added: ['text'] }] },
		]);
	});

	it('knows of a long page only that it has changed', async () => {
		const long = 'x'.repeat(1_001);
		const { reports, state } = await polls([{ [A]: read(long) }, { [A]: read('short') }]);
		expect(reports[1]).toEqual([
			{ event: 'changed', url: A, hash: '#short', previousHash: `#${long}` },
		]);
		expect(state.pages[A].text).toBe('short');
	});

	it('keeps the text of a page that may be kept by now', async () => {
		const long = 'x'.repeat(1_001);
		const { state } = await polls([{ [A]: read(long) }]);
		const result = await commitReadings(state, new Map([[A, read(long)]]), {
			...settings,
			maxKeptText: 2_000,
		});
		expect(result).toMatchObject({ reports: [], state: { pages: { [A]: { text: long } } } });
	});

	it('keeps no more text than there is room for over all pages', async () => {
		const urls = Array.from({ length: 5 }, (_, index) => `${A}${index}`);
		const long = 'x'.repeat(MAX_KEPT_TEXT / 2 - 10);
		const readings = Object.fromEntries(urls.map((url) => [url, read(long)]));
		const { state } = await polls([readings], { urls, maxKeptText: MAX_KEPT_TEXT });
		const kept = urls.filter((url) => state.pages[url].text !== undefined);
		expect(kept).toEqual(urls.slice(0, 2));
	});

	it('reports a page that can not be read after so many polls, once until it can be read again', async () => {
		const steps = [read('one'), failed, failed, failed, read('one'), failed, failed];
		const { reports } = await polls(steps.map((reading) => ({ [A]: reading })));
		const report = { event: 'failed', url: A, reason: 'HTTP 403', hash: '#one' };
		expect(reports).toEqual([[], [], [report], [], [], [], [report]]);
	});

	it('reports failures to those who want to know only', async () => {
		const steps = [failed, failed, failed].map((reading) => ({ [A]: reading }));
		expect((await polls(steps, { reportFailures: false })).reports.flat()).toEqual([]);
	});

	it('compares what comes back after a failure with the version before it', async () => {
		const steps = [read('one'), failed, failed, read('two')].map((reading) => ({ [A]: reading }));
		expect((await polls(steps)).reports[3]).toMatchObject([{ previousHash: '#one', hash: '#two' }]);
	});

	it('leaves pages alone that were not read, and forgets those that are watched no more', async () => {
		const both = { [A]: read('a'), [B]: read('b') };
		const { state, reports } = await polls([both, { [A]: read('a') }, { [B]: read('c') }]);
		expect(reports[2]).toMatchObject([{ url: B, previousHash: '#b' }]);
		const result = await commitReadings(state, new Map(), { ...settings, urls: [B] });
		expect(Object.keys(result.state.pages)).toEqual([B]);
	});
});

describe('pollPages', () => {
	function setup(more: Partial<PagesTask<string>> = {}) {
		const data: { state?: unknown } = {};
		const log = { info: jest.fn(), warn: jest.fn() };
		const page = (text: string): ReadPage<string> => ({
			...(read(text) as Extract<PageReading, { kind: 'read' }>),
			content: text,
		});
		const shown: Record<string, ReadPage<string> | Error> = { [A]: page('a'), [B]: page('b') };
		const task: PagesTask<string> = {
			settings,
			store: { read: () => data.state, write: (state) => (data.state = state) },
			log,
			now: () => 0,
			// Time passes only in a pause before a page is tried again.
			wait: async (ms) => await new Promise((resolve) => ms === 5_000 && resolve()),
			budgetMs: 40_000,
			leastMs: 2_000,
			random: () => 0,
			nothingRead: (reason) => new Error(`nothing: ${reason}`),
			read: async (url) => {
				const page = shown[url];
				if (page instanceof Error) throw page;
				return page;
			},
			...more,
		};
		return { data, log, shown, page, task };
	}

	it('emits what it has before the service could not be asked any more', async () => {
		const { task, shown, page, data, log } = setup();
		await pollPages(task);
		shown[A] = page('c');
		shown[B] = httpError('402');
		expect(await pollPages(task)).toMatchObject([{ report: { url: A } }]);
		expect(data.state).toMatchObject({ pages: { [B]: { hash: '#b' } } });
		expect(log.warn.mock.calls).toEqual([[expect.stringMatching(/ended early.*HTTP 402/)]]);
	});

	it.each<[string, ReadPage<string> | Error, number]>([
		['that can not be read for good', failed, 1],
		['that fails each time', { ...failed, mayPass: true }, 3],
		['while there are no credits', httpError('402'), 1],
	])('reads a page %s no more often than may help', async (_what, shownAs, times) => {
		const { task, shown, log } = setup();
		shown[B] = shownAs;
		const read = jest.spyOn(task, 'read');
		await pollPages(task).catch(() => undefined);
		expect(read.mock.calls.filter(([url]) => url === B)).toHaveLength(times);
		expect(read.mock.calls.filter(([url]) => url === A)).toHaveLength(1);
		expect(log.warn).toHaveBeenCalledWith(expect.stringContaining(`in their first poll: ${B}`));
		read.mockClear();
		await pollPages(task).catch(() => undefined);
		expect(read.mock.calls.filter(([url]) => url === B)).toHaveLength(1);
	});

	it.each(['429', '504', undefined])('fails with a %s before any page was read', async (code) => {
		const { task, shown, data } = setup();
		shown[A] = shown[B] = httpError(code);
		await expect(pollPages(task)).rejects.toThrow(`HTTP ${code}`);
		shown[A] = { kind: 'failed', reason: 'HTTP 403' };
		await expect(pollPages(task)).rejects.toThrow(`HTTP ${code}`);
		expect(data.state).toBeUndefined();
	});

	it('keeps a page that was being scraped, and so is paid for, when the rate limit was reached', async () => {
		const { task, page, data } = setup({
			// Time passes immediately, except for a whole poll.
			wait: async (ms) => await new Promise((resolve) => ms < 40_000 && resolve()),
		});
		task.read = async (url) => {
			if (url === B) throw httpError('429');
			await new Promise((resolve) => setTimeout(resolve, 20));
			return page('a');
		};
		expect(await pollPages(task)).toEqual([]);
		expect(data.state).toMatchObject({ pages: { [A]: { hash: '#a' } } });
	});

	it('fails when later polls would fare no better, but keeps what was paid for', async () => {
		const { task, shown, page } = setup();
		shown[B] = httpError('402');
		await expect(pollPages(task)).rejects.toThrow('HTTP 402');
		shown[A] = page('c');
		shown[B] = page('b');
		expect(await pollPages(task)).toMatchObject([{ report: { url: A } }]);
	});

	it('counts the pages that failed in a poll that a rate limit has ended', async () => {
		const urls = [A, B, `${A}2`];
		const { task, shown, page } = setup({ settings: { ...settings, urls } });
		shown[`${A}2`] = page('x');
		await pollPages(task);
		shown[B] = { kind: 'failed', reason: 'HTTP 403' };
		shown[`${A}2`] = httpError('429');
		expect(await pollPages(task)).toEqual([]);
		expect(await pollPages(task)).toMatchObject([{ report: { event: 'failed', url: B } }]);
	});

	it('does not blame the pages that were late when a rate limit has ended the poll', async () => {
		const urls = [A, B, `${A}2`];
		const { task, shown, page } = setup({
			settings: { ...settings, urls, failuresNeeded: 1 },
			wait: async (ms) => await new Promise((resolve) => ms === 40_000 && setTimeout(resolve, 20)),
		});
		shown[`${A}2`] = page('x');
		await pollPages(task);
		const readPage = task.read;
		shown[B] = httpError('429');
		task.read = async (url, isFirst) =>
			url === A ? await new Promise(() => undefined) : await readPage(url, isFirst);
		expect(await pollPages(task)).toEqual([]);
	});

	it('begins no page for which the time would be too short', async () => {
		let time = 0;
		const asked: number[] = [];
		const { task } = setup({
			settings: { ...settings, urls: Array.from({ length: 40 }, (_, index) => `${A}${index}`) },
			now: () => time,
			leastMs: 25_000,
			read: async (url) => {
				asked.push(time);
				await new Promise((resolve) => setImmediate(resolve));
				time += 1_000;
				return { kind: 'read', text: url, hash: url, content: url };
			},
		});
		await pollPages(task);
		expect(Math.max(...asked)).toBe(14_000);
	});

	it('fails when no page can be read and no event tells of it', async () => {
		const silent = { ...settings, reportFailures: false };
		const { task, shown, page } = setup({ settings: silent });
		await pollPages(task);
		shown[A] = { kind: 'failed', reason: 'HTTP 403' };
		expect(await pollPages(task)).toEqual([]);
		shown[B] = { kind: 'failed', reason: 'HTTP 500' };
		await expect(pollPages(task)).rejects.toThrow('nothing: HTTP 403');
		shown[B] = page('b');
		expect(await pollPages(task)).toEqual([]);
	});

	it('ends in time when a page hangs, counts it as failed and reads it again later', async () => {
		const { task, shown, page } = setup();
		await pollPages(task);
		shown[B] = page('c');
		const readPage = task.read;
		task.read = async (url, isFirst) => {
			return url === A ? await new Promise(() => undefined) : await readPage(url, isFirst);
		};
		task.wait = async (ms) => {
			expect(ms).toBe(40_000);
			await new Promise((resolve) => setTimeout(resolve, 20));
		};
		expect(await pollPages(task)).toMatchObject([{ report: { url: B } }]);
		const late = await pollPages(task);
		expect(late).toMatchObject([{ report: { event: 'failed', url: A } }]);
		task.read = readPage;
		shown[A] = page('d');
		expect(await pollPages(task)).toMatchObject([{ report: { event: 'changed', url: A } }]);
	});

	it('begins no page in the last quarter of its time, and with another one each time', async () => {
		const urls = Array.from({ length: 40 }, (_, index) => `${A}${index}`);
		let time = 0;
		const asked: string[] = [];
		const { task } = setup({
			settings: { ...settings, urls },
			now: () => time,
			random: () => 0.5,
			read: async (url) => {
				asked.push(url);
				await new Promise((resolve) => setImmediate(resolve));
				time += 1_000;
				return { kind: 'read', text: url, hash: url, content: url };
			},
		});
		await pollPages(task);
		expect(asked[0]).toBe(`${A}20`);
		expect(asked.length).toBeGreaterThanOrEqual(30);
		expect(asked.length).toBeLessThan(40);
	});

	it('reads at most 10 pages at the same time', async () => {
		const urls = Array.from({ length: 30 }, (_, index) => `${A}${index}`);
		let [open, most] = [0, 0];
		const { task } = setup({
			settings: { ...settings, urls },
			read: async (url) => {
				most = Math.max(most, ++open);
				await new Promise((resolve) => setImmediate(resolve));
				open--;
				return { kind: 'read', text: url, hash: url, content: url };
			},
		});
		await pollPages(task);
		expect(most).toBe(10);
	});
});

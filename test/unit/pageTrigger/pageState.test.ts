/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { ServiceError } from '../../../nodes/shared/client/errors/serviceError';
import { type PagesTask, pollPages } from '../../../nodes/WebDataPageTrigger/poll';
import {
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
};

const read = (text: string): PageReading => ({
	kind: 'read',
	text,
	hash: `#${text}`,
	content: { content: text },
});
/** Returns an error as the client declares it; other failures may pass by themselves. */
const httpError = (httpCode?: string) => {
	const cause = { '401': 'credential-invalid', '402': 'quota-exhausted', '429': 'rate-limited' }[
		httpCode ?? ''
	];
	const failure = cause ? { cause: cause as 'rate-limited' } : undefined;
	return new ServiceError(`HTTP ${httpCode}`, { description: '', failure });
};

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
	it('lets n8n serve others between two comparisons', async () => {
		const lines = (first: number) =>
			Array.from({ length: 1_400 }, (_, n) => String((n * first) % 10)).join('\n');
		const urls = Array.from({ length: 20 }, (_, n) => `https://example.com/${n}`);
		const pages = (first: number) =>
			Object.fromEntries(urls.map((url) => [url, read(lines(first))]));
		let turns = 0;
		const timer = setInterval(() => turns++, 1);
		const { reports } = await polls([pages(3), pages(7)], { urls });
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
});

describe('pollPages', () => {
	function setup(more: Partial<PagesTask> = {}) {
		const data: { state?: unknown } = {};
		const shown: Record<string, PageReading | Error> = { [A]: read('a'), [B]: read('b') };
		const task: PagesTask = {
			settings,
			store: { read: () => data.state, write: (state) => (data.state = state) },
			log: { info: () => {}, warn: () => {} },
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
		return { shown, task };
	}

	it('fails when later polls would fare no better, but keeps what was paid for', async () => {
		const { task, shown } = setup();
		shown[B] = httpError('402');
		await expect(pollPages(task)).rejects.toThrow('HTTP 402');
		shown[A] = read('c');
		shown[B] = read('b');
		expect(await pollPages(task)).toMatchObject([{ url: A, content: { content: 'c' } }]);
	});

	it('fails when no page can be read and no event tells of it', async () => {
		const silent = { ...settings, reportFailures: false };
		const { task, shown } = setup({ settings: silent });
		await pollPages(task);
		shown[A] = { kind: 'failed', reason: 'HTTP 403' };
		expect(await pollPages(task)).toEqual([]);
		shown[B] = { kind: 'failed', reason: 'HTTP 500' };
		await expect(pollPages(task)).rejects.toThrow('nothing: HTTP 403');
		shown[B] = read('b');
		expect(await pollPages(task)).toEqual([]);
	});
});

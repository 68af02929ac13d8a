import { ServiceError } from '../../../nodes/shared/errors/serviceError';
import type { IDataObject } from 'n8n-workflow';

import type { SeenCrawl } from '../../../nodes/WebDataCrawlTrigger/crawlState';
import { reportToItems } from '../../../nodes/WebDataCrawlTrigger/items';
import {
	type CrawlService,
	type PollTask,
	pollOnce,
} from '../../../nodes/WebDataCrawlTrigger/poll';
import { preview } from '../../../nodes/WebDataCrawlTrigger/preview';

const NOW = Date.UTC(2026, 5, 1);

/** A service in memory: statuses by id; an Error is thrown. */
class FakeService implements CrawlService {
	active: SeenCrawl[] = [];
	recent: SeenCrawl[] | 'missing' | undefined = 'missing';
	statuses: Record<string, IDataObject | Error> = {};
	pageLists: Record<string, number | Error> = {};
	calls: string[] = [];
	inFlight = 0;
	maxInFlight = 0;

	async listActive() {
		this.calls.push('active');
		return this.active;
	}

	async activity(
		..._asked: Parameters<CrawlService['activity']>
	): ReturnType<CrawlService['activity']> {
		this.calls.push('activity');
		return Array.isArray(this.recent) ? { crawls: this.recent, isComplete: true } : this.recent;
	}

	async status(id: string) {
		this.calls.push(id);
		this.maxInFlight = Math.max(this.maxInFlight, ++this.inFlight);
		await new Promise((resolve) => setImmediate(resolve));
		this.inFlight--;
		const status = this.statuses[id];
		if (status instanceof Error) throw status;
		return status;
	}

	async pages(id: string) {
		const pages = this.pageLists[id] ?? 1;
		if (pages instanceof Error) throw pages;
		return Array.from({ length: pages }, (_, index) => ({ json: { markdown: `${id} ${index}` } }));
	}
}

function setup(more: Partial<PollTask> = {}) {
	const service = new FakeService();
	const data: { state?: unknown } = {};
	const log = { info: jest.fn(), warn: jest.fn() };
	const write = jest.fn((state: unknown) => (data.state = state));
	const task: PollTask = {
		service,
		settings: { scope: 'any:1', urlPatterns: [], events: ['completed', 'failed'] },
		withPages: false,
		budgetMs: 40_000,
		store: { read: () => data.state, write },
		now: () => NOW,
		wait: async () => await new Promise(() => undefined),
		log,
		...more,
	};
	return { service, data, log, write, task };
}

const httpError = (httpCode?: string) =>
	new ServiceError(`HTTP ${httpCode}`, {
		description: '',
		outcome:
			httpCode === undefined
				? { kind: 'noResponse', code: '', reason: '' }
				: { kind: 'rejected', status: Number(httpCode), excerpt: '' },
	});
const ended = (more: IDataObject = {}) => ({ success: true, status: 'completed', ...more });

/** Sets the baseline with these crawls running, then lets them leave the list. */
async function begunWith(ids: string[], more: Partial<PollTask> = {}) {
	const all = setup(more);
	all.service.active = ids.map((id) => ({ id, url: `https://example.com/${id}` }));
	expect(await pollOnce(all.task)).toEqual([]);
	all.service.active = [];
	all.service.calls = [];
	all.write.mockClear();
	return all;
}

describe('pollOnce', () => {
	it('asks for one list and for each crawl that left it', async () => {
		const { service, task } = await begunWith(['a', 'b', 'c']);
		service.active = [{ id: 'a' }, { id: 'new' }];
		service.statuses = { b: ended(), c: { status: 'scraping' } };
		const reports = await pollOnce(task);
		expect(reports.map(({ crawl }) => crawl.id)).toEqual(['b']);
		expect(service.calls).toEqual(['active', 'b', 'c']);
	});

	it('writes a state only when it differs', async () => {
		const { service, task, write } = await begunWith(['a']);
		service.active = [{ id: 'a', url: 'https://example.com/a' }];
		await pollOnce(task);
		expect(write).not.toHaveBeenCalled();
	});

	it.each(['active', 'activity'])('changes nothing when the %s list fails', async (list) => {
		const { service, task, write } = await begunWith(['a']);
		task.now = () => NOW + 3_600_000;
		service.statuses = { a: ended() };
		const method = list === 'active' ? 'listActive' : 'activity';
		jest.spyOn(service, method).mockRejectedValueOnce(httpError('429'));
		await expect(pollOnce(task)).rejects.toThrow('HTTP 429');
		expect(write).not.toHaveBeenCalled();
		expect(await pollOnce(task)).toHaveLength(1);
	});

	it.each(['401', '402', '429'])('fails, with nothing in hand, on a %s', async (code) => {
		const { service, task, write } = await begunWith(['a', 'b']);
		service.statuses = { a: httpError(code), b: { status: 'scraping' } };
		await expect(pollOnce(task)).rejects.toThrow(`HTTP ${code}`);
		expect(write).not.toHaveBeenCalled();
	});

	it('emits what is in hand when a rate limit ends the poll, and the rest later', async () => {
		const { service, task, data, log } = await begunWith(['a', 'b']);
		service.statuses = { a: ended(), b: httpError('429') };
		expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['a']);
		expect(log.warn.mock.calls).toEqual([[expect.stringMatching(/ended early.*HTTP 429/)]]);
		expect(data.state).toMatchObject({ tracked: { b: expect.not.objectContaining({ tries: 1 }) } });
		service.statuses.b = ended();
		expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['b']);
	});

	it('begins no further look-up once a rate limit has ended the poll', async () => {
		const ids = Array.from({ length: 30 }, (_, index) => `crawl-${index}`);
		const { service, task } = await begunWith(ids);
		for (const id of ids) service.statuses[id] = { status: 'scraping' };
		service.statuses[ids[0]] = httpError('429');
		await expect(pollOnce(task)).rejects.toThrow('HTTP 429');
		expect(service.calls).toEqual(['active', ...ids.slice(0, 8)]);
	});

	it('reads the activity no further back than is news', async () => {
		const { service, task } = setup();
		const activity = jest.spyOn(service, 'activity');
		service.recent = [{ id: 'a', createdAt: NOW }];
		await pollOnce(task);
		const [[isEnough]] = activity.mock.calls as unknown as Array<
			Parameters<CrawlService['activity']>
		>;
		const pageOf = (createdAt: number) => [{ id: 'b', createdAt }];
		expect(isEnough([{ id: 'a', createdAt: NOW }], pageOf(NOW))).toBe(false);
		expect(isEnough([{ id: 'a', createdAt: NOW }], pageOf(0))).toBe(true);
	});

	describe('a crawl that the first activity list shows', () => {
		const late = { id: 'late', url: 'https://example.com/late', createdAt: NOW - 1_000 };

		async function firstPoll(status: IDataObject, more: Partial<PollTask> = {}) {
			const all = setup(more);
			all.service.recent = [late];
			all.service.statuses = { late: status };
			expect(await pollOnce(all.task)).toEqual([]);
			all.service.calls = [];
			return all;
		}

		it('is reported when it still runs and ends later', async () => {
			const { service, task } = await firstPoll({ status: 'scraping' });
			service.statuses = { late: ended() };
			expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['late']);
		});

		it('is neither reported nor asked for again when it was over before', async () => {
			const { service, task } = await firstPoll(ended());
			expect(await pollOnce(task)).toEqual([]);
			expect(service.calls).toEqual(['activity', 'active']);
		});
	});

	it('does not let one bad crawl hold up the others', async () => {
		const { service, task, log, data } = await begunWith(['bad', 'good'], { withPages: true });
		service.statuses = { bad: ended(), good: ended() };
		service.pageLists = { bad: httpError('500') };
		const reports = await pollOnce(task);
		expect(reports.map(({ crawl }) => crawl.id)).toEqual(['good']);
		expect(log.warn.mock.calls).toEqual([['Crawl bad: HTTP 500']]);
		expect(data.state).toMatchObject({ tracked: { bad: { tries: 1, failingSince: NOW } } });
	});

	it('reports a crawl whose pages stay out of reach, with its status and the reason', async () => {
		const { service, task } = await begunWith(['bad'], { withPages: true });
		service.statuses = { bad: ended({ total: 7, data: [{}] }) };
		service.pageLists = { bad: httpError('500') };
		let time = NOW;
		task.now = () => time;
		for (let turn = 0; turn < 10; turn++, time += 60_000) expect(await pollOnce(task)).toEqual([]);
		const [report] = await pollOnce(task);
		expect(reportToItems(report, true)).toEqual([
			{
				json: {
					crawl: {
						id: 'bad',
						url: 'https://example.com/bad',
						status: 'completed',
						total: 7,
						event: 'unreachable',
						fetchError: 'HTTP 500',
					},
				},
			},
		]);
		expect(await pollOnce(task)).toEqual([]);
	});

	/** Polls a minute apart, and what they emit. */
	async function minutes(task: PollTask, count: number) {
		const emitted: string[][] = [];
		let time = task.now();
		task.now = () => time;
		for (let turn = 0; turn < count; turn++, time += 60_000) {
			emitted.push((await pollOnce(task)).map(({ crawl }) => crawl.id));
		}
		return emitted;
	}

	it('drops a crawl that stays gone or past its date, with a log line', async () => {
		const { service, task, log } = await begunWith(['gone', 'expired', 'alive']);
		service.statuses = {
			expired: { status: 'scraping', expiresAt: new Date(NOW - 1).toISOString() },
			alive: { status: 'scraping', expiresAt: new Date(NOW + 3_600_000).toISOString() },
		};
		expect((await minutes(task, 10)).flat()).toEqual([]);
		expect(log.info).not.toHaveBeenCalled();
		await minutes(task, 1);
		expect(log.info.mock.calls.flat()).toEqual([
			'Crawl gone is dropped: the service does not know it (any more)',
			'Crawl expired is dropped: it has expired',
		]);
		service.calls = [];
		await pollOnce(task);
		expect(service.calls).toEqual(['active', 'alive']);
	});

	it('reports a crawl that was gone, or expired for a clock that was ahead, for a while', async () => {
		const { service, task } = await begunWith(['gone', 'expired']);
		const expiresAt = new Date(NOW + 3_600_000).toISOString();
		service.statuses = { expired: { status: 'scraping', expiresAt } };
		task.now = () => NOW + 86_400_000;
		expect(await pollOnce(task)).toEqual([]);
		task.now = () => NOW + 60_000;
		service.statuses = { gone: ended(), expired: ended() };
		expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['gone', 'expired']);
	});

	it.each(['403', '500', undefined])(
		'does not let a %s of one crawl hold up others',
		async (code) => {
			const { service, task } = await begunWith(['foreign', 'good'], { maxReports: 1 });
			service.statuses = { foreign: httpError(code), good: ended() };
			expect((await minutes(task, 11)).flat()).toEqual(['good', 'foreign']);
		},
	);

	it('takes a state nobody has heard of for an end when it stays', async () => {
		const { service, task, data } = await begunWith(['odd', 'moved']);
		task.settings = { ...task.settings, events: ['other'] };
		service.statuses = { odd: { status: 'archived' }, moved: { status: 'thinking' } };
		expect((await minutes(task, 5)).flat()).toEqual([]);
		service.statuses.moved = { status: 'scraping' };
		const [report] = (await minutes(task, 6)).flat();
		expect(report).toBe('odd');
		expect(data.state).toMatchObject({ tracked: { moved: expect.anything() } });
	});

	it('says once that what it remembered is unreadable, and starts over', async () => {
		const { task, data, log } = setup();
		data.state = { version: 1, scope: 'any:1', tracked: [], settled: 'none' };
		expect(await pollOnce(task)).toEqual([]);
		expect(await pollOnce(task)).toEqual([]);
		expect(log.warn.mock.calls).toEqual([[expect.stringContaining('unreadable')]]);
	});

	it('finds out anew about a crawl whose memory is spoilt', async () => {
		const { service, task, data } = await begunWith(['a', 'b', 'c']);
		const spoilt = { a: { createdAt: 'Monday' }, b: null, c: { tries: {}, url: 5 } };
		data.state = { ...(data.state as IDataObject), tracked: spoilt, settled: [['x'], null, 'y'] };
		service.statuses = { a: ended(), b: ended(), c: ended() };
		expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['a', 'b', 'c']);
	});

	it.each([
		[10_000, 'a moment', 0],
		[15_000, 'a moment', 0],
		[10_000, 'eleven hours', 4_000],
	])('emits all of %i crawls of %s that have ended between two polls', async (count, _, apart) => {
		const { service, task, data } = setup();
		service.recent = [];
		await pollOnce(task);
		task.now = () => NOW + count * apart;
		const all = Array.from({ length: count }, (_crawl, index) => ({
			id: `crawl-${index}`,
			createdAt: NOW + index * apart,
		}));
		let pagesRead = 0;
		service.activity = async (...[isEnough]: Parameters<CrawlService['activity']>) => {
			const newestFirst = [...all].reverse();
			const read: SeenCrawl[] = [];
			for (let from = 0; from < newestFirst.length; from += 100) {
				const page = newestFirst.slice(from, from + 100);
				read.push(...page);
				pagesRead++;
				if (isEnough(read, page)) break;
			}
			return { crawls: read, isComplete: true };
		};
		for (const { id } of all) service.statuses[id] = ended();
		const emitted = (await minutes(task, 5)).flat();
		expect(emitted).toHaveLength(count);
		expect(new Set(emitted).size).toBe(count);
		// Once all are known, the list is read no further than to its first page.
		pagesRead = 0;
		const later = await minutes(task, 80);
		expect(later.flat()).toEqual([]);
		expect(pagesRead).toBeLessThanOrEqual(80 + count / 100);
		expect((data.state as { settled: unknown[] }).settled.length).toBeLessThanOrEqual(5_000);
	});

	it('does not move on over activity that there was no time to read', async () => {
		const { service, task } = setup();
		service.recent = [{ id: 'before', createdAt: NOW - 1 }];
		service.statuses = { before: ended(), new: ended(), old: ended() };
		await pollOnce(task);
		const hour = 3_600_000;
		const [newest, old] = [
			{ id: 'new', createdAt: NOW + 2 * hour },
			{ id: 'old', createdAt: NOW + hour },
		];
		service.activity = async () => ({ crawls: [newest], isComplete: false });
		expect((await pollOnce({ ...task, now: () => NOW + 2 * hour }))[0].crawl.id).toBe('new');
		service.activity = async (...[isEnough]: Parameters<CrawlService['activity']>) => {
			expect(isEnough([newest], [newest])).toBe(false);
			return { crawls: [newest, old], isComplete: true };
		};
		expect((await pollOnce({ ...task, now: () => NOW + 2 * hour }))[0].crawl.id).toBe('old');
	});

	it('reports a response past its date that still says how it ended', async () => {
		const { service, task } = await begunWith(['a']);
		service.statuses = { a: ended({ expiresAt: new Date(NOW - 1).toISOString() }) };
		expect(await pollOnce(task)).toHaveLength(1);
	});

	it('takes a response without a status for a failure', async () => {
		const { service, task, log } = await begunWith(['a']);
		service.statuses = { a: { success: true } };
		expect(await pollOnce(task)).toEqual([]);
		expect(log.warn).toHaveBeenCalledWith('Crawl a: The response of the service has no status');
	});

	it('keeps no pages of a response where only the status is wanted', async () => {
		const { service, task } = await begunWith(['a']);
		service.statuses = { a: ended({ data: [{ markdown: 'x' }], next: 'https://x', total: 1 }) };
		expect((await pollOnce(task))[0].outcome).toEqual({
			kind: 'ended',
			event: 'completed',
			response: { status: 'completed', total: 1 },
		});
	});

	it('fetches no pages of a crawl whose end is not wanted', async () => {
		const { service, task } = await begunWith(['a'], { withPages: true });
		service.statuses = { a: { status: 'cancelled' } };
		const pages = jest.spyOn(service, 'pages');
		expect(await pollOnce(task)).toEqual([]);
		expect(pages).not.toHaveBeenCalled();
	});

	it('does not let a crawl that never responds hold up the others', async () => {
		const { service, task, data } = await begunWith(['hangs', 'good']);
		service.statuses = { good: ended() };
		const status = service.status.bind(service);
		service.status = async (id) =>
			id === 'hangs' ? await new Promise(() => undefined) : await status(id);
		let late = () => {};
		task.wait = async (ms) => {
			expect(ms).toBe(40_000);
			await new Promise<void>((resolve) => (late = resolve));
		};
		const polled = pollOnce(task);
		await new Promise((resolve) => setTimeout(resolve, 20));
		late();
		expect((await polled).map(({ crawl }) => crawl.id)).toEqual(['good']);
		expect(data.state).toMatchObject({ tracked: { hangs: { tries: 1 } } });
	});

	it('does not blame a crawl that was late when a rate limit has ended the poll', async () => {
		const { service, task, data } = await begunWith(['good', 'limited', 'hangs']);
		service.statuses = { good: ended(), limited: httpError('429') };
		const status = service.status.bind(service);
		service.status = async (id) =>
			id === 'hangs' ? await new Promise(() => undefined) : await status(id);
		task.wait = async (ms) => await new Promise((resolve) => ms === 5_000 && resolve());
		expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['good']);
		expect(data.state).toMatchObject({
			tracked: { hangs: expect.not.objectContaining({ tries: 1 }) },
		});
	});

	it('reports a crawl that never responds in the end, with the reason', async () => {
		const { service, task } = await begunWith(['hangs']);
		service.status = async () => await new Promise(() => undefined);
		task.wait = async () => {};
		let time = NOW;
		task.now = () => time;
		for (let turn = 0; turn < 10; turn++, time += 60_000) expect(await pollOnce(task)).toEqual([]);
		const [{ outcome }] = await pollOnce(task);
		expect(outcome).toMatchObject({
			kind: 'unreachable',
			reason: expect.stringContaining('longer than a poll may'),
		});
	});

	it('ends its waiting with its work', async () => {
		const { service, task } = await begunWith(['a']);
		service.statuses = { a: ended() };
		let signal: AbortSignal | undefined;
		task.wait = async (_ms, given) => await new Promise(() => (signal = given));
		await pollOnce(task);
		expect(signal?.aborted).toBe(true);
	});

	it('looks up some crawls at a time, and no more when time is short', async () => {
		const ids = Array.from({ length: 100 }, (_, index) => `crawl-${index}`);
		const { service, task } = await begunWith(ids);
		for (const id of ids) service.statuses[id] = ended();
		let time = NOW;
		task.now = () => (time += 500);
		const first = await pollOnce(task);
		expect(service.maxInFlight).toBe(8);
		expect(first.length).toBeGreaterThan(40);
		expect(first.length).toBeLessThan(70);
		expect(first.length + (await pollOnce(task)).length).toBe(100);
	});

	it('begins nothing beyond three quarters of its budget', async () => {
		const { service, task } = await begunWith(['a', 'b'], { budgetMs: 100, maxReports: 5 });
		service.statuses = { a: { status: 'scraping' }, b: ended() };
		const times = [NOW, NOW + 75];
		task.now = () => times.shift() ?? NOW + 75;
		await pollOnce(task);
		expect(service.calls).toEqual(['active']);
	});

	it('begins no further crawl with many pages in hand', async () => {
		const { service, task } = await begunWith(['a', 'b', 'c', 'd'], { withPages: true });
		for (const id of ['a', 'b', 'c', 'd']) {
			service.statuses[id] = ended();
			service.pageLists[id] = 2_000;
		}
		expect(await pollOnce(task)).toHaveLength(2);
		expect(await pollOnce(task)).toHaveLength(2);
	});

	it('emits one crawl per poll when told to', async () => {
		const { service, task } = await begunWith(['a', 'b'], { maxReports: 1 });
		service.statuses = { a: ended(), b: ended() };
		expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['a']);
		expect(service.calls).toEqual(['active', 'a']);
		expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['b']);
	});

	it('counts only what it reports where one crawl is emitted per poll', async () => {
		const { service, task } = await begunWith(['a', 'b', 'c'], { maxReports: 1 });
		service.statuses = { a: { status: 'cancelled' }, b: ended(), c: ended() };
		expect((await pollOnce(task)).map(({ crawl }) => crawl.id)).toEqual(['b']);
		expect(service.calls).toEqual(['active', 'a', 'b']);
	});

	it('asks nothing when all specific crawls have been reported', async () => {
		const settings = {
			scope: 'specific:1',
			urlPatterns: [],
			events: ['completed' as const],
			ids: ['a'],
		};
		const { service, task } = setup({ settings });
		service.statuses = { a: ended() };
		expect(await pollOnce(task)).toHaveLength(1);
		service.calls = [];
		expect(await pollOnce(task)).toEqual([]);
		expect(service.calls).toEqual([]);
	});

	it('asks for the activity once an hour where there is none', async () => {
		const { service, task } = setup();
		await pollOnce(task);
		await pollOnce(task);
		task.now = () => NOW + 3_600_000;
		await pollOnce(task);
		expect(service.calls).toEqual(['activity', 'active', 'active', 'activity', 'active']);
	});
});

describe('items', () => {
	it('are one per page, with the crawl in each', async () => {
		const { service, task } = await begunWith(['a'], { withPages: true });
		service.statuses = { a: ended({ total: 2 }) };
		service.pageLists = { a: 2 };
		const crawl = {
			id: 'a',
			url: 'https://example.com/a',
			status: 'completed',
			total: 2,
			event: 'completed',
		};
		expect(reportToItems((await pollOnce(task))[0], true)).toEqual([
			{ json: { markdown: 'a 0', crawl } },
			{ json: { markdown: 'a 1', crawl } },
		]);
	});

	it('are one for a crawl without pages', () => {
		const outcome = {
			kind: 'ended' as const,
			event: 'failed' as const,
			response: { status: 'failed' },
			pages: [],
		};
		expect(reportToItems({ crawl: { id: 'a', createdAt: NOW }, outcome }, true)).toEqual([
			{
				json: {
					crawl: {
						id: 'a',
						status: 'failed',
						event: 'failed',
						createdAt: '2026-06-01T00:00:00.000Z',
					},
				},
			},
		]);
	});

	it("have the service's own creation date where it gives one", () => {
		const response = { status: 'completed', createdAt: '2026-05-31T00:00:00Z' };
		const outcome = { kind: 'ended' as const, event: 'completed' as const, response };
		const [{ json }] = reportToItems({ crawl: { id: 'a', createdAt: NOW }, outcome }, false);
		expect(json.createdAt).toBe('2026-05-31T00:00:00Z');
	});
});

describe('preview', () => {
	it('shows the last crawl that ended in a wanted way', async () => {
		const { service, task, write } = setup();
		service.active = [{ id: 'running' }];
		service.recent = [
			{ id: 'older', createdAt: NOW - 2 },
			{ id: 'running', createdAt: NOW },
			{ id: 'cancelled', createdAt: NOW - 1 },
		];
		service.statuses = { older: ended(), cancelled: { status: 'cancelled' } };
		expect(await preview(task)).toMatchObject([{ json: { id: 'older', event: 'completed' } }]);
		expect(write).not.toHaveBeenCalled();
	});

	it('else shows a running crawl', async () => {
		const { service, task } = setup();
		service.active = [{ id: 'a', url: 'https://example.com' }];
		expect(await preview(task)).toMatchObject([{ json: { id: 'a', status: 'scraping' } }]);
	});

	it('else names crawls that do not fit, and how they ended', async () => {
		const { service, task } = setup({ withPages: true });
		task.settings = { ...task.settings, urlPatterns: ['docs'], events: ['failed'] };
		service.active = [{ id: 'a', url: 'https://a.example' }];
		service.recent = [
			{ id: 'b', url: 'https://b.example', createdAt: NOW - 2 },
			{ id: 'c', url: 'https://docs.example', createdAt: NOW - 1 },
			{ id: 'd', createdAt: NOW - 3 },
			{ id: 'e', createdAt: NOW - 4 },
		];
		service.statuses = { a: { status: 'scraping' }, b: { status: 'failed' }, c: ended() };
		const [{ json }, ...others] = await preview(task);
		expect(others).toEqual([]);
		expect(json.message).toContain(
			'matches URL Pattern and Events, or its pages are not there yet. Recent ones: https://docs.example (completed), https://b.example (failed), d (unknown).',
		);
		service.recent = [];
		expect((await preview(task))[0].json.message).toContain(': https://a.example (running).');
	});

	it('else says how to start one', async () => {
		const [{ json }] = await preview(setup().task);
		expect(json.message).toMatch(/Start one with/);
	});

	it('shows each specific crawl as it is', async () => {
		const { service, task } = setup();
		task.settings = { ...task.settings, ids: ['a', 'b', 'c'] };
		service.active = [{ id: 'b', url: 'https://example.com' }];
		service.statuses = { a: ended(), b: { status: 'scraping' } };
		expect((await preview(task)).map(({ json }) => json.status)).toEqual([
			'completed',
			'scraping',
			'unknown',
		]);
	});

	it('fails on a wrong key', async () => {
		const { service, task } = setup();
		jest.spyOn(service, 'listActive').mockRejectedValueOnce(httpError('401'));
		await expect(preview(task)).rejects.toThrow('HTTP 401');
	});
});

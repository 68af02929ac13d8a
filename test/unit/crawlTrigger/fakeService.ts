/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { ServiceError } from '../../../nodes/shared/client/errors/serviceError';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { SeenCrawl } from '../../../nodes/WebDataCrawlTrigger/crawlWatch';
import { type PollTask, pollOnce } from '../../../nodes/WebDataCrawlTrigger/poll';
import type { CrawlRequests } from '../../../nodes/WebDataCrawlTrigger/requests';

export const NOW = Date.UTC(2026, 5, 1);
export const MINUTE = 60_000;
export const PAGE_SIZE = 100;

export const httpError = (httpCode?: string) =>
	new ServiceError(`HTTP ${httpCode}`, {
		description: '',
		outcome:
			httpCode === undefined
				? { kind: 'noResponse', code: '', reason: '' }
				: { kind: 'rejected', status: Number(httpCode), excerpt: '' },
	});

/** Returns the status of a crawl that has ended. */
export const ended = (more: IDataObject = {}): IDataObject => ({
	success: true,
	status: 'completed',
	completed: 2,
	total: 2,
	...more,
});

/** Returns a crawl with a date, in minutes from NOW. */
export const crawl = (id: string, minutes?: number): SeenCrawl => ({
	id,
	url: `https://example.com/${id}`,
	...(minutes !== undefined && { createdAt: NOW + minutes * MINUTE }),
});

/** Never ends. */
const never = async () => await new Promise<never>(() => undefined);

/** A service in memory; an Error in place of a response is thrown. */
class FakeService implements CrawlRequests {
	now = NOW;
	running: SeenCrawl[] | Error = [];
	/** The activity list, in any order. */
	recent: SeenCrawl[] | Error = httpError('404');
	/** How long (ms) a page of the activity list takes. */
	pageMs = 0;
	statuses: Record<string, IDataObject | Error | 'hangs' | undefined> = {};
	/** Numbers of URLs that crawls list as failed. */
	failed: Record<string, number> = {};
	statusMs = 0;
	pageLists: Record<string, number | Error> = {};
	pageLength = 0;
	/** The requests made: `active`, `activity` for each of its pages, and the IDs of crawls. */
	calls: string[] = [];
	inFlight = 0;
	maxInFlight = 0;

	async active() {
		this.calls.push('active');
		if (this.running instanceof Error) throw this.running;
		return this.running;
	}

	async *activity() {
		this.calls.push('activity');
		if (this.recent instanceof Error) throw this.recent;
		const list = [...this.recent].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
		for (let from = 0; from === 0 || from < list.length; from += PAGE_SIZE) {
			if (from > 0) this.calls.push('activity');
			this.now += this.pageMs;
			yield list.slice(from, from + PAGE_SIZE);
		}
	}

	async status(id: string) {
		this.calls.push(id);
		this.maxInFlight = Math.max(this.maxInFlight, ++this.inFlight);
		this.now += this.statusMs;
		await new Promise((resolve) => setImmediate(resolve));
		this.inFlight--;
		const status = this.statuses[id];
		if (status === 'hangs') return await never();
		if (status instanceof Error) throw status;
		const call = { method: 'GET' as const, path: `/v2/crawl/${id}` };
		return status && { status: 200, body: status, call };
	}

	async countFailed(_status: unknown, id: string) {
		return this.failed[id] ?? 0;
	}

	async pages(id: string): Promise<INodeExecutionData[]> {
		const pages = this.pageLists[id] ?? 1;
		if (pages instanceof Error) throw pages;
		const { pageLength } = this;
		return Array.from({ length: pages }, (_, index) => ({
			json: { markdown: `${id} ${index}`.padEnd(pageLength) },
		}));
	}
}

type Changes = Partial<Omit<PollTask, 'settings'>> & { settings?: Partial<PollTask['settings']> };

/** Creates a trigger with a service; its state is kept as JSON, as by n8n. */
export function setup({ settings, ...more }: Changes = {}) {
	const service = new FakeService();
	const log = { info: jest.fn(), warn: jest.fn() };
	const kept: { state?: string } = {};
	const write = (state: unknown) => void (kept.state = JSON.stringify(state));
	const task: PollTask = {
		requests: service,
		settings: { scope: 'any:1', urlPatterns: [], events: ['completed', 'failed'], ...settings },
		withPages: false,
		oneAtATime: false,
		isFirstFailure: () => false,
		budgetMs: 40_000,
		store: { read: () => kept.state && (JSON.parse(kept.state) as unknown), write },
		now: () => service.now,
		wait: never,
		log,
		...more,
	};
	/** Polls, then lets a minute pass; returns the IDs of the emitted crawls. */
	const poll = async (times = 1) => {
		const emitted: string[] = [];
		for (let turn = 0; turn < times; turn++) {
			emitted.push(...(await pollOnce(task)).map(idOf));
			service.now += MINUTE;
		}
		return emitted;
	};
	return { service, log, kept, task, poll };
}

function idOf({ json }: INodeExecutionData): string {
	return String((json.crawl as IDataObject | undefined)?.id ?? json.id);
}

/** Returns a trigger that has seen these crawls running, before they left the active list. */
export async function begunWith(ids: string[], more: Changes = {}) {
	const all = setup(more);
	all.service.running = ids.map((id) => crawl(id));
	expect(await all.poll()).toEqual([]);
	all.service.running = [];
	all.service.calls = [];
	all.log.warn.mockClear();
	return all;
}

/** Returns a trigger that has read an activity list. */
export async function begunAfter(recent: SeenCrawl[], more: Changes = {}) {
	const all = setup(more);
	all.service.recent = recent;
	for (const { id } of recent) all.service.statuses[id] = ended();
	expect(await all.poll()).toEqual([]);
	all.service.calls = [];
	return all;
}

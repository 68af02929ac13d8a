import { randomUUID } from 'node:crypto';

import { uuid } from './data/hash';
import type { Entry, Typed } from './entry';
import type { Monitor, MonitorSettings } from './monitors';
import { Sessions } from './sessions';
import { Tracked } from './tracked';
import { Web } from './web';

const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/** How long the service keeps a job, in ms. */
export const KEPT_MS = { crawl: DAY_MS, batch: DAY_MS, agent: DAY_MS, extract: 6 * HOUR_MS };

/** Whether a job is still kept. */
const isKept = ({ createdAt }: { createdAt: number }, kind: keyof typeof KEPT_MS) =>
	Date.now() < createdAt + KEPT_MS[kind];

/**
 * A job that scrapes pages: what crawls and batches have in common. Its status and pages at any moment follow from it.
 */
export interface Scraping {
	id: string;
	createdAt: number; // ms since 1970
	total: number; // pages it will have
	driven?: boolean; // a test advances it; it doesn't advance by itself
	fails?: boolean; // ends halfway
	done: number; // pages so far, if driven or ended
	end?: { status: string; at: number };
}

export interface Crawl extends Scraping {
	url: string;
	/** Paths of its pages below the URL, '' for the URL itself; by default '', page-1, page-2 and so on. */
	paths?: string[];
	/** Why its first page is excluded. */
	denied?: string;
	pageBytes: number; // approximate size of a page as JSON
	scrapeOptions: Entry;
}

export interface Batch extends Scraping {
	urls: string[];
	options: Entry & { formats: Typed[] };
}

/** Progress of a job that scrapes pages. */
export interface Progress {
	status: string;
	done: number;
	endedAt?: number;
}

export interface Job {
	id: string;
	kind: 'agent' | 'extract';
	createdAt: number;
	request: Entry;
	credits: number;
	/** For agent tasks: the thread, the task's position in the thread (from 1), and the data that the task may buy. */
	thread?: { id: string; turn: number; exchange?: object };
	end?: { status: string; at: number; data?: unknown; error?: string };
}

export interface Activity {
	id: string;
	endpoint: string;
	api_version: string;
	created_at: string;
	target: string | null;
}

export interface LedgerEntry {
	at: number;
	operation: string;
	credits: number;
	body: unknown;
}

/** What the team has at the service: credits, crawls, jobs, the cache of pages, activity. */
export class State {
	remaining: number;
	readonly ledger: LedgerEntry[] = [];
	readonly crawls = new Map<string, Crawl>();
	readonly jobs = new Map<string, Job>(); // by kind and ID
	readonly batches = new Map<string, Batch>();
	readonly monitors = new Map<string, Monitor>();
	readonly activity: Activity[] = []; // oldest first
	readonly cached = new Map<string, number>(); // what a page is cached under → time it was scraped, in ms
	readonly web = new Web(() => this.settings().growMs);
	readonly tracked = new Tracked();
	readonly sessions = new Sessions();
	private made = 0;

	constructor(
		credits: number,
		readonly seed: number,
		/**
		 * How long crawls and jobs take and how often the web grows by itself, in ms (0: only when a test says so); and
		 * whether jobs report a false end.
		 */
		readonly settings: () => { crawlMs: number; jobMs: number; growMs: number; falseEnd: boolean },
	) {
		this.remaining = credits;
	}

	/** Returns a new ID, the same for the same seed and order. */
	newId(): string {
		return uuid(this.seed, 'id', this.made++);
	}

	pay(operation: string, credits: number, body: unknown): void {
		this.remaining -= credits;
		this.ledger.push({ at: Date.now(), operation, credits, body });
	}

	note(id: string, endpoint: string, version: string, target: unknown): void {
		const created_at = new Date().toISOString();
		const before = this.activity.findIndex((entry) => entry.id === id);
		if (before >= 0) this.activity.splice(before, 1); // a crawl added again under its ID
		const text = typeof target === 'string' ? target : null;
		this.activity.push({ id, endpoint, api_version: version, created_at, target: text });
	}

	addCrawl(options: Partial<Crawl> & { status?: string }): Crawl {
		const { status = 'scraping', ...given } = options;
		const now = Date.now();
		const crawl: Crawl = {
			id: given.id ?? this.newId(),
			url: 'https://docs.northwind.example',
			total: 12,
			pageBytes: 0,
			createdAt: now,
			scrapeOptions: { formats: [{ type: 'markdown' }], parsers: [{ type: 'pdf' }] },
			done: 0,
			...given,
		};
		crawl.fails = new URL(crawl.url).hostname.includes('fail');
		if (status !== 'scraping') {
			crawl.done = crawl.total;
			crawl.end = { status, at: now };
		}
		this.crawls.set(crawl.id, crawl);
		return crawl;
	}

	addBatch(urls: string[], options: Batch['options'], id = this.newId()): Batch {
		const batch = { id, urls, options, total: urls.length, createdAt: Date.now(), done: 0 };
		this.batches.set(id, batch);
		return batch;
	}

	/** Returns a crawl that exists and has not expired. */
	findCrawl(id: string): Crawl | undefined {
		const crawl = this.crawls.get(id);
		return crawl && isKept(crawl, 'crawl') ? crawl : undefined;
	}

	findBatch(id: string): Batch | undefined {
		const batch = this.batches.get(id);
		return batch && isKept(batch, 'batch') ? batch : undefined;
	}

	/** How long (ms) the service goes on reporting "scraping" for a job that has all its pages, or was cancelled. */
	private get settleMs(): number {
		return this.settings().crawlMs / 5;
	}

	/** Whether the service has noticed that a job has ended. */
	isSettled({ end }: Scraping): boolean {
		return (
			end !== undefined && Date.now() >= end.at + (end.status === 'cancelled' ? this.settleMs : 0)
		);
	}

	/**
	 * Returns a job's progress. Without a test, it advances evenly and ends crawlMs after its start; for the last fifth
	 * of that time, it already has all its pages. One that fails ends halfway. With `falseEnd`, it is reported as
	 * completed from the start.
	 */
	now(job: Scraping): Progress {
		const { crawlMs, falseEnd } = this.settings();
		const running = falseEnd
			? { status: 'completed', endedAt: job.createdAt }
			: { status: 'scraping' };
		if (!job.end && !job.driven && crawlMs > 0) {
			const ms = Date.now() - job.createdAt;
			const reach = job.fails ? Math.floor(job.total / 2) : job.total;
			const part = Math.min(1, ms / (crawlMs - this.settleMs));
			if (ms < crawlMs) return { ...running, done: Math.floor(reach * part) };
			job.done = reach;
			job.end = { status: job.fails ? 'failed' : 'completed', at: job.createdAt + crawlMs };
		}
		if (!job.end) return { ...running, done: job.done };
		return { status: job.end.status, done: job.done, endedAt: job.end.at };
	}

	/** Returns a job's progress as webhooks report it: without a false end. */
	trueNow(job: Scraping): Progress {
		const now = this.now(job);
		return job.end ? now : { status: 'scraping', done: now.done };
	}

	/** Ends a running job as cancelled. */
	cancel(job: Scraping): void {
		job.done = this.now(job).done;
		job.end ??= { status: 'cancelled', at: Date.now() };
	}

	/** Returns a crawl, which from now on only tests advance; throws if there is none. */
	drive(id: string): Crawl {
		const crawl = this.crawls.get(id);
		if (!crawl) throw new Error(`No crawl ${id}`);
		crawl.done = this.now(crawl).done;
		crawl.driven = true;
		return crawl;
	}

	activeCrawls(): Crawl[] {
		return [...this.crawls.values()].filter(
			(crawl) => isKept(crawl, 'crawl') && this.now(crawl).status === 'scraping',
		);
	}

	/** Adds a monitor. Its ID and those of its checks are new at each start, because clients remember them. */
	addMonitor(settings: MonitorSettings, id: string = randomUUID()): Monitor {
		const now = new Date();
		const times = { createdAt: now.toISOString(), updatedAt: now.toISOString() };
		const since = now.getTime();
		const monitor: Monitor = { id, settings, times, since, checks: [], seen: new Map() };
		this.monitors.set(id, monitor);
		return monitor;
	}

	addJob(kind: Job['kind'], request: Entry, credits: number, id = this.newId()): Job {
		const job = { id, kind, createdAt: Date.now(), request, credits };
		this.jobs.set(`${kind} ${id}`, job);
		return job;
	}

	/**
	 * Returns the current status of a job. Without a test, it completes within jobMs, or fails if its prompt contains
	 * "fail this".
	 */
	jobNow(job: Job): { status: string; data?: unknown; error?: string } {
		const { jobMs } = this.settings();
		if (!job.end && jobMs > 0 && Date.now() - job.createdAt >= jobMs) {
			const fails = String(job.request.prompt ?? '').includes('fail this');
			const at = job.createdAt + jobMs;
			job.end = fails
				? { status: 'failed', at, error: 'The pages could not be read' }
				: { status: 'completed', at };
		}
		return job.end ?? { status: 'processing' };
	}

	findJob(kind: Job['kind'], id: string): Job | undefined {
		const job = this.jobs.get(`${kind} ${id}`);
		return job && isKept(job, kind) ? job : undefined;
	}
}

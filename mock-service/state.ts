import { crawlPage } from './data/crawlPage';
import { hash, uuid } from './data/hash';
import type { Entry, Typed } from './entry';
import { Web } from './web';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** What a crawl is made of; its status and pages at a moment follow from it. */
export interface Crawl {
	id: string;
	url: string;
	total: number; // pages it will have
	pageBytes: number; // about, per page as JSON
	createdAt: number; // ms since 1970
	expiresAt: number;
	formats: Typed[];
	scrapeOptions: Entry;
	driven: boolean; // a test moves it: it doesn't move by itself
	done: number; // pages so far, where driven or ended
	end?: { status: string; at: number };
}

export interface Job {
	id: string;
	kind: 'agent' | 'extract';
	createdAt: number;
	request: Entry;
	credits: number;
	end?: { status: string; at: number; data?: unknown; error?: string };
}

/** A job that scrapes many pages. */
export interface Batch {
	id: string;
	urls: string[];
	options: Entry & { formats: Typed[] };
	createdAt: number;
	end?: { status: string; at: number; done: number };
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

/** What the team has on the service: credits, crawls, jobs, the cache of pages, activity. */
export class State {
	remaining: number;
	readonly ledger: LedgerEntry[] = [];
	readonly crawls = new Map<string, Crawl>();
	readonly jobs = new Map<string, Job>(); // by kind and id
	readonly batches = new Map<string, Batch>();
	readonly activity: Activity[] = []; // oldest first
	readonly cached = new Map<string, number>(); // URL → when it was scraped, ms
	readonly web = new Web();
	private made = 0;

	constructor(
		credits: number,
		readonly seed: number,
		/** How long crawls and jobs take by themselves, ms; 0: only tests end them. */
		readonly durations: () => { crawlMs: number; jobMs: number },
	) {
		this.remaining = credits;
	}

	/** A new id, the same for the same seed and order. */
	newId(): string {
		return uuid(this.seed, 'id', this.made++);
	}

	pay(operation: string, credits: number, body: unknown): void {
		this.remaining -= credits;
		this.ledger.push({ at: Date.now(), operation, credits, body });
	}

	note(id: string, endpoint: string, version: string, target: unknown): void {
		const text = typeof target === 'string' ? target : null;
		const created_at = new Date().toISOString();
		const before = this.activity.findIndex((entry) => entry.id === id);
		if (before >= 0) this.activity.splice(before, 1); // a crawl added again under its id
		this.activity.push({ id, endpoint, api_version: version, created_at, target: text });
	}

	addCrawl(options: Partial<Crawl> & { status?: string }): Crawl {
		const now = Date.now();
		const { status = 'scraping', ...rest } = options;
		const given = Object.fromEntries(
			Object.entries(rest).filter(([, value]) => value !== undefined),
		) as Partial<Crawl>;
		if (given.url !== undefined) new URL(given.url); // throws here rather than when it is read
		const crawl: Crawl = {
			id: '',
			url: 'https://docs.northwind.example',
			total: 12,
			pageBytes: 0,
			createdAt: now,
			expiresAt: now + DAY_MS,
			formats: [{ type: 'markdown' }],
			scrapeOptions: { formats: [{ type: 'markdown' }], parsers: [{ type: 'pdf' }] },
			driven: false,
			done: 0,
			...given,
		};
		crawl.id ||= this.newId();
		if (status !== 'scraping') {
			crawl.done = crawl.total;
			crawl.end = { status, at: now };
		}
		this.crawls.set(crawl.id, crawl);
		return crawl;
	}

	/** A crawl that exists and has not expired. */
	findCrawl(id: string): Crawl | undefined {
		const crawl = this.crawls.get(id);
		return crawl && crawl.expiresAt > Date.now() ? crawl : undefined;
	}

	/**
	 * Status and pages of a crawl now. By itself it goes evenly from no page to all of them within
	 * crawlMs; one whose host contains "fail" ends half-way as failed.
	 */
	crawlNow(crawl: Crawl): { status: string; done: number; endedAt?: number } {
		const { crawlMs } = this.durations();
		if (!crawl.end && !crawl.driven && crawlMs > 0) {
			const part = (Date.now() - crawl.createdAt) / crawlMs;
			const fails = new URL(crawl.url).hostname.includes('fail');
			const reach = fails ? Math.floor(crawl.total / 2) : crawl.total;
			if (part < 1) return { status: 'scraping', done: Math.floor(reach * part) };
			crawl.done = reach;
			crawl.end = { status: fails ? 'failed' : 'completed', at: crawl.createdAt + crawlMs };
		}
		return { status: crawl.end?.status ?? 'scraping', done: crawl.done, endedAt: crawl.end?.at };
	}

	/** From now on only tests move this crawl; throws when there is none. */
	drive(id: string): Crawl {
		const crawl = this.crawls.get(id);
		if (!crawl) throw new Error(`No crawl ${id}`);
		crawl.done = this.crawlNow(crawl).done;
		crawl.driven = true;
		return crawl;
	}

	activeCrawls(): Crawl[] {
		return [...this.crawls.values()].filter(
			(crawl) => crawl.expiresAt > Date.now() && this.crawlNow(crawl).status === 'scraping',
		);
	}

	/** Pages from `skip` on as JSON texts, as many as fit into `bytes`, at least one if there is one. */
	crawlPages(
		crawl: Crawl,
		skip: number,
		done: number,
		bytes: number,
		fileUrl: (name: string) => string,
	): string[] {
		const pages: string[] = [];
		let size = 0;
		for (let index = skip; index < done; index++) {
			const text = crawlPage(crawl, index, crawl.formats, fileUrl);
			size += Buffer.byteLength(text) + 1;
			if (size > bytes && pages.length > 0) break;
			pages.push(text);
		}
		return pages;
	}

	/** Status of a batch now; by itself it goes evenly from no page to all of them within crawlMs. */
	batchNow(batch: Batch): NonNullable<Batch['end']> {
		const { crawlMs } = this.durations();
		if (batch.end) return batch.end;
		const part = crawlMs > 0 ? (Date.now() - batch.createdAt) / crawlMs : 0;
		if (part < 1) {
			return { status: 'scraping', at: 0, done: Math.floor(batch.urls.length * part) };
		}
		batch.end = { status: 'completed', at: batch.createdAt + crawlMs, done: batch.urls.length };
		return batch.end;
	}

	addJob(kind: Job['kind'], request: Entry, credits: number, id = this.newId()): Job {
		const job = { id, kind, createdAt: Date.now(), request, credits };
		this.jobs.set(`${kind} ${id}`, job);
		return job;
	}

	/** Status of a job now; by itself it completes within jobMs, or fails if its prompt says "fail this". */
	jobNow(job: Job): { status: string; data?: unknown; error?: string } {
		const { jobMs } = this.durations();
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
		return this.jobs.get(`${kind} ${id}`);
	}

	/** Credits of a month (0 = the current one, whose use is what the ledger says), for one of two keys. */
	creditsOf(monthsAgo: number): [number, number] {
		const spent = this.ledger.reduce((sum, entry) => sum + entry.credits, 0);
		const other = 200 + (hash(this.seed, 'other', monthsAgo) % 900);
		return [monthsAgo === 0 ? spent : 1000 + (hash(this.seed, 'usage', monthsAgo) % 4000), other];
	}
}

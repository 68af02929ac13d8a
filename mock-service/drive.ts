import type { Job, State } from './state';

/** Controls for crawls in tests. */
export interface CrawlControls {
	/** Adds a crawl; by default one of 12 small pages, still scraping. An ID must be a UUID. */
	add(options?: {
		id?: string;
		url?: string;
		pages?: number;
		pageBytes?: number;
		status?: string;
	}): { id: string };
	/** Adds pages to those crawled so far; from then on, only tests advance this crawl. */
	progress(id: string, pages: number): void;
	/** Ends the crawl (by default as completed, with all its pages). */
	end(id: string, status?: string): void;
	remove(id: string): void;
	list(): unknown[];
}

/** Controls for batches in tests. */
export interface BatchControls {
	/** Adds a batch; by default one of three pages of one site, still in progress. An ID must be a UUID. */
	add(options?: { id?: string; urls?: string[] }): { id: string };
}

/** Controls for scrapes in tests. */
export interface ScrapeControls {
	/** Adds a scraped page whose browser can be opened, or is open. An ID must be a UUID. */
	add(options?: { id?: string; url?: string; isOpen?: boolean }): { id: string };
}

/** Controls for agent and extract jobs in tests. */
export interface JobControls {
	/** Adds a job that has just started, as by a POST, but at no cost. */
	add(options: { kind: Job['kind']; id?: string; request?: Record<string, unknown> }): {
		id: string;
	};
	finish(id: string, data?: unknown): void;
	list(): unknown[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function crawlControls(state: State): CrawlControls {
	return {
		add({ pages, ...rest } = {}) {
			if (rest.id !== undefined && !UUID.test(rest.id)) throw new Error('A crawl id is a UUID');
			const crawl = state.addCrawl({ ...rest, ...(pages !== undefined && { total: pages }) });
			state.note(crawl.id, 'crawl', 'v2', crawl.url);
			return { id: crawl.id };
		},
		progress(id, pages) {
			const crawl = state.drive(id);
			crawl.done += pages;
			crawl.total = Math.max(crawl.total, crawl.done);
		},
		end(id, status = 'completed') {
			const crawl = state.drive(id);
			if (status === 'completed') crawl.done = crawl.total;
			crawl.end = { status, at: Date.now() };
		},
		remove: (id) => void state.crawls.delete(id),
		list: () =>
			[...state.crawls.values()].map((crawl) => ({
				id: crawl.id,
				url: crawl.url,
				total: crawl.total,
				...state.now(crawl),
			})),
	};
}

export function batchControls(state: State): BatchControls {
	return {
		add: ({ id = state.newId(), urls = [1, 2, 3].map((n) => `https://a.example/${n}`) } = {}) => {
			state.addBatch(urls, { formats: [{ type: 'markdown' }] }, id);
			return { id };
		},
	};
}

export function scrapeControls(state: State): ScrapeControls {
	return {
		add: ({ id = state.newId(), url = 'https://a.example/login', isOpen = false } = {}) => {
			const page = { markdown: 'A page', metadata: { url, statusCode: 200, scrapeId: id } };
			state.sessions.add({ id, url, page }, isOpen);
			return { id };
		},
	};
}

export function jobControls(state: State): JobControls {
	return {
		add: ({ kind, id, request = {} }) => ({ id: state.addJob(kind, request, 0, id).id }),
		finish(id, data) {
			const job = [...state.jobs.values()].find((one) => one.id === id);
			if (!job) throw new Error(`No job ${id}`);
			job.end = { status: 'completed', at: Date.now(), data };
		},
		list: () =>
			[...state.jobs.values()].map((job) => ({
				id: job.id,
				kind: job.kind,
				request: job.request,
				...state.jobNow(job),
			})),
	};
}

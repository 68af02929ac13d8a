import type { Job, State } from './state';

/** What tests do with crawls. */
export interface CrawlControls {
	/** Default: 12 small pages, scraping. An id must be a UUID. */
	add(options?: {
		id?: string;
		url?: string;
		pages?: number;
		pageBytes?: number;
		status?: string;
	}): { id: string };
	/** Adds pages to those crawled so far; from now on only tests move this crawl. */
	progress(id: string, pages: number): void;
	/** Ends it (default completed, then with all its pages). */
	end(id: string, status?: string): void;
	remove(id: string): void;
	list(): unknown[];
}

/** What tests do with batches. */
export interface BatchControls {
	/** Default: three pages of one site, under way. An id must be a UUID. */
	add(options?: { id?: string; urls?: string[] }): { id: string };
}

/** What tests do with scrapes. */
export interface ScrapeControls {
	/** A page whose browser can be opened, or is open. An id must be a UUID. */
	add(options?: { id?: string; url?: string; isOpen?: boolean }): { id: string };
}

/** What tests do with agent and extract jobs. */
export interface JobControls {
	/** A job that was started a moment ago, as by a POST that costs nothing. */
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

import { NEW_MONITOR, type Target } from './monitors';
import type { Crawl, Job, State } from './state';

/** Returns the controls for tests: they add what requests would have started, at no cost, and advance it. */
export const controlsOf = (state: State) => ({
	crawls: {
		/** Adds a crawl; by default one of 12 small pages, still scraping. */
		add({
			pages,
			...rest
		}: Partial<Pick<Crawl, 'id' | 'url' | 'pageBytes'>> & {
			pages?: number;
			status?: string;
		} = {}) {
			const crawl = state.addCrawl({ ...rest, ...(pages !== undefined && { total: pages }) });
			state.note(crawl.id, 'crawl', 'v2', crawl.url);
			return { id: crawl.id };
		},
		/** Adds pages to those crawled so far; from then on, only tests advance this crawl. */
		progress(id: string, pages: number) {
			const crawl = state.drive(id);
			crawl.done += pages;
			crawl.total = Math.max(crawl.total, crawl.done);
		},
		/** Ends the crawl (by default as completed, with all its pages). */
		end(id: string, status = 'completed') {
			const crawl = state.drive(id);
			if (status === 'completed') crawl.done = crawl.total;
			crawl.end = { status, at: Date.now() };
		},
		remove: (id: string) => void state.crawls.delete(id),
		list: () =>
			[...state.crawls.values()].map((crawl) => ({
				id: crawl.id,
				url: crawl.url,
				total: crawl.total,
				...state.now(crawl),
			})),
	},
	batches: {
		/** Adds a batch; by default one of three pages of one site, still in progress. */
		add: ({ id = state.newId(), urls = [1, 2, 3].map((n) => `https://a.example/${n}`) } = {}) => ({
			id: state.addBatch(urls, { formats: [{ type: 'markdown' }] }, id).id,
		}),
	},
	scrapes: {
		/** Adds a scraped page whose browser can be opened, or is open. */
		add: ({ id = state.newId(), url = 'https://a.example/login', isOpen = false } = {}) => {
			const page = { markdown: 'A page', metadata: { url, statusCode: 200, scrapeId: id } };
			state.sessions.add({ id, url, page }, isOpen);
			return { id };
		},
	},
	monitors: {
		/** Adds a monitor of a page, which checks only when asked to. */
		add({ id = state.newId(), url = 'https://a.example/page' } = {}) {
			const target = { id: state.newId(), type: 'scrape', urls: [url] } as Target;
			return { id: state.addMonitor({ ...NEW_MONITOR, targets: [target] }, id).id };
		},
		remove: (id: string) => void state.monitors.delete(id),
		list: () =>
			[...state.monitors.values()].map(({ id, settings, checks }) => ({
				...{ id, ...settings },
				checks: checks.map(({ data }) => data.status),
			})),
	},
	jobs: {
		/** Adds an agent or extract job that has just started. */
		add: ({
			kind,
			id,
			request = {},
		}: Pick<Job, 'kind'> & Partial<Pick<Job, 'id' | 'request'>>) => ({
			id: state.addJob(kind, request, 0, id).id,
		}),
		finish(id: string, data?: unknown) {
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
	},
});

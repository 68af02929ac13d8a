import type { Entry } from '../entry';
import { notFound, ok, type ServiceResponse } from '../response';
import { KEPT_MS, type Progress, type Scraping } from '../state';
import { iso, type Context } from './context';

/** The 404 response to a cancellation or a list of errors; unlike other 404s, it has no `success`. */
const noJob: ServiceResponse = { status: 404, body: { error: 'Job not found' } };

/** Most pages of a chunk, unless the request says otherwise. */
const CHUNK_PAGES = 100;

/** What is specific to the status of one kind of job. */
interface Kind {
	path: string; // of its status, with the version
	price: number; // of all pages so far
	/** Returns its page at a position from 0, as JSON. */
	pageAt: (index: number) => string;
	/** Number of its completed pages, if it differs from those done. */
	completed?: number;
	total: number;
	warning?: string;
}

/**
 * Returns the status and a chunk of the pages, at most `limit` of them, or 100. `skip` is the position of the first
 * page; `next` carries both. Only the last chunk of a job that is completed in full has no `next`: that of any other
 * job leads to an empty chunk, whose `next` names itself. Only v2 warns.
 */
export function statusOf(
	{ query, settings, nextUrl, version }: Context,
	job: Scraping,
	{ status, done, endedAt }: Progress,
	{ path, price, pageAt, completed = done, total, warning }: Kind,
): ServiceResponse {
	const skip = Math.max(0, Number(query.skip ?? 0) || 0);
	const limit = Number.parseInt(String(query.limit), 10) || undefined;
	const last = Math.min(completed, skip + (limit ?? CHUNK_PAGES));
	const pages: string[] = [];
	for (let index = skip, size = 0; index < last; index++) {
		const text = pageAt(index);
		size += Buffer.byteLength(text) + 1;
		if (size > settings.chunkBytes && pages.length > 0) break;
		pages.push(text);
	}
	const reached = skip + pages.length;
	const head = {
		success: true,
		status,
		total,
		completed,
		creditsUsed: price,
		expiresAt: iso(job.createdAt + KEPT_MS.crawl),
		...(version === 'v2' && {
			createdAt: iso(job.createdAt),
			...(endedAt !== undefined && {
				completedAt: iso(endedAt),
				duration: (endedAt - job.createdAt) / 1000,
				warning,
			}),
		}),
		...((status !== 'completed' || reached < total) && {
			next: nextUrl(`${path}?skip=${reached}${limit === undefined ? '' : `&limit=${limit}`}`),
		}),
	};
	// The pages are already JSON text: parsing 10 MB only to serialize them again would be slow.
	return ok(`${JSON.stringify(head).slice(0, -1)},"data":[${pages.join(',')}]}`);
}

/** Cancels a job. One that was just cancelled may be cancelled again; one whose end has been noticed may not. */
export function cancelled({ state }: Context, job: Scraping | undefined): ServiceResponse {
	if (!job) return noJob;
	const { status } = state.now(job);
	const isOver = status !== 'scraping' && (status !== 'cancelled' || state.isSettled(job));
	if (isOver) return { status: 409, body: { error: 'Crawl is already completed' } };
	state.cancel(job);
	return ok({ status: 'cancelled' });
}

/** A URL without a page, and why. */
interface Lost {
	url: string;
	code: unknown;
	error: unknown;
}

/**
 * Returns the errors of a job. `left` are the URLs not scraped before the job was cancelled, `blocked` those that
 * robots.txt forbids.
 */
export function errorsOf(
	{ state }: Context,
	job: Scraping | undefined,
	{ failed, blocked, left }: { failed: Lost[]; blocked: string[]; left: string[] },
): ServiceResponse {
	if (!job) return notFound('Job');
	const lost = [
		...failed,
		...blocked.map((url) => denied(url, 'URL blocked by robots.txt')),
		...(state.now(job).status === 'cancelled' ? left : []).map((url) => ({
			url,
			code: 'UNKNOWN_ERROR',
			error: 'An unexpected error occurred inside the service',
		})),
	];
	const timestamp = iso(job.createdAt);
	const errors: Entry[] = lost.map((one, index) => ({
		id: `${job.id}-${index}`,
		timestamp,
		...one,
	}));
	return ok({ errors, robotsBlocked: blocked });
}

/** Returns the error for a page that the job's settings exclude. */
export const denied = (url: string, error: string): Lost => ({ url, code: 'CRAWL_DENIAL', error });

import { page } from '../data/page';
import { pagePrice } from '../data/price';
import type { Entry } from '../entry';
import { failure, notFound, ok, type ServiceResponse } from '../response';
import { DAY_MS, type Batch } from '../state';
import { iso, isUrl, paid, type Context } from './context';

/** What becomes of a URL, by a word in it, so that each outcome can be asked for. */
const FAILS = /fail/;
const BLOCKED = /robots/;
const MOVED = /moved/;
const GONE = /gone/;

const withProtocol = (url: string) => (/^https?:/i.test(url) ? url : `http://${url}`);

/** Pays for all pages when it starts. */
export function batchStart(context: Context): ServiceResponse {
	const { state, body, nextUrl } = context;
	const { urls, ignoreInvalidURLs, ...given } = body as Entry & { urls: string[] };
	const invalid = urls.filter((url) => !isUrl(withProtocol(url)));
	const valid = urls.filter((url) => !invalid.includes(url)).map(withProtocol);
	const isLenient = ignoreInvalidURLs !== false;
	if (valid.length === 0 || (invalid.length > 0 && !isLenient)) {
		return failure(400, `Invalid URL: ${invalid.join(', ')}`);
	}
	const options = {
		...given,
		formats: given.formats ?? [{ type: 'markdown' }],
	} as Batch['options'];
	return paid(context, 'batchStart', valid.length * pagePrice(options), () => {
		const batch: Batch = { id: state.newId(), urls: valid, options, createdAt: Date.now() };
		state.batches.set(batch.id, batch);
		state.note(batch.id, 'batch_scrape', 'v2', valid[0]);
		return ok({
			success: true,
			id: batch.id,
			url: nextUrl(`/v2/batch/scrape/${batch.id}`),
			...(isLenient && { invalidURLs: invalid }),
		});
	});
}

/** What there is of the pages so far; the last URL is finished first. */
function pagesOf({ state, fileUrl }: Context, batch: Batch, done: number): Entry[] {
	return [...batch.urls]
		.reverse()
		.slice(0, done)
		.filter((url) => !FAILS.test(url) && !BLOCKED.test(url))
		.map((url) => {
			const { origin, pathname, hostname } = new URL(url);
			const result = page({ ...batch.options, url, topic: hostname }, fileUrl);
			state.web.applyTo(url, result);
			Object.assign(result.metadata as Entry, {
				...(MOVED.test(url) && { url: `${origin}/new${pathname}` }),
				...(GONE.test(url) && { statusCode: 404, error: 'Not Found' }),
				creditsUsed: pagePrice(batch.options),
			});
			return result;
		});
}

export function batchStatus(context: Context): ServiceResponse {
	const { state, id, query, settings, nextUrl } = context;
	const batch = state.batches.get(id);
	if (!batch) return notFound('Job');
	const { status, at, done } = state.batchNow(batch);
	const all = pagesOf(context, batch, done);
	const skip = Math.max(0, Number(query.skip ?? 0) || 0);
	const data: Entry[] = [];
	for (let index = skip, size = 0; index < all.length; index++) {
		size += JSON.stringify(all[index]).length;
		if (size > settings.chunkBytes && data.length > 0) break;
		data.push(all[index]);
	}
	const reached = skip + data.length;
	return ok({
		success: true,
		status,
		total: batch.urls.length,
		completed: all.length,
		creditsUsed: done * pagePrice(batch.options),
		createdAt: iso(batch.createdAt),
		completedAt: status === 'scraping' ? null : iso(at),
		expiresAt: iso(batch.createdAt + DAY_MS),
		...((status === 'scraping' || reached < all.length) && {
			next: nextUrl(`/v2/batch/scrape/${id}?skip=${reached}`),
		}),
		data,
	});
}

export function batchCancel({ state, id }: Context): ServiceResponse {
	const batch = state.batches.get(id);
	if (!batch) return { status: 404, body: { error: 'Job not found' } };
	const { status, done } = state.batchNow(batch);
	if (status === 'completed') return { status: 409, body: { error: 'The job has completed' } };
	batch.end = { status: 'cancelled', at: Date.now(), done };
	return ok({ status: 'cancelled' });
}

export function batchErrors({ state, id }: Context): ServiceResponse {
	const batch = state.batches.get(id);
	if (!batch) return { status: 404, body: { error: 'Job not found' } };
	const errors = batch.urls
		.filter((url) => FAILS.test(url))
		.map((url, index) => ({ id: `${id}-${index}`, url, error: 'The page did not answer in time' }));
	return ok({ errors, robotsBlocked: batch.urls.filter((url) => BLOCKED.test(url)) });
}

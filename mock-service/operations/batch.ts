/* eslint-disable @typescript-eslint/no-unused-vars */
import { pricesOf } from '../data/price';
import type { Entry } from '../entry';
import { failure, invalidUrls, notFound, ok, type ServiceResponse } from '../response';
import type { Batch } from '../state';
import { isUrl, withScheme } from '../urls';
import { paid, type Context } from './context';
import { scraped } from './pages';
import { cancelled, errorsOf, statusOf } from './scraping';

/** Words in a URL that decide its outcome, so that tests can cause each outcome. */
const FAILS = /fail/;
const BLOCKED = /robots/;
const MOVED = /moved/;
const GONE = /gone/;

const LATE = 'The page did not answer in time';

/** Starts a batch; all its pages are paid for at the start. */
export function batchStart(context: Context): ServiceResponse {
	const { state, body, nextUrl, report, version } = context;
	const {
		urls,
		ignoreInvalidURLs,
		webhook: _webhook,
		...given
	} = body as Entry & { urls: string[] };
	const invalid = urls.filter((url) => !isUrl(withScheme(url)));
	const valid = urls.filter((url) => !invalid.includes(url)).map(withScheme);
	// The documented default, true, is not the actual one.
	const isLenient = ignoreInvalidURLs === true;
	if (invalid.length > 0 && !isLenient) {
		return invalidUrls(invalid.map((url) => ['urls', urls.indexOf(url)]));
	}
	if (valid.length === 0) return failure(400, 'No valid URLs provided');
	const options = {
		...given,
		formats: given.formats ?? [{ type: 'markdown' }],
	} as Batch['options'];
	return paid(context, 'batchStart', pricesOf(options, valid), () => {
		const batch = state.addBatch(valid, options);
		state.note(batch.id, 'batch_scrape', version, valid[0]);
		report(batch.id, 'batch_scrape', () => {
			const { status, done } = state.trueNow(batch);
			const pageAt = (index: number) => {
				const [url] = doneUrls(batch, index + 1).slice(-1);
				return isLost(url)
					? { success: false, data: [], error: LATE }
					: { success: true, data: [pageOf(context, batch, url)] };
			};
			return { status, done, pageAt };
		});
		return ok({
			success: true,
			id: batch.id,
			url: nextUrl(`/v2/batch/scrape/${batch.id}`),
			...(isLenient && { invalidURLs: invalid }),
		});
	});
}

/** Returns the URLs done so far; the batch works backwards through its list. */
const doneUrls = ({ urls }: Batch, done: number) => [...urls].reverse().slice(0, done);

const isLost = (url: string) => FAILS.test(url) || BLOCKED.test(url);

function pageOf(context: Context, { id, options }: Batch, url: string): Entry {
	const { origin, pathname, hostname } = new URL(url);
	const result = scraped(context, id, { url, topic: hostname, options });
	Object.assign(result.metadata as Entry, {
		...(MOVED.test(url) && { url: `${origin}/new${pathname}` }),
		...(GONE.test(url) && { statusCode: 404, error: 'Not Found' }),
	});
	return result;
}

/** Returns a batch's status. URLs that failed count neither as completed nor in the total. */
export function batchStatus(context: Context): ServiceResponse {
	const { state, id, version } = context;
	const batch = state.findBatch(id);
	if (!batch) return notFound('Job');
	const now = state.now(batch);
	const good = doneUrls(batch, now.done).filter((url) => !isLost(url));
	return statusOf(context, batch, now, {
		path: `/${version}/batch/scrape/${id}`,
		price: pricesOf(batch.options, doneUrls(batch, now.done)),
		pageAt: (index) => JSON.stringify(pageOf(context, batch, good[index])),
		completed: good.length,
		total: batch.total - (now.done - good.length),
	});
}

export const batchCancel = (context: Context) =>
	cancelled(context, context.state.findBatch(context.id));

export function batchErrors(context: Context): ServiceResponse {
	const { state, id } = context;
	const batch = state.findBatch(id);
	const done = batch ? doneUrls(batch, state.now(batch).done) : [];
	return errorsOf(context, batch, {
		failed: done
			.filter((url) => FAILS.test(url))
			.map((url) => ({ url, code: 'SCRAPE_TIMEOUT', error: LATE })),
		blocked: done.filter((url) => BLOCKED.test(url)),
		left: batch?.urls.filter((url) => !done.includes(url)) ?? [],
	});
}

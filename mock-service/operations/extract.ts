import { example } from '../data/example';
import { titleOf } from '../data/page';
import type { Entry } from '../entry';
import { invalidUrls, notFound, ok, type ServiceResponse } from '../response';
import { KEPT_MS, type Job } from '../state';
import { isUrl, withScheme } from '../urls';
import { iso, paid, type Context } from './context';

export function extractStart(context: Context): ServiceResponse {
	const { state, body } = context;
	const urls = (body.urls as string[] | undefined) ?? [];
	const invalid = urls.filter((url) => !isUrl(withScheme(url)));
	if (invalid.length > 0 && body.ignoreInvalidURLs !== true) {
		return invalidUrls(invalid.map((url) => ['urls', urls.indexOf(url)]));
	}
	const credits = 5 * Math.max(1, urls.length - invalid.length);
	return paid(context, 'extractStart', credits, () => {
		const job = state.addJob('extract', body, credits);
		state.note(job.id, 'extract', 'v1', urls[0]);
		const invalidURLs = body.ignoreInvalidURLs === true ? { invalidURLs: invalid } : {};
		return ok({ success: true, id: job.id, ...DEPRECATED, ...invalidURLs });
	});
}

/** Notice that is part of all responses about extractions. */
const DEPRECATED = {
	warnings: ['Extractions are in maintenance: scraping with the format json replaces them.'],
	replacement: '/v2/scrape',
};

/** Returns the result of an extraction, with its sources if requested. */
function extracted({ request, end }: Job): Entry {
	const [first = 'https://docs.northwind.example/'] = (request.urls as string[] | undefined) ?? [];
	const url = first.replace(/[*{}[\]]+.*$/, '');
	const topic = String(request.prompt ?? '');
	return {
		data: end?.data ?? example(request.schema as Entry, { topic, url, title: titleOf(url) }),
		...(request.showSources === true && { sources: { data: [url] } }),
	};
}

/** Returns the status of an extraction; a failed one comes with status 200 and `success: false`. */
export function extractGet({ state, id }: Context): ServiceResponse {
	const job = state.findJob('extract', id);
	if (!job) return notFound('Extract job');
	const now = state.jobNow(job);
	const isDone = now.status === 'completed';
	return ok({
		success: now.status !== 'failed',
		data: [],
		...(isDone && extracted(job)),
		status: now.status,
		...(now.error !== undefined && { error: now.error }),
		...(isDone && { tokensUsed: job.credits * 15, creditsUsed: job.credits }),
		expiresAt: iso(job.createdAt + KEPT_MS.extract),
		...DEPRECATED,
	});
}

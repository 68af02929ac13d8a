import type { IDataObject } from 'n8n-workflow';

import { hasPageContent, pageFailure } from '../shared/run/results/pageFailure';
import { dataOf } from '../shared/run/results/response';
import { checkWait, waitFor } from '../shared/fields/scrapeOptions';
import { below, checkCount, invalid } from '../shared/form/checks';
import { sha256, withoutStop } from '../shared/base/text';
import { isObject, numberOf, without } from '../shared/base/json';
import { breathe } from '../shared/base/time';
import { byKey } from '../shared/base/url';
import { detailLines } from '../shared/client/errors/details';
import { isPageError } from '../shared/client/errors/outcome';
import { ServiceError } from '../shared/client/errors/serviceError';
import { labelOf } from '../shared/form/labels';
import type { Field, Place } from '../shared/form/field';
import type { Form } from '../shared/form/form';
import { readForm } from '../shared/trigger/runPoll';
import { hashedScope } from '../shared/trigger/memory';
import { HEAD_START_MS, type Poll, credentialIdOf } from '../shared/trigger/runPoll';
import { comparedText, dataText } from './content';
import * as form from './fields';
import type { PageContent, PageReading } from './pageState';
import type { PagesTask } from './poll';

/** Shortest timeout (ms) that the service accepts for a scrape. */
const LEAST_TIMEOUT_MS = 1_000;

/** A timeout (ms) to avoid: the service treats it as unset and uses 60 or 120 s, more than a poll has. */
const IGNORED_TIMEOUT_MS = 30_000;

/**
 * Statuses, besides those about limits, that affect all pages alike: a problem with the key or plan, a redirect or
 * proxy in between, or a service that is down or lacks the endpoint.
 */
const STOPPING_STATUSES = /^(3\d\d|40[12457]|50[1-4])$/;

export interface WatchedPages extends PagesTask {
	hasDetails: boolean;
}

/**
 * Reads the node's parameters and returns what to watch and how to read a page. Throws NodeOperationError naming the
 * field.
 */
export async function watchedPages(
	poll: Poll,
	filledIn = readForm(poll.context, form.fields),
): Promise<WatchedPages> {
	const { context, tools, finishBy } = poll;
	const { body: whole, get, value, place } = filledIn;
	const body = without(whole, 'map');
	// A page entered in two spellings is scraped once.
	const urls = [...byKey(value(form.urls) || []).values()];
	const isExtraction = value(form.triggerOn) === 'fields';
	const at = ({ displayName }: Field<unknown>) => below(place, displayName);
	const others = 'Watch the others with a second trigger.';
	checkCount(urls.length, form.MAX_PAGES, 'pages', at(form.urls), others);
	if (isExtraction && body.json === undefined) {
		const remedy = 'Say which fields to extract, or describe them in Prompt.';
		throw invalid(at(form.schema[0]), 'is empty', remedy);
	}
	// Additional Body Fields may set a timeout.
	const wantedTimeout = Number(body.timeout) || value(form.timeout);
	const waitMs = Number(body.waitFor ?? 0);
	// One second to get started, plus the head start.
	const longest = Math.floor(tools.budgetMs - 1_000 - HEAD_START_MS);
	const why = longest < wantedTimeout ? ', the most that fits into a poll' : '';
	const atWait = below(at(form.options), waitFor.displayName);
	checkWait(waitMs, Math.min(wantedTimeout, longest), atWait, why);
	const leastTimeout = Math.max(LEAST_TIMEOUT_MS, 2 * waitMs);
	const { json, ...options } = body;
	const needsText = !isExtraction || value(form.failedTexts) !== '';
	const formats = [
		...(isExtraction ? [{ type: 'json', ...(json as IDataObject) }] : []),
		...(needsText ? ['markdown'] : []),
	];
	// A cached copy, up to two days old, would hide changes.
	const request = { maxAge: 0, formats, ...options };
	const ignored = value(form.ignoreLines) || [];
	const watched = JSON.stringify([value(form.triggerOn), body, ignored, credentialIdOf(context)]);
	return {
		...tools,
		random: Math.random,
		settings: {
			scope: await hashedScope(watched),
			urls,
			leastChange: value(form.leastChange),
			reportChanges: value(form.triggerOn) !== 'failed',
			reportFailures: get(form.ignoreFailures) !== true,
			failuresNeeded: value(form.failuresNeeded),
		},
		read: async (url, isFirst) => {
			const left = finishBy - tools.now() - HEAD_START_MS;
			const wanted = Math.max(leastTimeout, Math.min(wantedTimeout, left));
			const timeout = wanted === IGNORED_TIMEOUT_MS ? wanted + 1 : wanted;
			const sent = { url, ...request, timeout };
			const call = { method: 'POST' as const, path: '/v2/scrape', body: sent };
			// A late page is still paid for, so it may use up the poll's remaining time.
			const within = { isPatient: isFirst, fields: form.fields };
			const response = await poll.call(call, within).catch((error: unknown) => {
				if (error instanceof ServiceError && !concernsAll(error)) return error;
				throw error;
			});
			if (response instanceof ServiceError) return failedBy(response);
			const [page] = dataOf(response.body);
			return await readPageOf(page, value);
		},
		leastMs: leastTimeout + HEAD_START_MS,
		hasDetails: get(form.includeRunDetails) === true,
		nothingRead: (reason) =>
			new ServiceError(urls.length === 1 ? 'The page could not be read' : 'No page could be read', {
				description: `${reason}. Check that it opens in a browser, and see Proxy and Wait For in Options for pages that keep robots out.`,
			}),
	};
}

const failed = (reason: string) => ({ kind: 'failed', reason }) as const;

async function readPageOf(page: IDataObject, value: Form<Place>['value']): Promise<PageReading> {
	const { markdown, json } = page;
	const { title } = isObject(page.metadata) ? page.metadata : {};
	const failure = pageFailure(page);
	if (failure) return { ...failed(failure.message), mayPass: mayPassAt(page) };
	const pageText = typeof markdown === 'string' ? markdown : '';
	const lowerText = pageText.toLowerCase();
	for (const sign of value(form.failedTexts) || []) {
		await breathe();
		if (lowerText.includes(sign.toLowerCase())) return failed(`The page contains "${sign}"`);
	}
	const read = async (text: string, content: PageContent) => ({
		...{ kind: 'read' as const, text, hash: await sha256(text) },
		content: { ...(typeof title === 'string' && { title }), ...content },
	});
	const ignored = value(form.ignoreLines) || [];
	if (value(form.triggerOn) === 'fields') {
		if (typeof json !== 'object' || !hasPageContent({ json }))
			return failed('Nothing could be extracted');
		const data = json as IDataObject | IDataObject[];
		const text = await dataText(data, ignored);
		return text === undefined ? failed('Too much was extracted') : await read(text, { data });
	}
	if (pageText.trim() === '') {
		const isPart = value(form.triggerOn) === 'tags';
		return failed(
			isPart ? 'Nothing on the page fits Tags, or what fits is empty' : 'The page is empty',
		);
	}
	return await read(await comparedText(pageText, ignored), { content: pageText });
}

/**
 * Whether a page that was returned as failed may soon be available again, because its site was busy or out of reach.
 */
function mayPassAt({ metadata }: IDataObject): boolean {
	const status = isObject(metadata) ? numberOf(metadata.statusCode) : 0;
	return status < 400 || status >= 500 || [408, 425, 429].includes(status);
}

/** Returns what the error of a request means for the page. */
function failedBy(error: ServiceError): PageReading {
	const { outcome } = error.details;
	const isOfPage = outcome !== undefined && isPageError(outcome);
	const isRejection = (error.status === 400 || error.status === 403) && !isOfPage;
	const details = outcome?.kind === 'rejected' ? outcome.body?.details : undefined;
	const lines = detailLines(details, (path) => labelOf(form.fields, path));
	const reason = withoutStop([error.message, ...lines].join('. '));
	return { ...failed(reason), ...(isRejection ? { rejection: error } : { mayPass: true }) };
}

function concernsAll({ details: { outcome, failure }, status }: ServiceError): boolean {
	if (failure?.cause === 'rate-limited') return true;
	if (status !== undefined) return STOPPING_STATUSES.test(String(status));
	// The page may have been too slow for the service to respond in time.
	return outcome?.kind !== 'noResponse' || outcome.code !== 'TIMEOUT';
}

import type { IDataObject } from 'n8n-workflow';

import { pageFailure } from '../shared/run/results/pageFailure';
import { waitFor } from '../shared/fields/scrapeOptions';
import { checkCount, invalid } from '../shared/form/checks';
import { labelOf } from '../shared/form/labels';
import { sha256, withoutStop } from '../shared/base/text';
import { isObject, numberOf, without } from '../shared/base/json';
import { breathe } from '../shared/base/time';
import { byKey } from '../shared/base/url';
import { detailLines } from '../shared/client/errors/details';
import { isPageError } from '../shared/client/errors/outcome';
import { ServiceError } from '../shared/client/errors/serviceError';
import type { Place } from '../shared/form/field';
import type { Form } from '../shared/form/form';
import { readForm } from '../shared/trigger/form';
import { hashedScope } from '../shared/trigger/memory';
import { HEAD_START_MS, type Poll, credentialIdOf } from '../shared/trigger/runPoll';
import { comparedText, dataText } from './content';
import * as form from './fields';
import type { PageContent } from './items';
import type { PagesTask, ReadPage } from './poll';

/** Shortest timeout (ms) that the service accepts for a scrape. */
const LEAST_TIMEOUT_MS = 1_000;

/** A timeout (ms) to avoid: the service treats it as unset and uses 60 or 120 s, more than a poll has. */
const IGNORED_TIMEOUT_MS = 30_000;

/**
 * Statuses, besides those about limits, that affect all pages alike: a problem with the key or plan, a redirect or
 * proxy in between, or a service that is down or lacks the endpoint.
 */
const STOPPING_STATUSES = /^(3\d\d|40[12457]|50[1-4])$/;

export type WatchedPages = Pick<
	PagesTask<PageContent>,
	'settings' | 'read' | 'leastMs' | 'nothingRead'
>;

/**
 * Reads the node's parameters and returns what to watch and how to read a page. Throws NodeOperationError naming the
 * field.
 */
export async function watchedPages(poll: Poll): Promise<WatchedPages> {
	const { context } = poll;
	const { body: whole, value } = readForm(context, form.fields);
	const body = without(whole, 'map');
	// A page entered in two spellings is scraped once.
	const urls = [...byKey(value(form.urls) || []).values()];
	checkForm(poll, urls, body, value);
	// Additional Body Fields may set a timeout.
	const wantedTimeout = Number(body.timeout) || value(form.timeout);
	checkPollWait(poll, body, wantedTimeout);
	const request = requestOf(body, value);
	const leastTimeout = Math.max(LEAST_TIMEOUT_MS, 2 * waitOf(body));
	const ignored = value(form.ignoreLines) || [];
	const watched = JSON.stringify([value(form.watch), body, ignored, credentialIdOf(context)]);
	return {
		settings: {
			scope: await hashedScope(watched),
			urls,
			leastChange: value(form.leastChange),
			reportChanges: value(form.events).includes('changed'),
			reportFailures: value(form.events).includes('failed'),
			failuresNeeded: value(form.failuresNeeded),
			maxKeptText: value(form.maxKeptText),
		},
		read: async (url, isFirst) => {
			const left = poll.finishBy - poll.tools.now() - HEAD_START_MS;
			const wanted = Math.max(leastTimeout, Math.min(wantedTimeout, left));
			const timeout = wanted === IGNORED_TIMEOUT_MS ? wanted + 1 : wanted;
			const body = { url, ...request, timeout };
			const call = { method: 'POST' as const, path: '/v2/scrape', body };
			// A late page is still paid for, so it may use up the poll's remaining time.
			const within = { isPatient: isFirst, fields: form.fields };
			const response = await poll.call(call, within).catch((error: unknown) => {
				if (error instanceof ServiceError && !concernsAll(error)) return error;
				throw error;
			});
			if (response instanceof ServiceError) return failedBy(response);
			const { data } = response.body;
			return await readPageOf(isObject(data) ? data : {}, value);
		},
		leastMs: leastTimeout + HEAD_START_MS,
		nothingRead: (reason) =>
			new ServiceError(urls.length === 1 ? 'The page could not be read' : 'No page could be read', {
				description: `${reason}. Check that it opens in a browser, and see Proxy and Wait For in Options for pages that keep robots out.`,
			}),
	};
}

function checkForm(
	{ context }: Poll,
	urls: string[],
	body: IDataObject,
	value: Form<Place>['value'],
): void {
	const node = context.getNode();
	const at = { node, labels: [form.urls.displayName] };
	checkCount(urls.length, form.MAX_PAGES, 'pages', at, 'Watch the others with a second trigger.');
	if (value(form.watch) === 'fields' && body.json === undefined) {
		throw invalid(
			{ node, labels: [form.schema[0].displayName] },
			'is empty',
			'Say which fields to extract, or describe them in Prompt.',
		);
	}
}

/** Returns the time (ms) that the service should wait before it reads a page. */
function waitOf({ waitFor }: IDataObject): number {
	return Number(waitFor ?? 0);
}

/**
 * Throws for a wait that leaves less than half of the timeout for the page, as the service does, and for one that
 * doesn't fit into a poll.
 */
function checkPollWait({ context, tools }: Poll, body: IDataObject, timeout: number): void {
	// One second to get started, plus the head start.
	const longest = Math.min(timeout, Math.floor(tools.budgetMs - 1_000 - HEAD_START_MS));
	if (2 * waitOf(body) <= longest || waitOf(body) === 0) return;
	const why = longest < timeout ? ', the most that fits into a poll' : '';
	throw invalid(
		{ node: context.getNode(), labels: [waitFor.displayName] },
		`is ${waitOf(body)}, but must be at most half of Timeout (${longest}${why})`,
		why ? 'Lower this.' : 'Raise Timeout or lower this.',
	);
}

/** Returns the body of a scrape, without the URL and the timeout. */
function requestOf({ json, ...body }: IDataObject, value: Form<Place>['value']): IDataObject {
	const isExtraction = value(form.watch) === 'fields';
	const needsText = !isExtraction || value(form.failedTexts) !== '';
	return {
		// A cached copy, up to two days old, would hide changes.
		maxAge: 0,
		formats: [
			...(isExtraction ? [{ type: 'json', ...(json as IDataObject) }] : []),
			...(needsText ? ['markdown'] : []),
		],
		...body,
	};
}

async function readPageOf(
	page: IDataObject,
	value: Form<Place>['value'],
): Promise<ReadPage<PageContent>> {
	const { markdown, json } = page;
	const { title, error } = isObject(page.metadata) ? page.metadata : {};
	const failure = pageFailure(page);
	if (failure) {
		const detail = typeof error === 'string' && error !== '' ? `: ${error}` : '';
		return { kind: 'failed', reason: failure.message + detail, mayPass: mayPassAt(page) };
	}
	const content: PageContent = { ...(typeof title === 'string' && { title }) };
	const ignored = value(form.ignoreLines) || [];
	const pageText = typeof markdown === 'string' ? markdown : '';
	const lowerText = pageText.toLowerCase();
	for (const failed of value(form.failedTexts) || []) {
		await breathe();
		if (!lowerText.includes(failed.toLowerCase())) continue;
		return { kind: 'failed', reason: `The page contains "${failed}"` };
	}
	let text: string;
	if (value(form.watch) === 'fields') {
		if (typeof json !== 'object' || json === null || Object.keys(json).length === 0) {
			return { kind: 'failed', reason: 'Nothing could be extracted' };
		}
		content.data = json as IDataObject | IDataObject[];
		const data = await dataText(content.data, ignored);
		if (data === undefined) return { kind: 'failed', reason: 'Too much was extracted' };
		text = data;
	} else {
		if (pageText.trim() === '') {
			const isPart = value(form.watch) === 'tags';
			const reason = isPart
				? 'Nothing on the page fits Tags, or what fits is empty'
				: 'The page is empty';
			return { kind: 'failed', reason };
		}
		content.content = pageText;
		text = await comparedText(pageText, ignored);
	}
	return { kind: 'read', text, hash: await sha256(text), content };
}

/**
 * Whether a page that was returned as failed may soon be available again, because its site was busy or out of reach.
 */
function mayPassAt({ metadata }: IDataObject): boolean {
	const status = isObject(metadata) ? numberOf(metadata.statusCode) : 0;
	return status < 400 || status >= 500 || [408, 425, 429].includes(status);
}

/** Returns what the error of a request means for the page. */
function failedBy(error: ServiceError): ReadPage<PageContent> {
	const { outcome } = error.details;
	const nameOf = (path: Array<string | number>) => labelOf(form.fields, path);
	const isOfPage = outcome !== undefined && isPageError(outcome);
	const isRejection = (error.status === 400 || error.status === 403) && !isOfPage;
	const details = outcome?.kind === 'rejected' ? outcome.body?.details : undefined;
	return {
		kind: 'failed',
		reason: withoutStop([error.message, ...detailLines(details, nameOf)].join('. ')),
		...(isRejection ? { rejection: error } : { mayPass: true }),
	};
}

function concernsAll({ details: { outcome, failure }, status }: ServiceError): boolean {
	if (failure?.cause === 'rate-limited') return true;
	if (status !== undefined) return STOPPING_STATUSES.test(String(status));
	// The page may have been too slow for the service to respond in time.
	return outcome?.kind !== 'noResponse' || outcome.code !== 'TIMEOUT';
}

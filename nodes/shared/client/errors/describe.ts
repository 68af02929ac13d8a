import type { IDataObject } from 'n8n-workflow';

import { hasContent, isObject } from '../../base/json';
import {
	LONGEST_SEARCHED,
	beginningOf,
	plural,
	sentences,
	shortened,
	textOf,
	withoutEnd,
} from '../../base/text';
import type { About } from '../types';
import { actionLine, remedyOf, waitLine } from './advice';
import { OWN_CODES, connectionOf } from './connections';
import { detailLines } from './details';
import {
	type Failed,
	NOT_IMPLEMENTED,
	type Rejected,
	isUnsure,
	mayBeBilled,
	statedCredits,
} from './outcome';
import { type PageError, costOfPage, pageErrorOf } from './pageErrors';
import { ServiceError } from './serviceError';
import {
	type ErrorText,
	mayPass,
	missingEndpoint,
	problems,
	rejectedOnTheWay,
	rejections,
} from './texts';

const PROXY =
	'The request goes through the proxy in Settings → Request Options → Proxy, which may be the cause.';
const MAYBE_DONE =
	'The service may have processed and billed the request, so it was not sent again.';

/** Returns the error for a failed call: what happened, what to do, and n8n's `failure` declaration. */
export function serviceErrorOf(outcome: Failed, about: About): ServiceError {
	const { jobId, method, remedy } = about;
	const rejected: Partial<Rejected> = outcome.kind === 'rejected' ? outcome : {};
	const { body = {}, location, retryAfterMs, isUnsent } = rejected;
	const code = outcome.kind === 'noResponse' ? outcome.code : undefined;
	const page = pageErrorOf(body, about.isFile);
	const words = wordsOf(outcome, about, page);
	const { message, cause } = words;
	const stated = statedCredits(outcome);
	// What a start or a question about a job says isn't what the job costs.
	const spent = method === 'POST' && !about.startsJob ? stated : undefined;
	const lost = wayToJob(outcome, about);
	const started = about.startsJob?.idIn(body);
	const isTimed = retryAfterMs !== undefined && (mayPass(cause) || cause === 'quota-exhausted');
	const description = sentences([
		...detailLines(body.details, about.nameOf),
		// If a job may have been started, that has to be checked before it is started again.
		remedy ?? ((lost === undefined || !mayPass(cause)) && remedyOf(words, about)),
		lost,
		costOf(page, stated, about),
		location !== undefined && `It redirects to ${shortened(location)}.`,
		outcome.kind === 'rejected' && waitLine(rejected, about),
		actionLine(body),
		code !== undefined && about.http?.proxy && PROXY,
		isUnsure(outcome, method) && MAYBE_DONE,
		isUnsent && rejected.status !== 429 && 'This item was not sent.',
		quote(outcome, message),
	]);
	return new ServiceError(message, {
		description,
		reason: statedReason(outcome),
		outcome,
		jobId: started ?? jobId,
		// It may be running nevertheless.
		...(started !== undefined && { getBy: about.startsJob!.getBy, isRunning: true }),
		lacksJob: jobId !== undefined,
		service: serviceFields(outcome),
		failure: cause && { cause, ...(isTimed && { retryAfterMs }) },
		// An item whose job was started doesn't count as unsent.
		isUnsent: isUnsent && jobId === undefined,
		credits: spent ?? (method === 'POST' && !mayBeBilled(outcome) && !started ? 0 : undefined),
		mostCredits: page?.credits,
		mayBeBilled: isUnsure(outcome, method),
		isOutOfTime: about.isOutOfTime || code === OWN_CODES.outOfTime,
	});
}

/** Returns how to find the job that a failed start may have started; undefined if it can't have started one. */
export function wayToJob(
	outcome: Failed,
	{ startsJob, method }: Pick<About, 'startsJob' | 'method'>,
): string | undefined {
	const id = outcome.kind === 'rejected' ? startsJob?.idIn(outcome.body ?? {}) : undefined;
	if (id !== undefined) return startsJob!.see(id);
	return isUnsure(outcome, method) ? startsJob?.find : undefined;
}

/** Returns what a failed page costs, unless the call is free or has advice of its own. */
function costOf(
	page: PageError | undefined,
	stated: number | undefined,
	{ method, remedy }: About,
): string {
	const credits = page && (stated ?? page.credits);
	if (credits === undefined || remedy !== undefined) return '';
	if (method !== 'POST') return credits === 0 ? costOfPage(credits) : '';
	return stated
		? `The service billed it with ${credits} ${plural(credits, 'credit')}.`
		: costOfPage(credits);
}

/** Statuses that say little: the service's own words follow our message. */
const VAGUE = [200, 400, 403, 409, 422];

function wordsOf(outcome: Failed, about: About, page?: PageError): ErrorText {
	if (outcome.kind === 'unreadable') return problems[outcome.problem];
	if (outcome.kind === 'noResponse') {
		const words = connectionOf(outcome.code);
		return { ...words, message: words.message.replace('{host}', new URL(about.root).host) };
	}
	const { status, location } = outcome;
	const known = knownWordsOf(outcome, about) ?? page;
	if (isMissingEndpoint(outcome, about, known)) {
		const message = `${missingEndpoint.message}: ${about.method} ${about.path}`;
		return { ...missingEndpoint, message };
	}
	if (isFromBetween(outcome)) return rejectedOnTheWay;
	// A 3xx without another address is not a redirect.
	const group = status < 400 && location === undefined ? '4xx' : `${String(status)[0]}xx`;
	const words = known ?? rejections[status] ?? rejections[group] ?? rejections['4xx'];
	const said = VAGUE.includes(status) || page !== undefined ? saidBy(outcome) : '';
	return said === '' ? words : { ...words, message: `${words.message}: ${said}` };
}

/** Returns the service's own error text on one line; a bare code becomes a sentence. */
export function saidBy({ body }: Rejected): string {
	const [error, message] = [body?.error, body?.message].map((text) =>
		withoutEnd(
			beginningOf(textOf(text ?? ''), LONGEST_SEARCHED).replace(/\s+/g, ' '),
			'. ',
		).trimStart(),
	);
	const isBoth = error !== '' && message !== '' && error !== message;
	return shortened(isBoth ? `${message} (${error})` : error || message);
}

/**
 * Rejections without a code, recognized by `status path text`: the path that was called, and the service's own words.
 */
const BY_TEXT: Array<[rejection: string, pattern: RegExp]> = [
	['429 queue', /^429 \S+ Queue limit reached/i],
	['429 browsers', /^429 .*browser sessions/is],
	['409 profile', /^409 .*profile/is],
	['4xx browser', /^(404 \S+\/interact .*session|(409|410) \S+\/interact )/is],
	['410 extract', /^410 \S+\/extract\b/],
	['404', /^404 \/v2\/(scrape|monitor)\/[^ ]/],
	['409 ended', /^409 .*\b(already|has( been)?) (finished|completed|cancell?ed|failed|ended)/is],
	['5xx account', /^5\d\d \/v2\/team\//],
];

/** Returns the text for what a rejection says by its code or words; undefined if it says nothing known. */
function knownWordsOf({ status, body }: Rejected, { path }: About): ErrorText | undefined {
	const text = `${status} ${path} ${textOf(body?.error)}`;
	// The request timed out while the service is still reading a large document.
	if (isObject(body?.details) && body.details.state === 'processing_continues') {
		return rejections['408 document'];
	}
	const [key = `${status} ${textOf(body?.code)}`] =
		BY_TEXT.find(([, pattern]) => pattern.test(text)) ?? [];
	return rejections[key];
}

/**
 * Whether the service lacks the endpoint: on a path without an ID, nothing else can be missing, unless a code says so.
 * With an ID, a web page comes from the service's framework.
 */
function isMissingEndpoint(
	{ status, body, excerpt }: Rejected,
	{ jobId }: About,
	known?: ErrorText,
): boolean {
	if (status === 405 || status === NOT_IMPLEMENTED) return true;
	if (status !== 404) return false;
	return jobId === undefined
		? known === undefined
		: body === undefined && excerpt.trimStart().startsWith('<');
}

/** Whether the response is a web page from a server in between, such as a login page. */
function isFromBetween({ status, body, excerpt }: Rejected): boolean {
	return (status === 401 || status === 403) && body === undefined && excerpt.startsWith('<');
}

/** Returns why there was no response. */
function statedReason(outcome: Failed): string | undefined {
	if (outcome.kind !== 'noResponse') return undefined;
	const code = Object.values(OWN_CODES).includes(outcome.code) ? '' : outcome.code;
	const reason = [code, outcome.reason].filter((part) => part !== '').join(': ');
	return reason === '' ? undefined : `Reason: ${shortened(reason)}.`;
}

/**
 * Returns a quote from the response, if there is one. The service's own words are omitted if the message already
 * contains them.
 */
function quote(outcome: Failed, message: string): string {
	if (outcome.kind === 'noResponse') return '';
	const { status, excerpt } = outcome;
	if (outcome.kind === 'unreadable') {
		const came = excerpt === '' ? 'nothing' : `“${excerpt}”`;
		return `Received (status ${status}, ${outcome.contentType || 'no content type'}): ${came}.`;
	}
	if (outcome.isUnsent) return '';
	const isMissing = message.startsWith(missingEndpoint.message);
	const said = saidBy(outcome) || (isMissing ? '' : excerpt);
	const code = typeof outcome.body?.code === 'string' ? `, code ${outcome.body.code}` : '';
	const text = message.endsWith(said) ? '' : `: “${said}”`;
	const who = isFromBetween(outcome) ? 'It' : 'The service';
	return `${who} responded with status ${status}${code}${text}.`;
}

/** Returns the service's own fields, with the data of a response with `success: false`, which may have been billed. */
function serviceFields(outcome: Failed): IDataObject {
	if (outcome.kind === 'noResponse')
		return outcome.code === '' ? {} : { connectionError: outcome.code };
	if (outcome.kind === 'unreadable') return {};
	const { status, body = {}, retryAfterMs } = outcome;
	const { error: serviceError, code, details, warning, warnings, requiresAction } = body;
	const data = status < 300 && hasContent(body.data) ? body.data : undefined;
	const own = { serviceError, code, details, warning, warnings, requiresAction };
	const known = Object.entries({ ...own, retryAfterMs, data });
	return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

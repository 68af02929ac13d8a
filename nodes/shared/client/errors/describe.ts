import type { IDataObject } from 'n8n-workflow';

import { hasContent, isObject } from '../../base/json';
import {
	LONGEST_SEARCHED,
	beginningOf,
	sentences,
	shortened,
	textOf,
	withoutEnd,
} from '../../base/text';
import { creditsIn } from '../credits';
import type { About } from './about';
import { remedyOf } from './advice';
import { OWN_CODES, connectionOf } from './connections';
import { detailLines } from './details';
import { type ErrorText, type Failure, mayPass } from './failure';
import {
	type Failed,
	NOT_IMPLEMENTED,
	type Outcome,
	type Rejected,
	isPageError,
	mayBeBilled,
} from './outcome';
import { actionLine, redirectLine, urlsLine, waitLine } from './notes';
import { costOfPage, pageErrorOf } from './pageErrors';
import { ServiceError } from './serviceError';
import { missingEndpoint, problems, rejectedOnTheWay, rejections } from './texts';

const PROXY =
	'The request goes through the proxy in Settings → Request Options → Proxy, which may be the cause.';
const MAYBE_DONE =
	'The service may have processed and billed the request, so it was not sent again.';
const KEPT = ['code', 'details', 'warning', 'warnings', 'requiresAction'];

/** Returns the error for a failed call: what happened, what to do, and n8n's `failure` declaration. */
export function serviceErrorOf(outcome: Failed, about: About): ServiceError {
	const { jobId, nameOf } = about;
	const body = outcome.kind === 'rejected' ? (outcome.body ?? {}) : {};
	// What a start or a question about a job says isn't what the job costs.
	const told = about.method === 'POST' && !about.startsJob ? creditsIn(body) : undefined;
	const words = wordsOf(outcome, about);
	const credits = pageErrorOf(body)?.credits;
	const description = sentences([
		...detailLines(body.details, nameOf),
		...adviceOf(outcome, words, about),
		told === undefined && costOf(credits, about),
		...notes(outcome, about),
		quote(outcome, words.message),
	]);
	return new ServiceError(words.message, {
		description,
		reason: statedReason(outcome),
		outcome,
		jobId,
		lacksJob: jobId !== undefined,
		service: { ...serviceFields(outcome), ...resultIn(outcome) },
		failure: failureFor(outcome, words.cause),
		// An item whose job was started doesn't count as unsent.
		isUnsent: outcome.kind === 'rejected' && outcome.isUnsent && jobId === undefined,
		credits: told ?? (about.method === 'POST' && !mayBeBilled(outcome) ? 0 : undefined),
		mostCredits: credits,
		mayBeBilled: isUnsure(outcome, about),
		isOutOfTime: about.isOutOfTime || codeOf(outcome) === OWN_CODES.outOfTime,
	});
}

/** Returns what to do. If a job may have been started, that has to be checked before it is started again. */
function adviceOf(outcome: Failed, words: ErrorText, about: About): string[] {
	const lost = wayToJob(outcome, about);
	if (lost === undefined) return [about.remedy ?? remedyOf(words, about)];
	if (about.remedy !== undefined) return [about.remedy, lost];
	return mayPass(words.cause) ? [lost] : [remedyOf(words, about), lost];
}

/** Returns how to find the job that a failed start may have started; undefined if it can't have started one. */
export function wayToJob(
	outcome: Failed,
	{ startsJob, method }: Pick<About, 'startsJob' | 'method'>,
): string | undefined {
	const named = outcome.kind === 'rejected' ? startsJob?.namedIn(outcome.body ?? {}) : undefined;
	return named ?? (isUnsure(outcome, { method }) ? startsJob?.find : undefined);
}

/** Returns what a failed page costs, unless the call is free or has advice of its own. */
function costOf(credits: number | undefined, { method, remedy }: About): string {
	if (credits === undefined || remedy !== undefined) return '';
	return method === 'POST' || credits === 0 ? costOfPage(credits) : '';
}

function failureFor(outcome: Failed, cause: Failure['cause'] | undefined): Failure | undefined {
	if (cause === undefined) return undefined;
	const retryAfterMs = outcome.kind === 'rejected' ? outcome.retryAfterMs : undefined;
	const isTimed = mayPass(cause) || cause === 'quota-exhausted';
	return { cause, ...(isTimed && retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Statuses that say little: the service's own words follow our message. */
const VAGUE = [200, 400, 403, 409, 422];

function wordsOf(outcome: Failed, about: About): ErrorText {
	if (outcome.kind === 'unreadable') return problems[outcome.problem];
	if (outcome.kind === 'noResponse') {
		const words = connectionOf(outcome.code);
		return { ...words, message: words.message.replace('{host}', new URL(about.root).host) };
	}
	const { status, body, location } = outcome;
	if (isMissingEndpoint(outcome, about)) {
		const message = `${missingEndpoint.message}: ${about.method} ${about.path}`;
		return { ...missingEndpoint, message };
	}
	if (isFromBetween(outcome)) return rejectedOnTheWay;
	// A 3xx without another address is not a redirect.
	const group = status < 400 && location === undefined ? '4xx' : `${String(status)[0]}xx`;
	const ofPage = pageErrorOf(body, about.isFile);
	const words =
		knownWordsOf(outcome, about) ??
		ofPage ??
		rejections[status] ??
		rejections[group] ??
		rejections['4xx'];
	const said = VAGUE.includes(status) || ofPage !== undefined ? saidBy(outcome) : '';
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
const BY_TEXT: Array<[rejection: string, told: RegExp]> = [
	['429 queue', /^429 \S+ Queue limit reached/i],
	['429 browsers', /^429 .*browser sessions/is],
	['409 profile', /^409 .*profile/is],
	['4xx browser', /^(404 \S+\/interact .*session|(409|410) \S+\/interact )/is],
	['410 extract', /^410 \S+\/extract\b/],
	['404 scrape', /^404 \/v2\/scrape\/[^/ ]+(\/interact)? /],
	['409 ended', /^409 .*\b(already|has( been)?) (finished|completed|cancell?ed|failed|ended)/is],
	['5xx account', /^5\d\d \/v2\/team\//],
];

/** Returns the text for what a rejection says by its code or words; undefined if it says nothing known. */
function knownWordsOf({ status, body }: Rejected, { path }: About): ErrorText | undefined {
	const told = `${status} ${path} ${textOf(body?.error)}`;
	// The request timed out while the service is still reading a large document.
	if (isObject(body?.details) && body.details.state === 'processing_continues') {
		return rejections['408 document'];
	}
	const [key = `${status} ${textOf(body?.code)}`] =
		BY_TEXT.find(([, pattern]) => pattern.test(told)) ?? [];
	return rejections[key];
}

/**
 * Whether the service lacks the endpoint: on a path without an ID, nothing else can be missing, unless a code says so.
 * With an ID, a web page comes from the service's framework.
 */
function isMissingEndpoint(outcome: Rejected, about: About): boolean {
	const { status, body, excerpt } = outcome;
	if (status === 405 || status === NOT_IMPLEMENTED) return true;
	if (status !== 404) return false;
	if (about.jobId !== undefined) return body === undefined && excerpt.trimStart().startsWith('<');
	return (pageErrorOf(body) ?? knownWordsOf(outcome, about)) === undefined;
}

/** Whether the response is a web page from a server in between, such as a login page. */
function isFromBetween({ status, body, excerpt }: Rejected): boolean {
	return (status === 401 || status === 403) && body === undefined && excerpt.startsWith('<');
}

/** Returns further notes for the user. */
function notes(outcome: Failed, about: About): string[] {
	const isRejection = outcome.kind === 'rejected';
	return [
		isRejection && outcome.location !== undefined ? redirectLine(outcome.location, about) : '',
		isRejection ? waitLine(outcome, about) : '',
		isRejection ? actionLine(outcome) : '',
		outcome.kind === 'noResponse' && about.hasProxy ? PROXY : '',
		isRejection && /\bno valid urls?\b/i.test(saidBy(outcome)) ? urlsLine(about.urls) : '',
		isUnsure(outcome, about) ? MAYBE_DONE : '',
		isRejection && outcome.isUnsent && outcome.status !== 429 ? 'This item was not sent.' : '',
	];
}

function codeOf(outcome: Failed): string | undefined {
	return outcome.kind === 'noResponse' ? outcome.code : undefined;
}

/** Whether it is uncertain if a call was processed and billed. */
function isUnsure(outcome: Failed, { method }: Pick<About, 'method'>): boolean {
	return method === 'POST' && mayBeBilled(outcome) && !isPageError(outcome);
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
	if (outcome.kind === 'unreadable') {
		const type = outcome.contentType === '' ? 'no content type' : outcome.contentType;
		const came = outcome.excerpt === '' ? 'nothing' : `“${outcome.excerpt}”`;
		return `Received (status ${outcome.status}, ${type}): ${came}.`;
	}
	if (outcome.isUnsent) return '';
	const isMissing = message.startsWith(missingEndpoint.message);
	const said = saidBy(outcome) || (isMissing ? '' : outcome.excerpt);
	const code = typeof outcome.body?.code === 'string' ? `, code ${outcome.body.code}` : '';
	const text = message.endsWith(said) ? '' : `: “${said}”`;
	const who = isFromBetween(outcome) ? 'It' : 'The service';
	return `${who} responded with status ${outcome.status}${code}${text}.`;
}

/** Returns the data of a response with `success: false`, which may have been billed. */
function resultIn(outcome: Outcome): IDataObject {
	if (outcome.kind !== 'rejected' || outcome.status >= 300) return {};
	const { data } = outcome.body ?? {};
	return hasContent(data) ? { data } : {};
}

function serviceFields(outcome: Failed): IDataObject {
	const fields: IDataObject = {};
	if (outcome.kind === 'rejected') {
		const { error, ...body } = outcome.body ?? {};
		if (error !== undefined) fields.serviceError = error;
		for (const key of KEPT) if (body[key] !== undefined) fields[key] = body[key];
		if (outcome.retryAfterMs !== undefined) fields.retryAfterMs = outcome.retryAfterMs;
	}
	if (outcome.kind === 'noResponse' && outcome.code !== '') fields.connectionError = outcome.code;
	return fields;
}

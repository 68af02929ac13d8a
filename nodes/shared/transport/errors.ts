import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type JsonObject,
} from 'n8n-workflow';

import { hasContent, isObject, listOf, textOf } from '../json';
import { beginningOf, LONGEST_SEARCHED, sentences, shortened, withoutStop } from '../text';
import {
	connections,
	missingEndpoint,
	problems,
	proxyDown,
	rejectedOnTheWay,
	rejections,
	waitTooLong,
	type ErrorText,
	type Failure,
} from './errorTexts';
import { OWN_CODES } from './http';
import { issuesIn } from './issues';
import type { Failed, NoResponse, Outcome, Rejected } from './outcome';
import { LONGEST_ADDED_MS } from './limiter/retryAfter';
import { isPageError, pageError } from './pageErrors';
import { mayBeBilled, NOT_IMPLEMENTED } from './retry';
import { parsedUrl } from './root';
import type { CallSettings, ServiceCall } from './types';

const MAYBE_DONE =
	'The service may have processed and billed the request, so it was not sent again.';
const TERMS = '403 THIRD_PARTY_DATA_TERMS_REQUIRED';
/** What an error keeps of the service's response, besides its text. */
const KEPT = ['code', 'details', 'warning', 'warnings', 'requiresAction'];
/** Shorter waits (ms) are not mentioned. */
const NOTICED_MS = 1_000;

/** What an error is about besides its outcome. */
export interface About {
	node: INode;
	/** The input item the call is for, counted from 0. */
	itemIndex?: number;
	call: ServiceCall;
	settings: CallSettings;
	/** The service's root address. */
	root: string;
	/** Ms this call waited because of rate limits. */
	waitedMs: number;
}

/**
 * The error for a call that failed: what happened and what to do, with the service's own words, status and code, the
 * item, the job, and n8n's `failure` declaration. `context.service` has the service's own fields.
 */
export function errorOf(outcome: Failed, about: About): NodeApiError {
	const { node, itemIndex, settings } = about;
	const words = wordsOf(outcome, about);
	const { jobId } = settings;
	const cost = knownCost(outcome, about);
	const service = serviceFields(outcome, jobId);
	const description = sentences([
		...(outcome.kind === 'rejected' ? detailLines(outcome.body?.details, settings.nameOf) : []),
		settings.remedy ?? ((settings.isPoll && words.pollRemedy) || words.remedy),
		...notes(outcome, about, cost),
		quote(outcome, words.message),
		jobId === undefined ? '' : `Job: ${jobId}.`,
	]);
	const httpCode = outcome.kind === 'noResponse' ? undefined : String(outcome.status);
	// Plain and without a cause: n8n's and axios' errors hold the request with its key.
	const error = new NodeApiError(node, service as JsonObject, {
		message: words.message,
		description,
		httpCode,
		itemIndex,
		level: 'warning',
	});
	// NodeApiError replaces texts in which it finds words such as ECONNRESET, e.g. as part of a quote.
	error.message = words.message;
	error.description = description;
	error.messages = [];
	error.httpCode = httpCode ?? null;
	error.context.service = { ...service, ...resultIn(outcome) };
	costs.set(error, cost);
	// An item whose job was started is none that wasn't sent.
	if (outcome.kind === 'rejected' && outcome.isUnsent && jobId === undefined) asUnsent(error);
	const failure = declaredFailure(outcome, words.cause);
	return failure === undefined ? error : Object.assign(error, { failure });
}

/** The node and the item that an error is for. */
export interface NodeItem {
	node: INode;
	itemIndex?: number;
}

/** What an error says, and what the error output has beside it. */
interface PlainText {
	message: string;
	description: string;
	level?: 'warning';
	/** The job it is about. */
	jobId?: string;
	/** What the service sent all the same. */
	data?: IDataObject;
}

/** An error of the service with just these texts: NodeApiError replaces those in which it finds words such as ECONNRESET. */
export function plainError(
	{ node, itemIndex }: NodeItem,
	{ message, description, level, ...service }: PlainText,
): NodeApiError {
	const error = new NodeApiError(node, {}, { itemIndex, level });
	if (Object.keys(service).length > 0) error.context.service = service;
	return Object.assign(error, { message, description });
}

/** What POSTs that failed cost, where that is known. Not part of the error itself, which n8n stores. */
const costs = new WeakMap<Error, number | undefined>();

/** What the POST that an error is about is taken to have cost, in credits; undefined where it may have cost its price. */
export function costOf(error: Error): number | undefined {
	return costs.get(error);
}

/** See costOf: nothing, or the checks of a page that could not be scraped. */
function knownCost(outcome: Outcome, { call, settings }: About): number | undefined {
	if (call.method !== 'POST' || mayBeBilled(outcome)) return undefined;
	return isPageError(outcome) ? (settings.checksCost ?? 0) : 0;
}

/** Errors that say that the request was not sent. Not part of the error itself, which n8n stores. */
const unsent = new WeakSet<Error>();

/** The error, which counts among what was not sent. */
export function asUnsent<E extends Error>(error: E): E {
	unsent.add(error);
	return error;
}

/** Whether an error says that the request was not sent. */
export function isUnsent(error: Error): boolean {
	return unsent.has(error);
}

/** Whether the failure that an error declares may be over when the call is sent again later. */
export function isTemporary(error: unknown): boolean {
	const { failure } = error as { failure?: Failure };
	return failure?.cause === 'temporarily-unavailable' || failure?.cause === 'rate-limited';
}

/** An error ready for the user: n8n's, with message, description and item. */
export type NodeError = NodeApiError | NodeOperationError;

/** The error as n8n's; one of another kind is wrapped. */
export function nodeErrorOf(error: unknown, node: INode, itemIndex?: number): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error as Error, { itemIndex });
}

/** The error for an execution that was cancelled. */
export function cancelled(node: INode, itemIndex?: number): NodeOperationError {
	return new NodeOperationError(node, 'The execution was cancelled', {
		itemIndex,
		level: 'warning',
	});
}

function declaredFailure(
	outcome: Outcome,
	cause: Failure['cause'] | undefined,
): Failure | undefined {
	if (cause === undefined) return undefined;
	const wait = outcome.kind === 'rejected' ? outcome.retryAfterMs : undefined;
	const isTimed = ['rate-limited', 'quota-exhausted', 'temporarily-unavailable'].includes(cause);
	return isTimed && wait !== undefined ? { cause, retryAfterMs: wait } : { cause };
}

function wordsOf(outcome: Failed, about: About): ErrorText {
	if (outcome.kind === 'unreadable') return problems[outcome.problem];
	if (outcome.kind === 'noResponse') {
		const [, words] = connections.find(([code]) => code.test(outcome.code))!;
		const proxy = proxyOf(outcome, about);
		const message = words.message.replace('{host}', proxy ?? new URL(about.root).host);
		return proxy === undefined
			? { ...words, message }
			: { ...proxyDown, cause: words.cause, message };
	}
	const { status, body, location } = outcome;
	if (isMissingEndpoint(outcome)) {
		const { method, path } = about.call;
		return { ...missingEndpoint, message: `${missingEndpoint.message}: ${method} ${path}` };
	}
	if (isFromBetween(outcome)) return rejectedOnTheWay;
	if (isQueueFull(outcome)) return rejections['429 queue'];
	if (status === 429 && about.waitedMs < NOTICED_MS) {
		return { ...rejections['429'], message: waitTooLong };
	}
	if (isBeingRead(outcome)) return documentWords(outcome);
	const isForId = status === 404 && about.settings.jobId !== undefined;
	// A 3xx that names no other address is no redirect.
	const group = status < 400 && location === undefined ? '4xx' : `${String(status)[0]}xx`;
	const words =
		rejections[`${status} ${textOf(body?.code)}`] ??
		pageError(body) ??
		rejections[isForId ? '404 job' : status] ??
		rejections[group] ??
		rejections['4xx'];
	if (words === rejections[TERMS]) return termsWords(outcome);
	const isVague = [200, 400, 403, 409].includes(status) || words === rejections['404'];
	if (!isVague && pageError(body) === undefined) return words;
	const said = saidBy(outcome);
	return said === '' ? words : { ...words, message: `${words.message}: ${said}` };
}

/** The service's own error text, in one line: its sentence first, where the error beside it is but a code. */
function saidBy({ body }: Rejected): string {
	const [error, message] = [body?.error, body?.message].map((said) =>
		beginningOf(textOf(said ?? ''), LONGEST_SEARCHED)
			.replace(/\s+/g, ' ')
			.replace(/^ |[. ]+$/g, ''),
	);
	const isBoth = error !== '' && message !== '' && error !== message;
	return shortened(isBoth ? `${message} (${error})` : error || message);
}

/** Whether as many jobs of the account wait at the service as may. It has no code for that. */
function isQueueFull({ status, body }: Rejected): boolean {
	return status === 429 && /^Queue limit reached/i.test(textOf(body?.error));
}

/** Whether a request for a large document took too long, while the service works on. */
function isBeingRead({ body }: Rejected): boolean {
	return isObject(body?.details) && body.details.state === 'processing_continues';
}

function termsWords({ body }: Rejected): ErrorText {
	const words = rejections[TERMS];
	const action = body?.requiresAction;
	const url = isObject(action) && typeof action.url === 'string' ? action.url : '';
	const where = url === '' ? 'in the dashboard' : `at ${shortened(url)}`;
	return { ...words, remedy: words.remedy.replace('{where}', () => where) };
}

function documentWords({ retryAfterMs = 0 }: Rejected): ErrorText {
	const words = rejections['408 document'];
	const count = Math.ceil(retryAfterMs / 60_000);
	const minutes = count > 1 ? `${count} minutes` : 'a minute or two';
	return { ...words, remedy: words.remedy.replace('{minutes}', minutes) };
}

/**
 * For an endpoint that it lacks, a service responds with a web page of its framework, not with its own JSON; for one
 * whose part isn't installed, with 501.
 */
function isMissingEndpoint({ status, body, excerpt }: Rejected): boolean {
	if (status === NOT_IMPLEMENTED) return true;
	return status === 404 && body === undefined && /Cannot (GET|POST|DELETE) |^\s*</.test(excerpt);
}

/** Whether it comes from what is in front of the service and shows a web page, such as a login. */
function isFromBetween({ status, body, excerpt }: Rejected): boolean {
	return (status === 401 || status === 403) && body === undefined && excerpt.startsWith('<');
}

/**
 * The address of the proxy that failed: the one in a reason such as "connect ECONNREFUSED 10.0.0.1:3128" or "getaddrinfo
 * ENOTFOUND proxy" where it is another than the service's.
 */
function proxyOf({ reason }: NoResponse, { root }: About): string | undefined {
	const [, address, host, port] =
		/(?:connect|getaddrinfo) [A-Z_]+ ((\S+?)(?::(\d+))?)(?:\s|$)/.exec(reason) ?? [];
	const service = new URL(root);
	const servicePort = service.port || (service.protocol === 'https:' ? '443' : '80');
	// A connection names its address, which the service's name says nothing of.
	const isService = port === undefined ? host === service.hostname : port === servicePort;
	return isService ? undefined : address;
}

/** The `details` of a 400: each with the field as the form names it. */
export function detailLines(details: unknown, nameOf: CallSettings['nameOf']): string[] {
	// Some services send one object instead of a list.
	const issues = listOf([details].flat()).flatMap(issuesIn);
	return issues.slice(0, 10).map(({ path, message }) => {
		const name = nameOf?.(path) ?? path.join('.');
		const text = withoutStop(shortened(message));
		return name === '' ? `${text}.` : `${name}: ${text}.`;
	});
}

function notes(outcome: Failed, about: About, cost: number | undefined): string[] {
	const lines: string[] = [];
	if (outcome.kind === 'rejected') {
		if (outcome.location !== undefined) lines.push(redirectLine(outcome.location, about));
		if (outcome.status === 429) lines.push(waitLine(outcome, about.waitedMs));
	}
	if (outcome.kind === 'noResponse') lines.push(proxyLine(outcome, about));
	const isUnknown = about.call.method === 'POST' && cost === undefined;
	if (isUnknown && !isPageError(outcome)) lines.push(MAYBE_DONE);
	if (cost) lines.push(`Its checks may be billed all the same: up to ${cost} credits.`);
	return lines;
}

function proxyLine(outcome: NoResponse, about: About): string {
	const isChosen = Boolean(about.settings.http?.proxy);
	const isCause = outcome.code === 'PROXY_CLOSED' || proxyOf(outcome, about) !== undefined;
	if (!isChosen && !isCause) return '';
	const proxy = isChosen
		? 'in Settings → Request Options → Proxy'
		: 'that n8n is set up with (HTTP_PROXY, HTTPS_PROXY)';
	return `The request goes through the proxy ${proxy}${isCause ? '' : ', which may be the cause'}.`;
}

function redirectLine(location: string, { call, root }: About): string {
	const line = `It redirects to ${shortened(location)}`;
	const [path] = call.path.split('?');
	const target = parsedUrl(location, root + path);
	const targetPath = target?.pathname.replace(/\/+$/, '');
	if (!targetPath?.endsWith(path)) return `${line}.`;
	const base = target!.origin + targetPath.slice(0, -path.length);
	if (base === root) return `${line}.`;
	return `${line}; if that is your service, ${base} is the Base URL to enter.`;
}

function waitLine({ retryAfterMs, isUnsent }: Rejected, waitedMs: number): string {
	const [waited, more] =
		waitedMs < NOTICED_MS ? ['', ''] : [`Waited ${seconds(waitedMs)}. `, ' more'];
	const named = Math.max(1, Math.ceil(((retryAfterMs ?? 0) - LONGEST_ADDED_MS) / 1_000));
	if (isUnsent) {
		const wait = retryAfterMs === undefined ? '' : `, and it would have to wait ${named} s${more}`;
		return `${waited}It was not sent: other requests of this account met the limit${wait}.`;
	}
	const asked = retryAfterMs === undefined ? '' : `The service asks to wait ${named} s${more}.`;
	return (waited + asked).trim();
}

function seconds(ms: number): string {
	return `${Math.ceil(ms / 1_000)} s`;
}

/** What came instead of a result; the service's own words only where the message doesn't have them. */
function quote(outcome: Failed, message: string): string {
	if (outcome.kind === 'noResponse') {
		const code = OWN_CODES.includes(outcome.code) ? '' : outcome.code;
		const reason = [code, outcome.reason].filter((part) => part !== '').join(': ');
		return reason === '' ? '' : `Reason: ${shortened(reason)}.`;
	}
	if (outcome.kind === 'unreadable') {
		const type = outcome.contentType === '' ? 'no content type' : outcome.contentType;
		const came = outcome.excerpt === '' ? 'nothing' : `“${outcome.excerpt}”`;
		return `Received (status ${outcome.status}, ${type}): ${came}.`;
	}
	if (outcome.isUnsent) return '';
	const said = saidBy(outcome) || (isMissingEndpoint(outcome) ? '' : outcome.excerpt);
	const code = typeof outcome.body?.code === 'string' ? `, code ${outcome.body.code}` : '';
	const text = message.endsWith(said) ? '' : `: “${said}”`;
	const who = isFromBetween(outcome) ? 'It' : 'The service';
	return `${who} responded with status ${outcome.status}${code}${text}.`;
}

/** What came with `success: false` all the same, and may be paid for. */
function resultIn(outcome: Outcome): IDataObject {
	if (outcome.kind !== 'rejected' || outcome.status >= 300) return {};
	const { data } = outcome.body ?? {};
	return hasContent(data) ? { data } : {};
}

function serviceFields(outcome: Failed, jobId: string | undefined): IDataObject {
	const fields: IDataObject = {};
	if (outcome.kind === 'rejected') {
		const { error, ...body } = outcome.body ?? {};
		if (error !== undefined) fields.serviceError = error;
		for (const key of KEPT) if (body[key] !== undefined) fields[key] = body[key];
		if (outcome.retryAfterMs !== undefined) fields.retryAfterMs = outcome.retryAfterMs;
	}
	if (outcome.kind === 'noResponse' && outcome.code !== '') fields.connectionError = outcome.code;
	if (jobId !== undefined) fields.jobId = jobId;
	return fields;
}

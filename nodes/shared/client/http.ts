import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { OWN_CODES } from './errors/connections';
import type { Outcome } from './errors/outcome';
import type { ResponseProblem } from './errors/texts';
import { excessOf, isObject, parsedJson } from '../base/json';
import { hasOnlyWords } from './response';
import { LONGEST_SEARCHED, beginningOf, textOf } from '../base/text';
import { breathe } from '../base/time';
import { type Account, CREDENTIAL_TYPE, type Caller } from './account';
import { type Body, type BodyText, Deadline, readBody } from './body';
import { MAX_BODY_BYTES, MAX_ERROR_BYTES, MAX_ERROR_MS } from '../base/limits';
import { retryAfterMs } from './retry';
import type { CallSettings, ServiceCall } from './types';
import { uploadForm } from './upload';

/** Time (ms) to wait beyond the timeout given to the service. */
const TIMEOUT_MARGIN_MS = 30_000;

/**
 * Maximum time (ms) for a request and its whole response, unless Request Options set another. Services allow a request
 * five minutes; with a shorter timeout, we would miss a response that may be billed.
 */
export const DEFAULT_TIMEOUT_MS = 300_000 + TIMEOUT_MARGIN_MS;

/** Longest timer (ms); longer ones fire immediately. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Length of a response, in characters, from which n8n may do other work between the steps of reading it. */
const LONG_TEXT = 1_000_000;

/** Length of the excerpt from a response that an error contains, in characters. */
const EXCERPT_LENGTH = 100;

/** Length of the text that an excerpt is taken from, in characters: long enough to contain a whole key. */
const EXCERPT_SOURCE = 2_000;

/** Path of a job's status, with or without the query that leads to further pages. */
const JOB = /^\/v\d\/(agent|crawl|extract|batch\/scrape)\/(?!active(\?|$))[^/?]+(\?|$)/;

/**
 * Maximum time (ms) that a request to start a job continues after a cancellation, so that the job's ID gets into n8n's
 * log.
 */
const GRACE_MS = 10_000;

const TIMED_OUT: Outcome = { kind: 'noResponse', code: 'TIMEOUT', reason: '' };
const OUT_OF_TIME: Outcome = { kind: 'noResponse', code: OWN_CODES.outOfTime, reason: '' };

/**
 * Sends one request and reads its whole response within the timeout, whatever the service does. Never throws; problems
 * are part of the outcome. The key only goes to the service's root: redirects are not followed.
 */
export async function exchange(
	{ context, account, run }: Caller,
	call: ServiceCall,
	{ http = {}, startsJob }: Pick<CallSettings, 'http' | 'startsJob'> = {},
): Promise<Outcome> {
	const { root, redact } = account;
	const { cancelled, timeLeft } = run;
	const ownMs = Math.ceil(http.timeout || timeoutFor(call));
	const leftMs = Math.max(1, Math.floor(timeLeft?.callsMs ?? Infinity));
	const timeoutMs = Math.min(ownMs, leftMs);
	const timedOut = leftMs < ownMs ? OUT_OF_TIME : TIMED_OUT;
	const deadline = new Deadline(timeoutMs, cancelled, startsJob ? GRACE_MS : 0);
	let form: Awaited<ReturnType<typeof uploadForm>> | undefined;
	try {
		if (call.file) form = await uploadForm(call.file, call.body);
		// The key must belong to this base URL. Reading it again would also cost n8n a database query.
		const data = { ...account.credential };
		const response: IN8nHttpFullResponse = await context.helpers.httpRequestWithAuthentication.call(
			withSignal(context, deadline.signal),
			CREDENTIAL_TYPE,
			{
				...http,
				method: call.method,
				url: root + call.path,
				qs: call.query,
				body: (form?.body ?? call.body) as IDataObject,
				headers: form?.headers,
				json: true,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: timeoutMs,
				abortSignal: deadline.signal,
			},
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data } },
		);
		const outcome = await outcomeOf(response, call, account, deadline);
		const isCut = outcome.kind === 'unreadable' && outcome.problem === 'cut';
		return isCut && deadline.isOver ? timedOut : outcome;
	} catch (error) {
		if (deadline.isOver) return timedOut;
		const { code, reason } = reasonOf(error);
		return { kind: 'noResponse', code, reason: redact.text(reason).slice(0, 200) };
	} finally {
		deadline.end();
		// A service may respond before it has read all of the file.
		if (form && 'destroy' in form.body) form.body.destroy();
	}
}

/** Returns a call's timeout (ms): longer than the default if its body gives the service that much time. */
function timeoutFor({ body }: ServiceCall): number {
	const given = [body?.timeout, (body?.scrapeOptions as IDataObject | null | undefined)?.timeout];
	const needed = given.map((ms) => (Number(ms) || 0) + TIMEOUT_MARGIN_MS);
	return Math.min(Math.max(DEFAULT_TIMEOUT_MS, ...needed), LONGEST_TIMEOUT_MS);
}

/**
 * Returns the context with another cancel signal: n8n's helper reads the signal from its context and would overwrite
 * the one with the deadline. Everything else is passed to the context itself, so private fields work. If n8n ever reads
 * the signal elsewhere, the request's own timeout still ends it.
 */
function withSignal(context: object, signal: AbortSignal): never {
	return new Proxy(context, {
		get(target, name) {
			if (name === 'getExecutionCancelSignal') return () => signal;
			const value: unknown = Reflect.get(target, name);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	}) as never;
}

async function outcomeOf(
	response: IN8nHttpFullResponse,
	{ method, path }: ServiceCall,
	{ redact, limiter }: Account,
	deadline: Deadline,
): Promise<Outcome> {
	const { statusCode: status, headers } = response;
	if (status === 204 && method === 'DELETE') return { kind: 'response', status, body: {} };
	const isGood = status >= 200 && status < 300;
	const reading = {
		body: response.body as unknown as Body,
		headers,
		account: limiter,
		maxBytes: isGood ? MAX_BODY_BYTES : MAX_ERROR_BYTES,
		// The status is all that matters, and a body that trickles in must not hold up other calls.
		maxMs: isGood ? undefined : MAX_ERROR_MS,
		deadline,
	};
	return await readBody(reading, async (read) => {
		const contentType = String(headers['content-type'] ?? '');
		const { json, problem } = await contentOf(read, contentType);
		if (read.text.length > LONG_TEXT) await breathe();
		const object = objectIn(json, path);
		// A job's status may report a failed job, and a result may report failed code; in neither case has the call failed.
		const isJob = method === 'GET' && JOB.test(path) && typeof object?.status === 'string';
		const isExecution = object !== undefined && 'exitCode' in object;
		const isFailure = object?.success === false && !isJob && !isExecution;
		const isWhole = isGood && problem === undefined && object !== undefined;
		if (isWhole && !isFailure && !isOnlyAnError(object)) {
			return { kind: 'response', status, body: redact.result(object, read.text) };
		}
		const beginning = redact.excerpt(read.text.slice(0, EXCERPT_SOURCE)).replace(/\s+/g, ' ');
		const excerpt = beginningOf(beginning.trim(), EXCERPT_LENGTH);
		if (isGood && (problem !== undefined || object === undefined)) {
			const why = problem ?? 'notAnObject';
			const type = redact.text(contentType);
			return { kind: 'unreadable', status, problem: why, contentType: type, excerpt };
		}
		const { location, date, 'retry-after': asked = object?.retry_after_seconds } = headers;
		// Services may name the wait in the text of a 429.
		const said = status === 429 ? textOf(object?.error ?? object?.message ?? '') : '';
		return {
			kind: 'rejected',
			status,
			body: object && redact.json(object, read.text),
			excerpt,
			retryAfterMs: retryAfterMs(asked, date, said.slice(0, LONGEST_SEARCHED)),
			location: location === undefined ? undefined : redact.text(String(location)),
		};
	});
}

/** Lists of jobs, which some servers send without an object around them. */
const LIST = /\/(crawl\/active|team\/activity)$/;

/** Returns the object in a body, and a bare list of jobs as the object's `ids`; undefined for anything else. */
function objectIn(json: unknown, path: string): IDataObject | undefined {
	if (Array.isArray(json) && LIST.test(path.split('?', 1)[0])) return { ids: json };
	return isObject(json) ? json : undefined;
}

function isOnlyAnError(object: IDataObject): boolean {
	const { success, error } = object;
	if (success === true || typeof error !== 'string' || error === '') return false;
	return hasOnlyWords(object);
}

/** Returns the parsed JSON of a body, or why there is none. */
async function contentOf(
	{ text, problem }: BodyText,
	contentType: string,
): Promise<{ json?: unknown; problem?: ResponseProblem }> {
	// Anything else, such as a web page, is no JSON that takes memory.
	const excess = /^\s*[[{]/.test(text) ? excessOf(text) : undefined;
	if (excess) return { problem: excess };
	if (text.length > LONG_TEXT) await breathe();
	const json = parsedJson(text);
	// If the JSON is complete, it still says why a request was rejected, even if the body was cut off.
	if (json !== undefined || problem !== undefined) return { json, problem };
	if (text.trim() === '') return { problem: 'empty' };
	return { problem: /^\s*</.test(text) || /html/i.test(contentType) ? 'html' : 'notJson' };
}

/** Codes for errors from n8n and its proxy agent that carry only a message. */
const CODES_OF_TEXTS: Array<[RegExp, string]> = [
	[/^Domain not allowed/, OWN_CODES.domain],
	[/^The request was blocked because/, OWN_CODES.address],
	[/^Proxy connection ended before receiving CONNECT response/, OWN_CODES.proxyClosed],
];

/**
 * Returns the code and message of a connection error, however deeply n8n and axios wrapped it. The message may contain
 * the key.
 */
export function reasonOf(error: unknown): { code: string; reason: string } {
	let code = '';
	let reason = '';
	// Recognized by shape, not class: n8n may wrap an error from another realm, or something that isn't an error.
	let current = error;
	for (let depth = 0; depth < 6 && isObject(current); depth++) {
		const { messages, message = reason } = current;
		// In some versions, n8n's NodeApiError drops its cause but keeps the code as httpCode and the first message.
		const own = current.code ?? current.httpCode;
		if (typeof own === 'string' && own !== '') code = own;
		reason = String((messages as unknown[] | undefined)?.[0] ?? message);
		current = current.cause ?? current.errorResponse;
	}
	code ||= CODES_OF_TEXTS.find(([text]) => text.test(reason))?.[1] ?? '';
	return { code, reason };
}

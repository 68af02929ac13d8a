import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isObject } from './json';
import type { Account } from './nodeRun';
import type { Outcome, ResponseProblem } from './outcome';
import { mapTexts, redactor } from './redact';
import { retryAfterMs } from './limits/retryAfter';
import {
	CREDENTIAL_TYPE,
	type ServiceCall,
	type ServiceContext,
	type ServiceCredential,
} from './types';

/** Largest answer taken, in bytes after decompression; the service sends at most 10 MB of crawl data. */
export const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Longest time for one request with its whole answer, in ms, where Request Options set none; n8n's own default. */
export const DEFAULT_TIMEOUT_MS = 300_000;

const EXCERPT_LENGTH = 100;

const TIMED_OUT: Outcome = { kind: 'noResponse', code: 'TIMEOUT', reason: '' };

/** A response body as Node gives it, without naming Node's types here. */
type Body = AsyncIterable<Buffer> & { destroy: () => void };

/**
 * One request and its whole answer, read within the timeout whatever the service does. Never throws; what went
 * wrong is part of the outcome. The key goes to `root` only: redirects are not followed.
 */
export async function exchange(
	context: ServiceContext,
	{ credential, root }: Omit<Account, 'limiter'>,
	call: ServiceCall,
	http: Partial<IHttpRequestOptions> = {},
	cancel?: AbortSignal,
): Promise<Outcome> {
	const redact = redactor(credential.apiKey);
	const timeoutMs = http.timeout || DEFAULT_TIMEOUT_MS;
	const deadline = AbortSignal.timeout(timeoutMs);
	const abortSignal = cancel ? AbortSignal.any([cancel, deadline]) : deadline;
	try {
		const response = await send(context, credential, {
			...http,
			method: call.method,
			url: root + call.path,
			qs: call.query,
			body: call.body,
			json: true,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal,
		});
		const outcome = await outcomeOf(response, redact);
		const isCut = outcome.kind === 'unreadable' && outcome.problem === 'cut';
		return isCut && deadline.aborted ? TIMED_OUT : outcome;
	} catch (error) {
		if (deadline.aborted) return TIMED_OUT;
		return { kind: 'noResponse', ...reasonOf(error, redact) };
	}
}

async function send(
	context: ServiceContext,
	credential: ServiceCredential,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	// n8n's helper takes the cancel signal from its context and would overwrite the one with the deadline.
	const sender = Object.create(context as object, {
		getExecutionCancelSignal: { value: () => options.abortSignal },
	});
	return (await context.helpers.httpRequestWithAuthentication.call(
		sender,
		CREDENTIAL_TYPE,
		options,
		{
			// The key that goes out is the one of the base URL, and reading it again costs n8n a look into its database.
			credentialsDecrypted: {
				id: '',
				name: '',
				type: CREDENTIAL_TYPE,
				data: { ...credential },
			},
		},
	)) as IN8nHttpFullResponse;
}

async function outcomeOf(
	response: IN8nHttpFullResponse,
	redact: (text: string) => string,
): Promise<Outcome> {
	const { statusCode: status, headers } = response;
	const isGood = status >= 200 && status < 300;
	const contentType = String(headers['content-type'] ?? '');
	const { text, problem } = await readText(response.body as unknown as Body, headers);
	const clean = redact(text);
	const excerpt = clean
		.slice(0, EXCERPT_LENGTH * 2)
		.replace(/\s+/g, ' ')
		.trim();
	const shortExcerpt = excerpt.slice(0, EXCERPT_LENGTH);
	const unreadable = (what: ResponseProblem): Outcome => ({
		kind: 'unreadable',
		status,
		problem: what,
		contentType,
		excerpt: shortExcerpt,
	});
	if (problem !== undefined && isGood) return unreadable(problem);
	const body = parsed(clean);
	const object = isObject(body) ? body : undefined;
	if (!isGood || object?.success === false) {
		return {
			kind: 'rejected',
			status,
			body: object && (mapTexts(object, redact) as IDataObject),
			excerpt: shortExcerpt,
			retryAfterMs: retryAfterMs(headers['retry-after'], headers.date, saidIn(object, status)),
			location: headers.location === undefined ? undefined : redact(String(headers.location)),
		};
	}
	if (object !== undefined) return { kind: 'response', status, body: object };
	if (clean.trim() === '') return unreadable('empty');
	if (body !== undefined) return unreadable('notAnObject');
	return unreadable(/^\s*</.test(clean) || /html/i.test(contentType) ? 'html' : 'notJson');
}

/** What a 429 says, in which services also name the wait. */
function saidIn(body: IDataObject | undefined, status: number): string {
	return status === 429 ? String(body?.error ?? body?.message ?? '') : '';
}

/** The whole text of a body, or what kept it from being read; what was read by then is given too. */
async function readText(
	body: Body,
	headers: IDataObject,
): Promise<{ text: string; problem?: ResponseProblem }> {
	const chunks: Buffer[] = [];
	let size = 0;
	let problem: ResponseProblem | undefined;
	try {
		if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) problem = 'tooLarge';
		else {
			for await (const chunk of body) {
				size += chunk.length;
				if (size > MAX_BODY_BYTES) {
					problem = 'tooLarge';
					break;
				}
				chunks.push(chunk);
			}
		}
	} catch {
		problem = 'cut';
	}
	if (problem !== undefined) {
		body.destroy();
		return { text: (chunks[0] ?? Buffer.alloc(0)).toString('utf8', 0, 1_000), problem };
	}
	return { text: chunks.length === 1 ? chunks[0].toString('utf8') : joined(chunks) };
}

function joined(chunks: Buffer[]): string {
	const whole = Buffer.concat(chunks);
	// The pieces are garbage from here on; without this they'd be held while the text is made.
	chunks.length = 0;
	return whole.toString('utf8');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
	} catch {
		return undefined;
	}
}

interface Wrapped {
	code?: unknown;
	httpCode?: unknown;
	message?: string;
	messages?: string[];
	cause?: Wrapped;
	errorResponse?: Wrapped;
}

/** Node's code of a connection error, however deep n8n and axios wrapped it, and its text without the key. */
function reasonOf(
	error: unknown,
	redact: (text: string) => string,
): { code: string; reason: string } {
	let code = '';
	let reason = '';
	// By shape, not by class: what n8n wraps may be an error of another realm, or no error at all.
	let current = error as Wrapped | undefined;
	for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
		// n8n's NodeApiError drops its cause in some versions, but keeps the code as httpCode and the first text.
		const own = current.code ?? current.httpCode;
		if (typeof own === 'string' && own !== '') code = own;
		reason = current.messages?.[0] ?? current.message ?? reason;
		current = current.cause ?? current.errorResponse;
	}
	return { code, reason: redact(reason).slice(0, 200) };
}

import type { IBinaryData, RequestHelperFunctions } from 'n8n-workflow';

import type { Outcome } from '../../client/errors/outcome';
import { ServiceError } from '../../client/errors/serviceError';
import type { Task } from '../operation';
import { asSentence, shortened } from '../../base/text';
import { monotonicMs, wait } from '../../base/time';
import { DEFAULT_TIMEOUT_MS, reasonOf } from '../../client/http';
import { NO_RETRY, nextRetry, retryAfterMs } from '../../client/retry';
import { parsedUrl } from '../../base/url';
import type { FileRoom } from './fileRoom';
import { keepBinary } from './keep';
import { refusalOf } from './privateHosts';
import { MAX_FILE_MB, MB } from '../../base/limits';

/** Maximum number of parallel downloads of a node run, unless its settings say otherwise. */
export const MAX_DOWNLOADS = 20;

const MAX_REDIRECTS = 5;

/** File extensions by kind of file, for hosts that don't say what kind a file is. */
const EXTENSIONS: Record<string, string> = {
	screenshot: 'png',
	audio: 'mp3',
	video: 'mp4',
	pdf: 'pdf',
};

/** Matches a media type. Anything else that a host sends, such as quotes, could end up in a page. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** Returns why the content isn't the file; undefined if it is. */
export function fileProblemOf(type: string | undefined, bytes: number): string | undefined {
	if (/html/i.test(type ?? '')) return 'A web page came in its place.';
	return bytes === 0 ? 'It is empty.' : undefined;
}

/**
 * Downloads a file within the timeout, if it fits into `room`; returns undefined if n8n doesn't store any. Failures of
 * its host are retried like those of any GET. Throws Problem.
 */
export async function download(
	task: Task,
	link: string,
	name: string,
	room: FileRoom,
): Promise<IBinaryData | undefined> {
	const { run, account, settings } = task;
	const timeoutMs = settings.http?.timeout || DEFAULT_TIMEOUT_MS;
	const until = monotonicMs() + timeoutMs;
	const deadline = AbortSignal.timeout(timeoutMs);
	const signal = run.cancelled ? AbortSignal.any([run.cancelled, deadline]) : deadline;
	let attempts = NO_RETRY;
	for (;;) {
		try {
			signal.throwIfAborted();
			return await downloadOnce(task, link, name, room, signal);
		} catch (error) {
			if (error instanceof ServiceError) throw failed(`${error.message}. ${error.description}`);
			if (run.cancelled?.aborted) throw failed('The execution was cancelled.');
			if (deadline.aborted) throw failed('It did not arrive in time.');
			const outcome = downloadOutcomeOf(error);
			const next = outcome && nextRetry(outcome, 'GET', attempts, timeoutMs);
			if (next === undefined || monotonicMs() + next.delay >= until) {
				throw failed(sentence(account.redact.text((error as Error).message)));
			}
			attempts = next.attempts;
			await wait(next.delay, signal);
		}
	}
}

async function downloadOnce(
	task: Task,
	link: string,
	name: string,
	room: FileRoom,
	signal: AbortSignal,
): Promise<IBinaryData | undefined> {
	const { account, context } = task;
	const { url, response } = await fetched(task, link, signal);
	const { statusCode, headers, body } = response;
	// A file's host may echo a key that is part of the link.
	const clean = (text: string) => account.redact.result(text, text);
	const type = fileType(clean(headers['content-type'] ?? ''));
	const problem =
		statusCode === 200 ? fileProblemOf(type, 1) : `The response has status ${statusCode}.`;
	if (problem !== undefined) {
		body.destroy();
		throw new Problem(problem, response);
	}
	let size = 0;
	const content = body.map((chunk) => {
		size += chunk.length;
		const full = room.fullBy(chunk.length);
		if (size > MAX_FILE_MB * MB) throw new Problem(`It is larger than ${MAX_FILE_MB} MB.`);
		if (full !== undefined) throw new Problem(full);
		return chunk;
	});
	const fileName = clean(fileNameOf(url, name, type));
	const binary = await keepBinary(context.helpers, { content, fileName, type });
	const emptiness = fileProblemOf(type, size);
	if (binary !== undefined && emptiness !== undefined) throw new Problem(emptiness);
	return binary;
}

/** Returns the response to a link and its final URL. Throws Problem for a link that must not be fetched. */
async function fetched(
	task: Task,
	link: string,
	abortSignal: AbortSignal,
): Promise<{ url: URL; response: FileResponse }> {
	const helpers: RequestHelperFunctions = task.context.helpers;
	const { proxy, skipSslCertificateValidation } = task.settings.http ?? {};
	const { ignoreSslIssues } = task.account.credential;
	let url = parsedUrl(link);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (url === undefined || !/^https?:$/.test(url.protocol)) {
			throw new Problem('It is not a valid link that starts with http:// or https://.');
		}
		await checkTarget(task, url);
		const response = (await helpers.httpRequest({
			method: 'GET',
			url: url.href,
			proxy,
			skipSslCertificateValidation: ignoreSslIssues === true || skipSslCertificateValidation,
			// n8n would keep a truncated compressed file as if it were complete.
			headers: { 'Accept-Encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Redirects are followed here, so that each target is checked.
			disableFollowRedirect: true,
			abortSignal,
		})) as FileResponse;
		await checkTarget(task, url, { address: ipOf(response.body, url) }).catch((error: unknown) => {
			response.body.destroy();
			throw error;
		});
		const { location } = response.headers;
		if (location === undefined || Math.floor(response.statusCode / 100) !== 3) {
			return { url, response };
		}
		response.body.destroy();
		url = parsedUrl(location, url.href);
	}
	throw new Problem(`It was redirected more than ${MAX_REDIRECTS} times.`);
}

/** Throws Problem for a link into n8n's own network, since a page may link to anything. */
async function checkTarget(
	{ account, context }: Task,
	url: URL,
	response?: { address?: string },
): Promise<void> {
	const refusal = await refusalOf(context, url, new URL(account.root), response);
	if (refusal !== undefined) throw new Problem(refusal);
}

/**
 * Returns the address that a response came from; undefined if it may be a proxy's, recognized by its port, or if n8n
 * hides it, as newer versions do.
 */
function ipOf({ socket }: Stream, { port, protocol }: URL): string | undefined {
	const asked = port || (protocol === 'http:' ? 80 : 443);
	return socket?.remotePort === Number(asked) ? socket.remoteAddress : undefined;
}

/** Why a file can't be kept, as a sentence, with the response if it isn't the file. */
export class Problem extends Error {
	constructor(
		message: string,
		readonly response?: FileResponse,
	) {
		super(message);
	}
}

const failed = (reason: string) => new Problem(reason);

/** Returns a failed download as the outcome of a call, for the retries; undefined if retrying can't help. */
function downloadOutcomeOf(error: unknown): Outcome | undefined {
	if (!(error instanceof Problem)) return { kind: 'noResponse', ...reasonOf(error) };
	const { response } = error;
	if (response === undefined) return undefined;
	const { statusCode, headers } = response;
	return {
		kind: 'rejected',
		// Another host's rate limit doesn't concern the account's limiter, so it counts as an overload of that host.
		status: statusCode === 429 ? 503 : statusCode,
		excerpt: '',
		retryAfterMs: retryAfterMs(headers['retry-after'], headers.date),
	};
}

interface Stream {
	map(change: (chunk: Buffer) => Buffer): never;
	destroy(): void;
	socket?: { remoteAddress?: string; remotePort?: number };
}

interface FileResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Stream;
}

/** Returns a file's media type; undefined for a meaningless one, because n8n then goes by the file name. */
function fileType(contentType: string): string | undefined {
	const type = contentType.split(';')[0].trim().toLowerCase();
	return !MEDIA_TYPE.test(type) || type.endsWith('/octet-stream') ? undefined : type;
}

/** Returns the file name in the link if it has an extension. A number doesn't count as one: `v1.25` is a version. */
function fileNameOf(url: URL, name: string, type = ''): string {
	const last = url.pathname.split('/').at(-1)!;
	return /\.(?!\d+$)\w{2,5}$/.test(last)
		? readable(last)
		: `${name}.${extensionOf(type, EXTENSIONS[name.split('_')[0]])}`;
}

/** Returns a name without URL escapes, unless that would add characters that names don't contain. */
function readable(name: string): string {
	try {
		const text = decodeURIComponent(name);
		return /[\\/:*?"<>|]|\p{C}/u.test(text) ? name : text;
	} catch {
		return name;
	}
}

export function extensionOf(type: string, unknown = 'bin'): string {
	const known: Record<string, string> = { 'image/jpeg': 'jpg', 'audio/mpeg': 'mp3' };
	return known[type] ?? (/\/([\w]+)/.exec(type)?.[1] || unknown);
}

/** Returns a reason as a sentence; those from n8n and Node may lack the full stop or contain line breaks. */
function sentence(reason: string): string {
	return asSentence(shortened(reason.replace(/\s+/g, ' ').trim()));
}

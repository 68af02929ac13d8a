import type { IBinaryData, RequestHelperFunctions } from 'n8n-workflow';

import type { Outcome } from '../errors/outcome';
import { ALLOW_ADDRESS } from '../errors/texts';
import type { Task } from '../operation';
import { monotonicMs, wait } from '../time';
import { DEFAULT_TIMEOUT_MS, nextDelay, reasonOf, retryAfterMs, type Attempts } from '../transport';
import { parsedUrl } from '../url';
import { isPrivate } from './privateHosts';

/** Largest file taken, in MB. */
const MAX_FILE_MB = 100;

/** Most downloads of a node run at once where its settings don't say how many. */
export const MAX_DOWNLOADS = 20;

const MAX_REDIRECTS = 5;

/** Gives the endings of files whose host doesn't say what they are, by the kind of file. */
const EXTENSIONS: Record<string, string> = {
	screenshot: 'png',
	audio: 'mp3',
	video: 'mp4',
	pdf: 'pdf',
};

/** Matches what OpenSSL puts around its reason: where in its code it failed. */
const OPENSSL = /[\dA-F]+:error:[\dA-F]*:[^:]*:[^:]*:([^:]*):\S*/;

/** A media type as it is stored: anything else that a host sends, such as quotes, could end up in a page. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** Says why content is no file; undefined where it is one. */
export function fileProblemOf(type: string | undefined, bytes: number): string | undefined {
	if (/html/i.test(type ?? '')) return 'A web page came in its place.';
	return bytes === 0 ? 'It is empty.' : undefined;
}

/** A file that was downloaded, or why it wasn't, in a sentence. */
interface Downloaded {
	binary?: IBinaryData;
	problem?: string;
}

/** Downloads a file within the timeout; failures of its host are retried like those of any GET. */
export async function download(task: Task, link: string, name: string): Promise<Downloaded> {
	const { run, account, settings } = task;
	const timeoutMs = settings.http?.timeout || DEFAULT_TIMEOUT_MS;
	const until = monotonicMs() + timeoutMs;
	const deadline = AbortSignal.timeout(timeoutMs);
	const signal = run.cancelled ? AbortSignal.any([run.cancelled, deadline]) : deadline;
	const attempts: Attempts = { retries: {}, waitedMs: 0 };
	for (;;) {
		try {
			signal.throwIfAborted();
			return { binary: await downloadOnce(task, link, name, signal) };
		} catch (error) {
			if (run.cancelled?.aborted) return { problem: 'The execution was cancelled.' };
			if (deadline.aborted) return { problem: 'It did not arrive in time.' };
			const delay = nextDelay(downloadOutcome(error), 'GET', attempts, timeoutMs);
			if (delay === undefined || monotonicMs() + delay >= until) {
				return { problem: sentence(account.redact.text((error as Error).message)) };
			}
			await wait(delay, signal);
		}
	}
}

async function downloadOnce(
	task: Task,
	link: string,
	name: string,
	signal: AbortSignal,
): Promise<IBinaryData | undefined> {
	const { account, context } = task;
	const { url, response } = await fetched(task, link, signal);
	const { statusCode, headers, body } = response;
	// A file's host may echo the key that a link has in it.
	const clean = (text: string) => account.redact.result(text, text);
	const type = fileType(clean(headers['content-type'] ?? ''));
	const problem = statusCode === 200 ? fileProblemOf(type, 1) : undefined;
	if (statusCode !== 200 || problem !== undefined) {
		body.destroy();
		throw new Problem(
			problem ?? `The response has status ${statusCode}.`,
			problem ? undefined : response,
		);
	}
	let size = 0;
	const bounded = body.map((chunk) => {
		size += chunk.length;
		if (size > MAX_FILE_MB * 1024 * 1024) {
			throw new Problem(`It is larger than ${MAX_FILE_MB} MB.`);
		}
		return chunk;
	});
	const fileName = clean(fileNameOf(url, name, type));
	const binary = await context.helpers.prepareBinaryData?.(bounded, fileName, type);
	const emptiness = fileProblemOf(type, size);
	if (binary !== undefined && emptiness !== undefined) throw new Problem(emptiness);
	return binary;
}

/** Fetches the response of a link, and tells where it came from in the end. Throws Problem for what is not to be fetched. */
async function fetched(
	task: Task,
	link: string,
	abortSignal: AbortSignal,
): Promise<{ url: URL; response: FileResponse }> {
	const helpers: RequestHelperFunctions = task.context.helpers;
	const { proxy, skipSslCertificateValidation } = task.settings.http ?? {};
	let url = parsedUrl(link);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (url === undefined || !/^https?:$/.test(url.protocol)) {
			throw new Problem('It is not a valid link that starts with http:// or https://.');
		}
		await rejectPrivate(task, url);
		const response = (await helpers.httpRequest({
			method: 'GET',
			url: url.href,
			proxy,
			skipSslCertificateValidation,
			// Of a compressed file that breaks off n8n keeps what came, as if it were whole.
			headers: { 'Accept-Encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Each is looked at, where it leads.
			disableFollowRedirect: true,
			abortSignal,
		})) as FileResponse;
		const { location } = response.headers;
		if (location === undefined || Math.floor(response.statusCode / 100) !== 3) {
			return { url, response };
		}
		response.body.destroy();
		url = parsedUrl(location, url.href);
	}
	throw new Problem(`It was redirected more than ${MAX_REDIRECTS} times.`);
}

/** Rejects a link that leads into n8n's own network, unless the service is there itself: a page may link to anything. */
async function rejectPrivate({ account, context }: Task, url: URL): Promise<void> {
	if (!(await isPrivate(context, url))) return;
	if (await isPrivate(context, new URL(account.root))) return;
	throw new Problem(
		`It leads to ${url.host}, an address inside n8n's own network, where the files of a web page can't be. If your own service keeps its files there, ${ALLOW_ADDRESS}, which takes n8n 2.37 or later.`,
	);
}

/** A reason of ours for a failed download, with the response if its status is the reason. */
class Problem extends Error {
	constructor(
		message: string,
		readonly response?: FileResponse,
	) {
		super(message);
	}
}

/** Gives a failed download as the outcome of a call, for its retries. */
function downloadOutcome(error: unknown): Outcome {
	const response = error instanceof Problem ? error.response : undefined;
	if (response === undefined) return { kind: 'noResponse', ...reasonOf(error) };
	const { statusCode, headers } = response;
	return {
		kind: 'rejected',
		// The rate limit of another host is none of the account's limiter: like one that is overloaded.
		status: statusCode === 429 ? 503 : statusCode,
		excerpt: '',
		retryAfterMs: retryAfterMs(headers['retry-after'], headers.date),
	};
}

type Stream = { map: (change: (chunk: Buffer) => Buffer) => never; destroy: () => void };

interface FileResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Stream;
}

/** Gives the media type of a file; undefined for one that says nothing, as n8n then goes by the name. */
function fileType(contentType: string): string | undefined {
	const type = contentType.split(';')[0].trim().toLowerCase();
	return !MEDIA_TYPE.test(type) || type.endsWith('/octet-stream') ? undefined : type;
}

/** Takes the name in the link if it has an extension, which a number isn't: `v1.25` is a version. */
function fileNameOf(url: URL, name: string, type = ''): string {
	const last = url.pathname.split('/').at(-1)!;
	return /\.(?!\d+$)\w{2,5}$/.test(last)
		? readable(last)
		: `${name}.${extensionOf(type, EXTENSIONS[name.split('_')[0]])}`;
}

/** Gives a name without the escapes of URLs, unless it would get characters that are no part of a name. */
function readable(name: string): string {
	try {
		const text = decodeURIComponent(name);
		return /[\\/:*?"<>|]|\p{C}/u.test(text) ? name : text;
	} catch {
		return name;
	}
}

/** Gives the ending of a file by its media type. */
export function extensionOf(type: string, unknown = 'bin'): string {
	const known: Record<string, string> = { 'image/jpeg': 'jpg', 'audio/mpeg': 'mp3' };
	return known[type] ?? (/\/([\w]+)/.exec(type)?.[1] || unknown);
}

/** Makes a sentence of a reason; those of n8n and of Node may end with nothing, or with line breaks. */
function sentence(reason: string): string {
	const text = reason.replace(OPENSSL, '$1').replace(/\s+/g, ' ').trim();
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

import type { IBinaryData, IDataObject, INodeExecutionData, NodeApiError } from 'n8n-workflow';

import { monotonicMs } from '../clock';
import { isObject } from '../json';
import { sentences } from '../text';
import { isFrozen } from '../version';
import type { Caller } from './call';
import { ALLOW_ADDRESS } from './errorTexts';
import { plainError } from './errors';
import { DEFAULT_TIMEOUT_MS, reasonOf } from './http';
import { retryAfterMs } from './limiter/retryAfter';
import type { Outcome } from './outcome';
import { isPrivate } from './privateHosts';
import type { Redactor } from './redact';
import { nextDelay, type Attempts } from './retry';
import { parsedUrl } from './root';
import type { CallSettings, ServiceContext } from './types';
import { wait } from './wait';

/** Largest file taken, in MB. */
const MAX_FILE_MB = 100;

/** Most downloads of a node run at once where its settings don't say how many. */
export const MAX_DOWNLOADS = 20;

const MAX_REDIRECTS = 5;

/** A file in a result: where its link or content stands, and the binary field it goes to. */
interface FileRef {
	path: string[];
	name: string;
	value: string;
}

/** Why a link may be dead, by the kind of file (WebResult in api/openapi.yaml). */
const LIFETIMES: Record<string, string> = {
	screenshot: 'Screenshot links expire after 24 hours.',
	audio: 'Audio links expire after 1 hour.',
	video: 'Video links expire after 1 hour.',
};

/** How files end whose host doesn't say what they are, by the kind of file. */
const EXTENSIONS: Record<string, string> = {
	screenshot: 'png',
	audio: 'mp3',
	video: 'mp4',
	pdf: 'pdf',
};

/** What OpenSSL puts around its reason: where in its code it failed. */
const OPENSSL = /[\dA-F]+:error:[\dA-F]*:[^:]*:[^:]*:([^:]*):\S*/;

const WEB_PAGE = 'A web page came in its place.';
const EMPTY = 'It is empty.';

// Bounded, as it may be a long text of another kind.
const DATA_URI = /^data:([\w.+/-]{0,100})[^,]{0,100};base64,/;
// "%PDF-" in base64: what `parsers: []` gives instead of markdown.
const BASE64_PDF = 'JVBERi0';

/**
 * Puts the files of an item's result into its binary data: screenshot, audio, video, screenshots and PDFs of actions, by
 * link, as data URI or as base64. Links stay in the JSON; content is replaced by a note. They are fetched
 * without the key. Throws NodeApiError naming the link for a file that can't be had.
 */
export async function addFiles(
	caller: Caller,
	item: INodeExecutionData,
	settings: CallSettings = {},
): Promise<void> {
	const { context } = caller;
	const isChecked = isCheckedFor(caller);
	for (const file of filesIn(item.json, isChecked)) {
		const inline = inlineContent(file.value);
		const problem = inline && isChecked ? problemOf(inline) : undefined;
		if (problem !== undefined) throw failed(context, file, settings, problem);
		const binary = inline
			? await context.helpers.prepareBinaryData?.(
					inline.content,
					`${file.name}.${extensionOf(inline.type)}`,
					inline.type,
				)
			: await download(caller, file, settings);
		if (binary === undefined) continue;
		item.binary = { ...item.binary, [file.name]: binary };
		if (inline) {
			item.json = replaced(item.json, file.path, `(in binary field ${file.name})`) as IDataObject;
		}
	}
}

/** Why embedded content is no file. */
function problemOf({ content, type }: Inline): string | undefined {
	if (isHtml(type)) return WEB_PAGE;
	return content.length === 0 ? EMPTY : undefined;
}

function isHtml(type = ''): boolean {
	return /html/i.test(type);
}

/** Workflows of version 1 leave videos where they are, and take whatever comes for the file. */
function isCheckedFor({ run, context }: Caller): boolean {
	return !isFrozen({ node: run.node, itemIndex: context.getItemIndex?.() });
}

/** A value with a text at a path. What it is part of is copied, since it may be kept for a retry or shared by items. */
function replaced(value: unknown, [key, ...rest]: string[], text: string): unknown {
	if (key === undefined) return text;
	const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as IDataObject;
	copy[key] = replaced(copy[key], rest, text) as IDataObject;
	return copy;
}

/** The files in a result, or in a response that was not split. */
function filesIn(json: IDataObject, withVideo: boolean): FileRef[] {
	const pages = possiblePages(json)
		.map(({ value, path }) => ({
			path,
			files: isObject(value) ? filesOfPage(value, withVideo) : [],
		}))
		.filter(({ files }) => files.length > 0);
	return pages.flatMap(({ path, files }, index) =>
		files.map((file) => ({
			...file,
			path: [...path, ...file.path],
			name: pages.length > 1 ? `${file.name}_of_${index}` : file.name,
		})),
	);
}

/** A value in a result, and where it stands. */
interface Entry {
	value: unknown;
	path: string[];
}

/** What may be a page: a result itself, its `data`, what is in there, and in the lists in there. */
function possiblePages(json: IDataObject): Entry[] {
	const data = { value: json.data, path: ['data'] };
	const inData = entriesOf(data).flatMap((entry) =>
		Array.isArray(entry.value) ? entriesOf(entry) : [entry],
	);
	return [{ value: json, path: [] }, data, ...inData];
}

function entriesOf({ value, path }: Entry): Entry[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).map(([key, inside]) => ({ value: inside, path: [...path, key] }));
}

function filesOfPage(page: IDataObject, withVideo: boolean): FileRef[] {
	const files: FileRef[] = [];
	const add = (value: unknown, path: string[], name: string) => {
		if (typeof value === 'string' && value !== '') files.push({ path, name, value });
	};
	for (const name of ['screenshot', 'audio', ...(withVideo ? ['video'] : [])]) {
		add(page[name], [name], name);
	}
	const actions = isObject(page.actions) ? page.actions : {};
	for (const [list, name] of [
		['screenshots', 'screenshot'],
		['pdfs', 'pdf'],
	]) {
		const entries = actions[list];
		if (!Array.isArray(entries)) continue;
		entries.forEach((entry, index) =>
			add(entry, ['actions', list, String(index)], `${name}_${index}`),
		);
	}
	for (const key of ['markdown', 'html', 'rawHtml']) {
		const value = page[key];
		if (typeof value === 'string' && value.startsWith(BASE64_PDF)) add(value, [key], 'pdf');
	}
	return files;
}

/** The names of a page's fields that hold its files, or links to them. */
export function fileFieldsOf(page: IDataObject): string[] {
	return filesOfPage(page, true).map(({ path }) => path[0]);
}

/** A file that came within the result. */
interface Inline {
	content: Buffer;
	type: string;
}

function inlineContent(value: string): Inline | undefined {
	const [head, type] = DATA_URI.exec(value) ?? [];
	if (head !== undefined) {
		return { content: Buffer.from(value.slice(head.length), 'base64'), type };
	}
	if (!value.startsWith(BASE64_PDF)) return undefined;
	return { content: Buffer.from(value, 'base64'), type: 'application/pdf' };
}

function isLink({ value }: FileRef): boolean {
	return !DATA_URI.test(value) && !value.startsWith(BASE64_PDF);
}

/** The file behind a link; undefined where nobody would get it. Waits while its run downloads as many as it may. */
async function download(caller: Caller, file: FileRef, settings: CallSettings) {
	const { run } = caller;
	return await run.downloads.run(settings.maxConcurrent ?? MAX_DOWNLOADS, async () => {
		// n8n throws away what other items give when the workflow stops.
		return run.isStopped ? undefined : await downloadInTime(caller, file, settings);
	});
}

/** Downloads a file within the timeout; failures of its host are retried like those of any GET. */
async function downloadInTime(caller: Caller, file: FileRef, settings: CallSettings) {
	const { run, context } = caller;
	const { redact } = await run.account(context);
	const timeoutMs = settings.http?.timeout || DEFAULT_TIMEOUT_MS;
	const until = monotonicMs() + timeoutMs;
	const cancel = run.signal;
	const deadline = AbortSignal.timeout(timeoutMs);
	const signal = cancel ? AbortSignal.any([cancel, deadline]) : deadline;
	const attempts: Attempts = { retries: {}, waitedMs: 0 };
	for (;;) {
		try {
			signal.throwIfAborted();
			return await downloadOnce(caller, file, settings, redact, signal);
		} catch (error) {
			if (cancel?.aborted) throw failed(context, file, settings, 'The execution was cancelled.');
			if (deadline.aborted) throw failed(context, file, settings, 'It did not arrive in time.');
			const delay = nextDelay(downloadOutcome(error), 'GET', attempts, timeoutMs);
			if (delay === undefined || monotonicMs() + delay >= until) {
				throw failed(context, file, settings, redact.text((error as Error).message));
			}
			await wait(delay, signal);
		}
	}
}

async function downloadOnce(
	caller: Caller,
	file: FileRef,
	settings: CallSettings,
	redact: Redactor,
	signal: AbortSignal,
): Promise<IBinaryData | undefined> {
	const { url, response } = await fetched(caller, file.value, settings, signal);
	const { statusCode, headers, body } = response;
	const isChecked = isCheckedFor(caller);
	// A file's host may echo the key that a link has in it.
	const clean = (text: string) => redact.result(text, text);
	const contentType = clean(String(headers['content-type'] ?? '').split(';')[0]);
	const type = isChecked ? fileType(contentType) : contentType || undefined;
	if (statusCode !== 200) {
		body.destroy();
		throw new Problem(`The response has status ${statusCode}.`, response);
	}
	if (isChecked && isHtml(type)) {
		body.destroy();
		throw new Problem(WEB_PAGE);
	}
	let size = 0;
	const bounded = body.map((chunk) => {
		size += chunk.length;
		if (size > MAX_FILE_MB * 1024 * 1024) {
			throw new Problem(`It is larger than ${MAX_FILE_MB} MB.`);
		}
		return chunk;
	});
	const name = isChecked ? fileName(url, file, type) : fileNameInVersion1(url, file, type);
	const binary = await caller.context.helpers.prepareBinaryData?.(bounded, clean(name), type);
	if (binary !== undefined && size === 0 && isChecked) throw new Problem(EMPTY);
	return binary;
}

/** The response of a link, and where it came from in the end. Throws Problem for what is not to be fetched. */
async function fetched(
	caller: Caller,
	link: string,
	{ http }: CallSettings,
	abortSignal: AbortSignal,
): Promise<{ url: URL; response: FileResponse }> {
	const { helpers } = caller.context;
	const { proxy, skipSslCertificateValidation } = http ?? {};
	let url = parsedUrl(link);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (url === undefined || !/^https?:$/.test(url.protocol)) {
			throw new Problem('It is not a valid link that starts with http:// or https://.');
		}
		await rejectPrivate(caller, url);
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

/** What a page links to must not lead into n8n's own network, unless the service is there itself. */
async function rejectPrivate({ run, context }: Caller, url: URL): Promise<void> {
	if (!(await isPrivate(context, url))) return;
	const { root } = await run.account(context);
	if (await isPrivate(context, new URL(root))) return;
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

/** A failed download as the outcome of a call, for its retries. */
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

/** The type that a host gives a file; undefined for one that says nothing, as n8n then goes by the name. */
function fileType(contentType: string): string | undefined {
	const type = contentType.trim().toLowerCase();
	return type === '' || type.endsWith('/octet-stream') ? undefined : type;
}

/** The name in the link if it has an extension, which a number isn't: `v1.25` is a version. */
function fileName(url: URL, { name }: FileRef, type = ''): string {
	const last = url.pathname.split('/').at(-1)!;
	return /\.(?!\d+$)\w{2,5}$/.test(last)
		? readable(last)
		: `${name}.${extensionOf(type, EXTENSIONS[kindOf(name)])}`;
}

function fileNameInVersion1(url: URL, { name }: FileRef, type = ''): string {
	const last = url.pathname.split('/').at(-1)!;
	return /\.\w{2,5}$/.test(last) ? last : `${name}.${extensionOf(type)}`;
}

/** A name without the escapes of URLs, unless it would get characters that are no part of a name. */
function readable(name: string): string {
	try {
		const text = decodeURIComponent(name);
		return /[\\/:*?"<>|]|\p{C}/u.test(text) ? name : text;
	} catch {
		return name;
	}
}

function extensionOf(type: string, unknown = 'bin'): string {
	const known: Record<string, string> = { 'image/jpeg': 'jpg', 'audio/mpeg': 'mp3' };
	return known[type] ?? (/\/([\w]+)/.exec(type)?.[1] || unknown);
}

/** The kind of a file by the name of its binary field, e.g. `screenshot` of `screenshot_0`. */
function kindOf(name: string): string {
	return name.split('_')[0];
}

/** A reason as a sentence; those of n8n and of Node may end with nothing, or with line breaks. */
function sentence(reason: string): string {
	const text = reason.replace(OPENSSL, '$1').replace(/\s+/g, ' ').trim();
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

function failed(
	context: ServiceContext,
	file: FileRef,
	{ jobId }: CallSettings,
	reason: string,
): NodeApiError {
	const description = sentences([
		sentence(reason),
		...(isLink(file)
			? [`Link: ${file.value.slice(0, 200)}.`, LIFETIMES[kindOf(file.name)] ?? '']
			: []),
		'Turn off Download Files to get the result without its files.',
		jobId === undefined ? '' : `Job: ${jobId}.`,
	]);
	const message = `The file “${file.name}” could not be downloaded`;
	const item = { node: context.getNode(), itemIndex: context.getItemIndex?.() };
	return plainError(item, { message, description, level: 'warning' });
}

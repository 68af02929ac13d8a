import { NodeApiError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { DEFAULT_TIMEOUT_MS } from './http';
import { isObject } from './json';
import type { Caller } from './call';
import { isPrivate } from './privateHosts';
import { parsedUrl } from './root';
import type { CallSettings, ServiceContext } from './types';

/** Largest file taken, in bytes. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

const MAX_REDIRECTS = 5;

export interface FileSettings extends CallSettings {
	/** Largest file taken, in bytes; default 100 MB. */
	maxFileBytes?: number;
	/** Whether videos are left where they are. */
	withoutVideo?: boolean;
}

/** A file in a result: where its link or content stands, and the binary field it goes to. */
interface FileRef {
	holder: IDataObject | unknown[];
	key: string;
	name: string;
	value: string;
}

/** Why a link may be dead, by the kind of file (Search response). */
const LIFETIMES: Record<string, string> = {
	screenshot: 'Screenshot links expire after 24 hours.',
	audio: 'Audio links expire after 1 hour.',
	video: 'Video links expire after 1 hour.',
};

const DATA_URI = /^data:([\w.+/-]*)[^,]*;base64,/;
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
	settings: FileSettings = {},
): Promise<void> {
	const { context } = caller;
	for (const file of filesIn(item.json, settings.withoutVideo !== true)) {
		const inline = inlineContent(file.value);
		const binary = inline
			? await context.helpers.prepareBinaryData?.(
					inline.content,
					`${file.name}.${extensionOf(inline.type)}`,
					inline.type,
				)
			: await download(caller, file, settings);
		if (binary === undefined) continue;
		item.binary = { ...item.binary, [file.name]: binary };
		if (inline) (file.holder as IDataObject)[file.key] = `(in binary field ${file.name})`;
	}
}

/** The files in a result, or in a response that was not split. */
function filesIn(json: IDataObject, withVideo: boolean): FileRef[] {
	const pages = pagesIn(json, withVideo);
	return pages.flatMap((page, index) =>
		filesOfPage(page, withVideo).map((file) => ({
			...file,
			name: pages.length > 1 ? `${file.name}_of_${index}` : file.name,
		})),
	);
}

function pagesIn(json: IDataObject, withVideo: boolean): IDataObject[] {
	const { data } = json;
	const nested = Array.isArray(data) ? data : isObject(data) ? [data, ...Object.values(data)] : [];
	return [json, ...nested.flat()]
		.filter(isObject)
		.filter((page) => filesOfPage(page, withVideo).length > 0);
}

function filesOfPage(page: IDataObject, withVideo: boolean): FileRef[] {
	const files: FileRef[] = [];
	const add = (holder: FileRef['holder'], key: string, name: string) => {
		const value = (holder as IDataObject)[key];
		if (typeof value === 'string' && value !== '') files.push({ holder, key, name, value });
	};
	add(page, 'screenshot', 'screenshot');
	add(page, 'audio', 'audio');
	if (withVideo) add(page, 'video', 'video');
	const actions = isObject(page.actions) ? page.actions : {};
	for (const [list, name] of [
		['screenshots', 'screenshot'],
		['pdfs', 'pdf'],
	]) {
		const entries = actions[list];
		if (!Array.isArray(entries)) continue;
		entries.forEach((_, index) => add(entries, String(index), `${name}_${index}`));
	}
	for (const key of ['markdown', 'html', 'rawHtml']) {
		const value = page[key];
		if (typeof value === 'string' && value.startsWith(BASE64_PDF)) add(page, key, 'pdf');
	}
	return files;
}

/** The names of a page's fields that hold its files, or links to them. */
export function fileFieldsOf(page: IDataObject): string[] {
	return filesOfPage(page, true).map(({ holder, key }) => (holder === page ? key : 'actions'));
}

function inlineContent(value: string): { content: Buffer; type: string } | undefined {
	const [head, type] = DATA_URI.exec(value) ?? [];
	if (head !== undefined) {
		return { content: Buffer.from(value.slice(head.length), 'base64'), type };
	}
	if (!value.startsWith(BASE64_PDF)) return undefined;
	return { content: Buffer.from(value, 'base64'), type: 'application/pdf' };
}

async function download(caller: Caller, file: FileRef, settings: FileSettings) {
	const { run, context } = caller;
	const { timeout } = settings.http ?? {};
	const maxBytes = settings.maxFileBytes ?? MAX_FILE_BYTES;
	const cancel = run.signal;
	const deadline = AbortSignal.timeout(timeout || DEFAULT_TIMEOUT_MS);
	try {
		const abortSignal = cancel ? AbortSignal.any([cancel, deadline]) : deadline;
		const { url, response } = await fetched(caller, file.value, settings, abortSignal);
		if (response.statusCode !== 200) {
			response.body.destroy();
			throw new Problem(`The response has status ${response.statusCode}.`);
		}
		const type = String(response.headers['content-type'] ?? '').split(';')[0] || undefined;
		return await context.helpers.prepareBinaryData?.(
			bounded(response.body, maxBytes),
			fileName(url, file.name, type),
			type,
		);
	} catch (error) {
		if (cancel?.aborted) throw failed(context, file, settings, 'The execution was cancelled.');
		if (deadline.aborted) throw failed(context, file, settings, 'It did not come in time.');
		throw failed(context, file, settings, (error as Error).message);
	}
}

/** The response of a link, and where it came from in the end. Throws Problem for what is not to be fetched. */
async function fetched(
	caller: Caller,
	link: string,
	{ http }: FileSettings,
	abortSignal: AbortSignal,
): Promise<{ url: URL; response: FileResponse }> {
	const { helpers } = caller.context;
	const { proxy, skipSslCertificateValidation } = http ?? {};
	let url = parsedUrl(link);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		if (url === undefined || !/^https?:$/.test(url.protocol)) {
			throw new Problem('It is not a link that starts with http:// or https://.');
		}
		await rejectPrivate(caller, url);
		const response = (await helpers.httpRequest({
			method: 'GET',
			url: url.href,
			proxy,
			skipSslCertificateValidation,
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
		`It leads to ${url.host}, an address in the network that n8n is in, which a file of a web page can't be at.`,
	);
}

/** A reason of ours for a failed download. */
class Problem extends Error {}

type Stream = { map: (change: (chunk: Buffer) => Buffer) => never; destroy: () => void };

interface FileResponse {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Stream;
}

/** The stream, failing when it gets longer than allowed. */
function bounded(body: Stream, maxBytes: number) {
	let size = 0;
	return body.map((chunk) => {
		size += chunk.length;
		if (size > maxBytes) throw new Problem(`It is larger than ${maxBytes / 1024 / 1024} MB.`);
		return chunk;
	});
}

function fileName(url: URL, name: string, type: string | undefined): string {
	const last = url.pathname.split('/').at(-1)!;
	return /\.\w{2,5}$/.test(last) ? last : `${name}.${extensionOf(type ?? '')}`;
}

function extensionOf(type: string): string {
	const known: Record<string, string> = { 'image/jpeg': 'jpg', 'audio/mpeg': 'mp3' };
	return known[type] ?? (/\/([\w]+)/.exec(type)?.[1] || 'bin');
}

function failed(
	context: ServiceContext,
	file: FileRef,
	{ itemIndex, jobId }: FileSettings,
	reason: string,
): NodeApiError {
	const [kind] = file.name.split('_');
	const description = [
		reason,
		`Link: ${file.value.slice(0, 200)}.`,
		LIFETIMES[kind] ?? '',
		'Turn off Download Files to get the result without its files.',
		jobId === undefined ? '' : `Job: ${jobId}.`,
	];
	const error = new NodeApiError(context.getNode(), {}, { itemIndex, level: 'warning' });
	error.message = `The file “${file.name}” could not be downloaded`;
	error.description = description.filter((part) => part !== '').join(' ');
	return error;
}

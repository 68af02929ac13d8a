import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	ServiceError,
	type ServiceErrorDetails,
	type StartedJob,
} from '../../client/errors/serviceError';
import { isObject } from '../../base/json';
import type { Task } from '../operation';
import { sentences } from '../../base/text';
import { Problem, download, extensionOf, fileProblemOf, MAX_DOWNLOADS } from './download';
import { FileRoom } from './fileRoom';
import { keepBinary } from './keep';
import { Slots } from './slots';
import { MAX_FILES } from '../../base/limits';

/** A file in a result: the path to its link or content, and the binary field that it goes to. */
interface FileRef {
	path: string[];
	name: string;
	value: string;
}

/** Why a link may have expired, by kind of file (WebResult in api/openapi.yaml). */
const LIFETIMES: Record<string, string> = {
	screenshot: 'Screenshot links expire after 24 hours.',
	audio: 'Audio links expire after 1 hour.',
	video: 'Video links expire after 1 hour.',
};

// The lengths are limited, because the value may be some other long text.
const INLINE = /^(?:data:([\w.+/-]{0,100})[^,]{0,100};base64,|(?=JVBERi0))/;
// "%PDF-" in base64, which the service sends instead of markdown for `parsers: []`.
const BASE64_PDF = 'JVBERi0';

/** The job of a result, and the operation that gets it again if it was started here. */
type KnownJob = Pick<ServiceErrorDetails, 'jobId' | 'getBy'>;

interface FailedItem {
	item: INodeExecutionData;
	error: unknown;
}

/**
 * Adds the files of items to their binary data: screenshots, audio, video and PDFs, which come as a link, data URI or
 * base64. Links stay in the JSON; embedded content is replaced by a note. Files are fetched without the key. Returns
 * the items that lack a file; with `stopsAtFirst`, no further file is started after the first failure.
 */
export async function addFiles(
	task: Task,
	items: INodeExecutionData[],
	stopsAtFirst: boolean,
	job?: StartedJob,
): Promise<FailedItem[]> {
	const failures: FailedItem[] = [];
	const most = task.settings.maxConcurrent ?? MAX_DOWNLOADS;
	const slots = task.run.part(Slots, () => new Slots(most));
	const known = { jobId: job?.id ?? task.settings.jobId, getBy: job?.getBy };
	const add = async (item: INodeExecutionData) => {
		// n8n discards the other items' results when the workflow stops.
		const isOver = () => (stopsAtFirst && failures.length > 0) || task.run.stopped.aborted;
		try {
			const files = refsIn(item.json);
			if (files.length > MAX_FILES) throw tooMany(known.jobId, files.length);
			for (const file of files) {
				const binary = await slots.run(async () =>
					isOver() ? undefined : await binaryOf(task, file, known),
				);
				if (binary === undefined) continue;
				item.binary = { ...item.binary, [file.name]: binary };
				if (!isLink(file)) {
					const note = `(in binary field ${file.name})`;
					item.json = replaced(item.json, file.path, note) as IDataObject;
				}
			}
		} catch (error) {
			failures.push({ item, error });
		}
	};
	await Promise.all(items.map(add));
	return failures;
}

/** Returns a file's binary data; undefined if n8n doesn't store any. Throws ServiceError naming the link. */
async function binaryOf(
	task: Task,
	file: FileRef,
	job: KnownJob,
): Promise<IBinaryData | undefined> {
	const room = task.run.part(FileRoom);
	const [head, type = 'application/pdf'] = INLINE.exec(file.value) ?? [];
	try {
		if (head === undefined) return await download(task, file.value, file.name, room);
		const content = Buffer.from(file.value.slice(head.length), 'base64');
		const problem = room.fullBy(content.length) ?? fileProblemOf(type, content.length);
		if (problem !== undefined) throw new Problem(problem);
		const fileName = `${file.name}.${extensionOf(type)}`;
		return await keepBinary(task.context.helpers, { content, fileName, type }, job.jobId);
	} catch (error) {
		throw error instanceof Problem ? fileError(file, error.message, job) : error;
	}
}

/** Returns a copy of the value with the text at this path. The original may be kept for a retry or shared by items. */
function replaced(value: unknown, [key, ...rest]: string[], text: string): unknown {
	if (key === undefined) return text;
	const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as IDataObject;
	copy[key] = replaced(copy[key], rest, text) as IDataObject;
	return copy;
}

/** Returns the files in a result, or in a response that was not split. */
function refsIn(json: IDataObject): FileRef[] {
	const pages = possiblePages(json)
		.map(({ value, path }) => ({
			path,
			files: isObject(value) ? filesOfPage(value) : [],
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

interface Entry {
	value: unknown;
	path: string[];
}

/**
 * Returns the objects that may be pages: the result itself, its `data`, the objects inside that, and those in its
 * lists.
 */
function possiblePages(json: IDataObject): Entry[] {
	const data = { value: json.data, path: ['data'] };
	const inData = childrenAt(data).flatMap((entry) =>
		Array.isArray(entry.value) ? childrenAt(entry) : [entry],
	);
	return [{ value: json, path: [] }, data, ...inData];
}

function childrenAt({ value, path }: Entry): Entry[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).map(([key, inside]) => ({ value: inside, path: [...path, key] }));
}

function filesOfPage(page: IDataObject): FileRef[] {
	const files: FileRef[] = [];
	const add = (value: unknown, path: string[], name: string) => {
		if (typeof value === 'string' && value !== '') files.push({ path, name, value });
	};
	for (const name of ['screenshot', 'audio', 'video']) add(page[name], [name], name);
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

/** Returns the names of a page's fields that contain its files, or links to them. */
export function fileFieldsOf(page: IDataObject): string[] {
	return filesOfPage(page).map(({ path }) => path[0]);
}

function isLink({ value }: FileRef): boolean {
	return !INLINE.test(value);
}

function tooMany(jobId: string | undefined, count: number): ServiceError {
	return new ServiceError(`The item has ${count} files`, {
		description: `The limit is ${MAX_FILES} files per item. Turn on Split Into Items, or turn off Download Files.`,
		...{ jobId, lacksJob: true },
	});
}

function fileError(file: FileRef, reason: string, { jobId, getBy }: KnownJob): ServiceError {
	const [kind] = file.name.split('_');
	const description = sentences([
		reason,
		isLink(file) && sentences([`Link: ${file.value.slice(0, 200)}.`, LIFETIMES[kind]]),
		getBy
			? `"${getBy}" with the job ID, and without Download Files, gets the result at no cost.`
			: 'Turn off Download Files to get the result without its files.',
	]);
	const message = `The file “${file.name}” could not be downloaded`;
	return new ServiceError(message, { description, jobId, lacksJob: true });
}

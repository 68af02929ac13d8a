import type { IDataObject } from 'n8n-workflow';

import { hasContent, numberOf } from '../base/json';
import { resultsIn } from '../run/results/response';
import { textOf } from '../base/text';
import type { Caller } from '../client/account';
import { callService } from '../client/call';
import type { CallSettings, ServiceCall, ServiceResponse } from '../client/types';
import { parsedUrl } from '../base/url';
import { ServiceError } from '../client/errors/serviceError';
import { jobStateOf } from './jobState';

/**
 * Number of consecutive chunks that bring nothing new, though each has a new `next`, after which a list counts as
 * endless.
 */
export const MOST_IDLE_CHUNKS = 3;

/** Factor by which a job may exceed its own page count, apart from a constant, before its list counts as endless. */
const MOST_TIMES_COUNTED = 2;
const MOST_UNCOUNTED = 100;

const ELSEWHERE = 'leads elsewhere';

export interface PagingSettings extends CallSettings {
	/** Number of pages after which no further chunk is requested. */
	limit?: number;
	/** The caller's pages; a chunk that leaves their count unchanged returned nothing new. */
	collected: { readonly count: number };
	/** Called before each further chunk; whatever it throws ends the reading. */
	beforeNext?(): void;
}

/**
 * Yields the pages of a job, chunk by chunk ([10 MB each](../../../api/openapi.yaml)): those of its first response,
 * then those of every `next`. Only path and query of a `next` are used, on the credential's own base URL. For a running
 * job, it stops at the number of pages that the job had at first. Each chunk is requested like any GET. Throws
 * callService's errors, and ServiceError for a `next` that leads elsewhere or back to pages read before.
 */
export async function* followPages(
	caller: Caller,
	call: ServiceCall,
	first: ServiceResponse,
	settings: PagingSettings,
): AsyncGenerator<IDataObject[]> {
	const { limit = Infinity, collected } = settings;
	const countedAtFirst = isRunning(first.body) ? numberOf(first.body.completed) : Infinity;
	const followed = new Set<string>();
	let { body } = first;
	let count = 0;
	let idleChunks = 0;
	for (;;) {
		const chunk = resultsIn(body.data);
		const before = collected.count;
		yield chunk;
		count += chunk.length;
		idleChunks = collected.count === before ? idleChunks + 1 : 0;

		const next = nextOf(body);
		if (next === undefined || collected.count >= limit) return;
		// The `next` of a running job never ends.
		if (isRunning(body) && chunk.length === 0) return;
		if (count >= countedAtFirst) return;
		const path = checkedNext(next, call.path, { count, jobId: settings.jobId });
		if (followed.has(path)) {
			// The `next` of a cancelled or failed job leads to an empty chunk whose own `next` points back to it, which
			// marks the end.
			if (chunk.length === 0 || hasAll(body, collected)) return;
			throw strange('goes round in circles', next, { count, jobId: settings.jobId });
		}
		if (idleChunks >= MOST_IDLE_CHUNKS || count > mostOf(body)) {
			throw strange('never ends', next, { count, jobId: settings.jobId });
		}
		followed.add(path);
		settings.beforeNext?.();
		({ body } = await callService(caller, { method: 'GET', path }, settings));
	}
}

function isRunning(body: IDataObject): boolean {
	return jobStateOf(body.status) === 'running';
}

function hasAll({ completed }: IDataObject, { count }: PagingSettings['collected']): boolean {
	const counted = numberOf(completed);
	return counted > 0 && count >= counted;
}

/**
 * Returns the maximum number of pages to accept from a job. The margin is large because some services count too few,
 * and some don't count at all.
 */
function mostOf({ completed, total }: IDataObject): number {
	const counted = Math.max(numberOf(completed), numberOf(total));
	return counted > 0 ? counted * MOST_TIMES_COUNTED + MOST_UNCOUNTED : Infinity;
}

/** What an error says of the pages read so far. */
interface ReadSoFar {
	count: number;
	jobId?: string;
}

/** Returns the path and query of a `next`, like `pathOfNext`. Throws ServiceError for another path. */
export function checkedNext(next: string, ownPath: string, read: ReadSoFar): string {
	const path = pathOfNext(next, ownPath);
	if (path === undefined) throw strange(ELSEWHERE, next, read);
	return path;
}

/** Returns the `next` of a chunk, unless it is empty; an object as JSON, which then leads nowhere. */
export function nextOf({ next }: IDataObject): string | undefined {
	const isLink = typeof next === 'string' || typeof next === 'object';
	return isLink && hasContent(next) ? textOf(next) : undefined;
}

/**
 * Returns the path and query to request, below the base URL. Services behind a proxy name an internal scheme, host,
 * port or prefix in `next`. So it must end with the job's own path, and only the version and everything after that path
 * are used. Undefined for another path.
 */
export function pathOfNext(next: string, ownPath: string): string | undefined {
	const [own] = ownPath.split('?');
	const url = parsedUrl(next, `http://relative.invalid${own}`);
	const job = own.replace(/^\/v[12]/, '');
	if (url === undefined) return undefined;
	const [path, end] = [url.pathname, job].map(decodedPath);
	if (!path.endsWith(end)) return undefined;
	const [version] = path.slice(0, -end.length).match(/\/v[12]$/) ?? [];
	return version && version + job + url.search;
}

/** Returns a path without escapes, because services differ in the characters of an ID that they escape. */
function decodedPath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

function strange(problem: string, next: string, { count, jobId }: ReadSoFar): ServiceError {
	const reason = problem === ELSEWHERE ? ', so that the API key stays where it belongs' : '';
	return new ServiceError(`The service's link to further pages ${problem}`, {
		description: `Pages read before it: ${count}. It was not followed${reason}: “${next.slice(0, 100)}”. Report it to the service.`,
		...{ jobId, lacksJob: true },
	});
}

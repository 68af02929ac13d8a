import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { callService, type Caller } from '../transport/call';
import { listOf } from '../transport/json';
import { parsedUrl } from '../transport/root';
import type { CallSettings, ServiceCall, ServiceResponse } from '../transport/types';
import { jobError } from './jobError';
import { jobStateOf } from './jobState';

/** After this many chunks in a row without a page, each with a new `next`, the list is taken to be endless. */
const MOST_EMPTY_CHUNKS = 3;

const ELSEWHERE = 'does not lead to this job';

export interface PagingSettings extends CallSettings {
	/** Most pages in all; nothing is fetched beyond it. */
	limit?: number;
	/** Whether a job that is still running is followed up to the pages it had at first; else it is one response. */
	whileRunning?: boolean;
}

/**
 * The pages of a job, chunk by chunk ([10 MB each](../../../api/openapi.yaml)): those of its first response, then those
 * of every `next`, which is followed by path and query on the credential's own base URL. Each chunk is asked for like any
 * GET; throws what callService throws, and NodeApiError for a `next` that leads elsewhere or back to pages read before.
 */
export async function* followPages(
	caller: Caller,
	call: ServiceCall,
	first: ServiceResponse,
	settings: PagingSettings = {},
): AsyncGenerator<IDataObject[]> {
	const limit = settings.limit ?? Infinity;
	const known = isRunning(first.body) ? Number(first.body.completed ?? 0) : Infinity;
	const followed = new Set<string>();
	let { body } = first;
	let count = 0;
	let emptyChunks = 0;
	for (;;) {
		const chunk = listOf(body.data);
		yield chunk.slice(0, limit - count);
		count += chunk.length;
		emptyChunks = chunk.length === 0 ? emptyChunks + 1 : 0;

		const next = nextOf(body);
		if (next === undefined || count >= limit) return;
		// A running job's `next` never ends.
		if (isRunning(body) && (!settings.whileRunning || chunk.length === 0)) return;
		if (count >= known) return;
		const path = pathOfNext(next, call.path);
		if (path === undefined) {
			throw strange(caller, settings, ELSEWHERE, count, next);
		}
		if (followed.has(path)) {
			// That of a cancelled or failed job leads to an empty chunk that names itself: that is its end.
			if (chunk.length === 0) return;
			throw strange(caller, settings, 'goes round in circles', count, next);
		}
		if (emptyChunks >= MOST_EMPTY_CHUNKS) {
			throw strange(caller, settings, 'never ends', count, next);
		}
		followed.add(path);
		({ body } = await callService(caller, { method: 'GET', path }, settings));
	}
}

function isRunning(body: IDataObject): boolean {
	return jobStateOf(body.status) === 'running';
}

function nextOf(body: IDataObject): string | undefined {
	return typeof body.next === 'string' && body.next !== '' ? body.next : undefined;
}

/**
 * Path and query to ask for, below the base URL. Services behind a proxy name an internal scheme, host, port or
 * prefix in `next`, so it has to end with the job's own path, and only the version and what follows the path are
 * taken over. Undefined for another path.
 */
export function pathOfNext(next: string, ownPath: string): string | undefined {
	const [own] = ownPath.split('?');
	const url = parsedUrl(next, `http://relative.invalid${own}`);
	const job = own.replace(/^\/v[12]/, '');
	if (!url?.pathname.endsWith(job)) return undefined;
	const [version] = url.pathname.slice(0, -job.length).match(/\/v[12]$/) ?? [];
	return version && version + job + url.search;
}

function strange(
	{ run }: Caller,
	{ itemIndex, jobId }: CallSettings,
	problem: string,
	count: number,
	next: string,
): NodeApiError {
	const reason = problem === ELSEWHERE ? ', so that the API key stays where it belongs' : '';
	const job = jobId === undefined ? '' : ` Job: ${jobId}.`;
	return jobError(
		{ node: run.node, itemIndex },
		{
			message: `The service's link to further pages ${problem}`,
			description: `Pages read before it: ${count}. It was not followed${reason}: “${next.slice(0, 100)}”.${job} Report it to the service.`,
			jobId,
		},
	);
}

import type { IDataObject } from 'n8n-workflow';

import { save, sayNewStart, type PollTools } from '../shared/trigger/poll';
import { commitFound, readSeen, type Found, type SeenSettings } from './seenResults';

/** A result of a search with what makes it the same result. */
export interface FoundResult extends Found {
	result: IDataObject;
}

export interface SearchTask extends Pick<PollTools, 'store' | 'claims' | 'log'> {
	settings: SeenSettings;
	/** The one paid request of a poll. Throws when the service can't be asked. */
	search(): Promise<FoundResult[]>;
}

/**
 * One poll: the search and, at the end and at once, the state. Returns the results that are news, each with its `event`.
 * Throws what the search threw; the state is then as before. Of polls of one process that overlap, only the first
 * searches.
 */
export async function pollSearch(task: SearchTask): Promise<IDataObject[]> {
	const { store, claims, log, settings } = task;
	if (!claims.take('search', task)) return [];
	try {
		const base = store.read();
		sayNewStart(readSeen(base, settings.scope), log);
		const found = await task.search();
		const result = commitFound({ base, now: store.read() }, found, settings);
		if (result?.state) save(store, result.state);
		return (result?.news ?? []).map(({ index, event }) => ({ ...found[index].result, event }));
	} finally {
		claims.release(task);
	}
}

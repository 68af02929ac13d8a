import type { IDataObject } from 'n8n-workflow';

import { save } from '../shared/trigger/memory';
import { type PollTools, sayNewStart } from '../shared/trigger/pollTools';
import { type Found, type SeenSettings, commitFound, readSeen } from './seenResults';

/** A result of a search with what makes it the same result. */
export interface FoundResult extends Found {
	result: IDataObject;
}

export interface SearchTask extends Pick<PollTools, 'store' | 'log'> {
	settings: SeenSettings;
	/** The one paid request of a poll, within the poll's time. Throws when the service can't be asked. */
	search(): Promise<FoundResult[]>;
}

/**
 * One poll: the search and, at the end and at once, the state. Returns the results that are news, each with its `event`.
 * Throws what the search threw; the state is then as before.
 */
export async function pollSearch(task: SearchTask): Promise<IDataObject[]> {
	const { store, log, settings } = task;
	const { state: known, newStart } = readSeen(store.read(), settings.scope);
	sayNewStart(newStart, log);
	const found = await task.search();
	const { state, news } = commitFound(known, found, settings);
	if (state) save(store, state);
	return news.map(({ index, event }) => ({ ...found[index].result, event }));
}

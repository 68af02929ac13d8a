import type { IDataObject } from 'n8n-workflow';

import { hasBegun, recalled, save } from '../shared/trigger/memory';
import type { PollTools } from '../shared/trigger/pollTools';
import { STATE, commitFound } from '../shared/trigger/seenList';
import type { Found, SeenSettings, SeenState } from '../shared/trigger/seenList';

export interface FoundResult extends Found {
	result: IDataObject;
}

export interface SearchTask extends Pick<PollTools, 'store' | 'log' | 'begin'> {
	settings: SeenSettings;
	/** Makes the one paid request of a poll, within the poll's time. Throws if the service can't be reached. */
	search(isFirst: boolean): Promise<FoundResult[]>;
}

/**
 * Polls once: searches, then saves the state in one go. Returns the new results, each with its `event`. Throws the
 * search's error; the state is then unchanged.
 */
export async function pollSearch(task: SearchTask): Promise<IDataObject[]> {
	const { store, settings } = task;
	const known = recalled<SeenState>(task, STATE, settings.scope);
	const emitFirst = settings.emitFirst && !hasBegun(store, settings.scope);
	const found = await task.search(known === undefined);
	const { state, news } = commitFound(known, found, { ...settings, emitFirst });
	if (state) save(store, state);
	return news.map(({ index, event }) => ({ ...found[index].result, event }));
}

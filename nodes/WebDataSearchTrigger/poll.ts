import type { IDataObject } from 'n8n-workflow';

import { shortHash, textOf } from '../shared/base/text';
import { madeOf } from '../shared/base/time';
import { parsedUrl } from '../shared/base/url';
import { hasBegun, recalled, save } from '../shared/trigger/memory';
import type { PollTools } from '../shared/trigger/runPoll';
import {
	type Found,
	IDENTITY_LENGTH,
	type SeenSettings,
	type SeenState,
	STATE,
	TEXT_LENGTH,
	commitFound,
} from '../shared/trigger/seenList';
import { removeTracking } from '../shared/trigger/tracking';

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

/** Returns a URL without its fragment and, if wanted, without tracking parameters, which don't identify a page. */
export function plainUrl(address: string, ignoreTracking: boolean): string {
	const url = parsedUrl(address.trim());
	if (url === undefined) return address.trim();
	url.hash = '';
	if (ignoreTracking) removeTracking(url);
	return url.href;
}

/** Returns results with their identity: their URL or, for images, the URL of the image itself; their text without one. */
export async function identified(
	results: IDataObject[],
	ignoreTracking: boolean,
): Promise<FoundResult[]> {
	return await madeOf(results, async (result) => {
		const { url, imageUrl, title, description, snippet } = result;
		const source = textOf(result.searchSource ?? result.source);
		const address = source === 'images' ? (imageUrl ?? url) : url;
		const texts = [title, description ?? snippet];
		const text = JSON.stringify(texts);
		const ownName = texts.some(Boolean) ? text : JSON.stringify(result);
		const name = typeof address === 'string' ? plainUrl(address, ignoreTracking) : ownName;
		return {
			result,
			identity: await shortHash(name, IDENTITY_LENGTH),
			text: source.charAt(0) + (await shortHash(text, TEXT_LENGTH - 1)),
		};
	});
}

import type { IDataObject } from 'n8n-workflow';

import { typedIn, without } from '../shared/base/json';
import { checkFound, searchResults } from '../shared/run/results/searchResults';
import { readForm } from '../shared/trigger/runPoll';
import { hashedScope } from '../shared/trigger/memory';
import { HEAD_START_MS, type Poll, credentialIdOf } from '../shared/trigger/runPoll';
import * as tracking from '../shared/trigger/tracking';
import * as form from './fields';
import { type SearchTask, identified } from './poll';

/** Timeout (ms) for a search; the service's own default, 60 s, may exceed the time that a poll has. */
const SEARCH_TIMEOUT_MS = 30_000;

type WatchedSearch = Omit<SearchTask, 'store' | 'log' | 'begin'>;

/** Reads the node's parameters and prepares the search. Throws NodeOperationError naming the field. */
export async function watchedSearch(poll: Poll): Promise<WatchedSearch> {
	const { body, value } = readForm(poll.context, form.fields);
	const ignoreTracking = value(tracking.ignoreTracking);
	const timeoutMs = Math.min(SEARCH_TIMEOUT_MS, poll.tools.budgetMs);
	const sent = { timeout: timeoutMs - HEAD_START_MS, ...body };
	return {
		settings: {
			scope: await scopeOf(body, ignoreTracking, credentialIdOf(poll.context)),
			emitFirst: value(form.firstPoll) === 'emit',
			compareTexts: value(form.triggerOn) === 'changed',
		},
		search: async (isFirst) => {
			const within = { isPatient: isFirst, timeoutMs, fields: form.fields };
			const call = { method: 'POST' as const, path: '/v2/search', body: sent };
			const response = await poll.call(call, within);
			checkFound(response.body);
			const results = searchResults(response.body, { body });
			return await identified(results, ignoreTracking);
		},
	};
}

/**
 * Returns a hash of the search and of what identifies a result. The time filter isn't part of it: a search whose dates
 * move with the calendar is still the same search, and so is one with a higher limit.
 */
async function scopeOf(
	body: IDataObject,
	ignoreTracking: boolean,
	credentialId: string,
): Promise<string> {
	const search = without(body, 'limit', 'tbs', 'sources');
	const withoutTime = (source: IDataObject) => ({ ...source, tbs: undefined });
	// The service searches the web if no source is chosen.
	const where = typedIn(body.sources ?? ['web']).map(withoutTime);
	const watched = [search, where, ...(ignoreTracking ? [] : ['with tracking parameters'])];
	return await hashedScope(`${credentialId}:${JSON.stringify(watched)}`);
}

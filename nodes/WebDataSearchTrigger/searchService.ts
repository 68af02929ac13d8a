import { without } from '../shared/base/json';
import { searchResults } from '../shared/run/results/searchResults';
import { typedIn } from '../shared/fields/typed';
import { readForm } from '../shared/trigger/runPoll';
import { hashedScope } from '../shared/trigger/memory';
import { HEAD_START_MS, type Poll, credentialIdOf } from '../shared/trigger/runPoll';
import * as tracking from '../shared/trigger/tracking';
import * as form from './fields';
import { type SearchTask, identified } from './poll';

/** Timeout (ms) for a search; the service's own default, 60 s, may exceed the time that a poll has. */
const SEARCH_TIMEOUT_MS = 30_000;

/** Reads the node's parameters and prepares the search. Throws NodeOperationError naming the field. */
export async function watchedSearch(poll: Poll): Promise<SearchTask> {
	const { body, get, value } = readForm(poll.context, form.fields);
	const ignoreTracking = value(tracking.ignoreTracking);
	const timeoutMs = Math.min(SEARCH_TIMEOUT_MS, poll.tools.budgetMs);
	const sent = { timeout: timeoutMs - HEAD_START_MS, ...body };
	// A search whose dates move with the calendar is still the same search, and so is one with a higher limit.
	const same = without(body, 'limit', 'tbs', 'sources');
	// The service searches the web if no source is chosen.
	const where = typedIn(body.sources ?? ['web']).map((source) => ({ ...source, tbs: undefined }));
	const watched = [same, where, ...(ignoreTracking ? [] : ['with tracking parameters'])];
	return {
		...poll.tools,
		settings: {
			scope: await hashedScope(`${credentialIdOf(poll.context)}:${JSON.stringify(watched)}`),
			emitFirst: get(form.firstPoll) === 'emit',
			compareTexts: value(form.triggerOn) === 'changed',
		},
		search: async (isFirst) => {
			const within = { isPatient: isFirst, timeoutMs, fields: form.fields };
			const call = { method: 'POST' as const, path: '/v2/search', body: sent };
			const response = await poll.call(call, within);
			const results = searchResults(response.body, { body, get });
			return await identified(results, ignoreTracking);
		},
	};
}

import type { IPollFunctions } from 'n8n-workflow';

import { ServiceError } from '../shared/client/errors/serviceError';
import { withoutStop } from '../shared/base/text';
import { type TrackedCrawl, keyOf } from './crawlState';
import { MAX_TRIES } from './crawlWatch';

/** Number of consecutive failed look-ups after which a poll fails because of them; a single failure may be a fluke. */
const TELLING_TRIES = 2;

/** Maximum number of crawls named in an error. */
const MOST_NAMED = 3;

/**
 * Crawls that have already made a poll fail, by trigger. Kept in memory, because durable mode doesn't save the state of
 * a failed poll, and the next poll must go on regardless.
 */
const toldBy = new Map<string, Set<string>>();

/** Returns the keys of the crawls that have already made a poll of this trigger fail. */
export function toldOf(context: IPollFunctions): Set<string> {
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	const told = toldBy.get(trigger) ?? new Set();
	toldBy.set(trigger, told);
	return told;
}

/**
 * Throws ServiceError, once for each crawl, if crawls that would be emitted couldn't be looked up in several
 * consecutive polls; `reasons` are those of this poll, by ID.
 */
export function tellUnread(
	told: Set<string>,
	tracked: TrackedCrawl[],
	reasons: Map<string, string>,
): void {
	const unread = tracked.filter(
		({ tries = 0, mayBeOver }) => tries >= TELLING_TRIES && mayBeOver !== true,
	);
	const keys = new Set(unread.map(({ id }) => keyOf(id)));
	for (const key of told) if (!keys.has(key)) told.delete(key);
	const untold = unread.filter(({ id }) => reasons.has(id) && !told.has(keyOf(id)));
	if (untold.length === 0) return;
	for (const { id } of untold) told.add(keyOf(id));
	const named = untold.slice(0, MOST_NAMED).map(({ id }) => id);
	const more = untold.length - named.length;
	const what = untold.length === 1 ? 'Crawl' : 'Crawls';
	const [{ id, tries = 0 }] = untold;
	throw new ServiceError(
		`${what} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''} can’t be read: ${withoutStop(reasons.get(id)!)}`,
		{
			description: `This was the poll number ${tries} in a row. The next ones try again and emit other crawls as usual; after ${MAX_TRIES} in a row, a crawl is emitted with the event “unreachable”.`,
		},
	);
}

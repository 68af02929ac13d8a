import type { IPollFunctions } from 'n8n-workflow';

import { ServiceError } from '../shared/client/errors/serviceError';
import { withoutStop } from '../shared/base/text';
import { MAX_TRIES } from './crawlWatch';

/** Number of consecutive failed look-ups after which a poll fails because of them; a single failure may be a fluke. */
export const TELLING_TRIES = 2;

/** Maximum number of crawls named in an error. */
const MOST_NAMED = 3;

/** Maximum number of crawls remembered as told; beyond that, all of them may be told again. */
const MOST_TOLD = 1_000;

/**
 * Crawls that have already made a poll fail, by trigger and ID. Kept in memory, because durable mode doesn't save the
 * state of a failed poll, and the next poll must go on regardless.
 */
const told = new Set<string>();

/** Returns a function that says whether a crawl hasn't made a poll of this trigger fail before; from then on, it has. */
export function tellerFor(context: IPollFunctions): (id: string) => boolean {
	return (id) => {
		const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, id]);
		if (told.has(key)) return false;
		if (told.size >= MOST_TOLD) told.clear();
		told.add(key);
		return true;
	};
}

/** Throws ServiceError if there are crawls that couldn't be looked up, with the reason of the first. */
export function tellUnread(unread: Array<{ id: string; reason: string }>): void {
	if (unread.length === 0) return;
	const named = unread.slice(0, MOST_NAMED).map(({ id }) => id);
	const more = unread.length - named.length;
	const what = unread.length === 1 ? 'Crawl' : 'Crawls';
	throw new ServiceError(
		`${what} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''} can’t be read: ${withoutStop(unread[0].reason)}`,
		{
			description: `Several polls in a row have tried. The next ones try again and emit other crawls as usual; a crawl that can’t be read ${MAX_TRIES} times in a row is emitted with the event “unreachable”.`,
		},
	);
}

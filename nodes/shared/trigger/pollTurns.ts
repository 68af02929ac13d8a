import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { monotonicMs } from '../time';

/** How long (ms) n8n may take to save what a poll has learned, with what it emits. */
const SAVED_WITHIN_MS = 10_000;

interface Turn {
	/** Of one that emitted something: the static data it left as JSON, and until when n8n may not have saved it (ms of `monotonicMs`). */
	left?: { json: string; until: number };
}

/** By node and what it watches: the poll that runs, or the last one that emitted something. */
const pollTurns = new Map<string, Turn>();

/** The static data that a poll is reading and writing. */
const inUse = new WeakSet<IDataObject>();

/**
 * Runs a poll in its turn. In default mode the polls of several Poll Times, or one that takes longer than the time between
 * two, share the static data; in durable mode n8n makes up for polls that it missed, several at the same moment, each with a
 * copy of it from before. All would pay for and emit the same. So while one runs, and until what it emitted is in the copies,
 * the others leave the work to it and give no items. With a copy, those of another `scope` go on: settings that were published
 * while a poll with the old ones runs. Throws what `poll` throws.
 */
export async function inTurn<Item>(
	context: IPollFunctions,
	{ data, scope }: { data: IDataObject; scope: string },
	poll: () => Promise<Item[]>,
): Promise<Item[]> {
	for (const [name, { left }] of pollTurns) {
		if (left !== undefined && left.until <= monotonicMs()) pollTurns.delete(name);
	}
	const name = `${context.getWorkflow().id} ${context.getNode().id} ${scope}`;
	const before = pollTurns.get(name);
	const isTaken = before !== undefined && before.left?.json !== JSON.stringify(data);
	if (isTaken || inUse.has(data)) {
		context.logger.info(
			'Another poll of this trigger is running or has just ended, so this one does nothing',
		);
		return [];
	}
	const turn: Turn = {};
	pollTurns.set(name, turn);
	inUse.add(data);
	try {
		const items = await poll();
		if (items.length > 0) {
			turn.left = { json: JSON.stringify(data), until: monotonicMs() + SAVED_WITHIN_MS };
		}
		return items;
	} finally {
		inUse.delete(data);
		if (turn.left === undefined) pollTurns.delete(name);
	}
}

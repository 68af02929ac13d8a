import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { belongingTo } from '../belonging';
import { monotonicMs } from '../clock';

/** Allows n8n so long (ms) to save what a poll has learned, with what it emits. */
const SAVED_WITHIN_MS = 10_000;

interface Turn {
	/** Holds, of one that emitted something, the static data it left as JSON, and until when n8n may not have saved it (ms of `monotonicMs`). */
	left?: { json: string; until: number };
}

/** Holds the poll that runs, or the last one that emitted something, by node and what it watches. */
const pollTurns = new Map<string, Turn>();

/** Notes whether a poll is reading and writing the static data; one of another version of this package, too. */
const useOf = (data: IDataObject) => belongingTo(data, 'use 1', () => ({ isInUse: false }));

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
	const use = useOf(data);
	if (isTaken || use.isInUse) {
		context.logger.info(
			'Another poll of this trigger is running or has just ended, so this one does nothing',
		);
		return [];
	}
	const turn: Turn = {};
	pollTurns.set(name, turn);
	use.isInUse = true;
	try {
		const items = await poll();
		if (items.length > 0) {
			turn.left = { json: JSON.stringify(data), until: monotonicMs() + SAVED_WITHIN_MS };
		}
		return items;
	} finally {
		use.isInUse = false;
		if (turn.left === undefined) pollTurns.delete(name);
	}
}

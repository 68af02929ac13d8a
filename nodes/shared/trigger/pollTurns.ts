import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { monotonicMs } from '../base/time';

/** Gives n8n this long (ms) to save a poll's state, together with what it emits. */
const SAVED_WITHIN_MS = 10_000;

interface Turn {
	/**
	 * Belongs to a poll that emitted something: the static data it left as JSON, and until when n8n may not have saved it
	 * (ms of `monotonicMs`).
	 */
	left?: { json: string; until: number };
}

/** Keeps the running poll, or the last one that emitted something, by node and what it watches. */
const pollTurns = new Map<string, Turn>();

/** Holds the static data that a poll is reading and writing. */
const inUse = new WeakSet<IDataObject>();

/**
 * Runs a poll in its turn. In default mode, overlapping polls share the static data: those of several Poll Times, or one
 * that takes longer than the interval. In durable mode, n8n makes up for missed polls, several at the same moment, each
 * with an older copy of the data. All would pay for and emit the same. So while one runs, and until its results are in
 * the copies, the others leave the work to it and give no items. With a copy, polls of another `scope` go on: those of
 * settings that were published while a poll with the old ones runs. Throws whatever `poll` throws.
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

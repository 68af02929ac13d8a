import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { monotonicMs } from '../base/time';

/** Time (ms) within which n8n saves a poll's state, together with what it emits. */
const SAVED_WITHIN_MS = 10_000;

/**
 * The running poll, or the last one that emitted something, by node and what it watches. Once it has emitted: the
 * static data after it, as JSON, and the time (ms of `monotonicMs`) until which n8n may not have saved it.
 */
const pollTurns = new Map<string, { json: string; until: number } | undefined>();

const BUSY = 'Another poll of this trigger is running or has just ended, so this one does nothing';

/** Static data that a poll is reading and writing. */
const inUse = new WeakSet<IDataObject>();

/**
 * Runs a poll unless another one is doing the same work. In default mode, overlapping polls share the static data:
 * several Poll Times may coincide, or a poll may take longer than the interval. In durable mode, n8n makes up for
 * missed polls, several at the same moment, each with an older copy of the data. All of them would pay for and emit the
 * same things. So while one runs, and until its results are in the copies, the others leave the work to it and return
 * no items. Polls with a copy and a different `scope` run nevertheless: their settings were published while a poll with
 * the old ones was running. Throws whatever `poll` throws.
 */
export async function inTurn<Item>(
	context: IPollFunctions,
	{ data, scope }: { data: IDataObject; scope: string },
	poll: () => Promise<Item[]>,
): Promise<Item[]> {
	for (const [name, left] of pollTurns) {
		if (left !== undefined && left.until <= monotonicMs()) pollTurns.delete(name);
	}
	const name = `${context.getWorkflow().id} ${context.getNode().id} ${scope}`;
	const isTaken = pollTurns.has(name) && pollTurns.get(name)?.json !== JSON.stringify(data);
	if (isTaken || inUse.has(data)) {
		context.logger.info(BUSY);
		return [];
	}
	let left: { json: string; until: number } | undefined;
	pollTurns.set(name, left);
	inUse.add(data);
	try {
		const items = await poll();
		const until = monotonicMs() + SAVED_WITHIN_MS;
		if (items.length > 0) left = { json: JSON.stringify(data), until };
		return items;
	} finally {
		inUse.delete(data);
		if (left === undefined) pollTurns.delete(name);
		else pollTurns.set(name, left);
	}
}

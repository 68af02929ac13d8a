import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { monotonicMs } from '../base/time';

/** Time (ms) within which n8n saves a poll's state, together with what it emits. */
const SAVED_WITHIN_MS = 10_000;

/** What an emission leaves behind. */
interface Left {
	/** The static data after it and after the polls since then, as JSON. */
	newer: string[];
	/** Time (ms of `monotonicMs`) until which a poll may still come with older static data. */
	until: number;
}

/** What the last emission has left, by node and what it watches; undefined while a poll is running. */
const pollTurns = new Map<string, Left | undefined>();

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
	const isTaken = pollTurns.has(name) && !pollTurns.get(name)?.newer.includes(JSON.stringify(data));
	if (isTaken || inUse.has(data)) {
		context.logger.info(BUSY);
		return [];
	}
	let left = pollTurns.get(name);
	pollTurns.set(name, undefined);
	inUse.add(data);
	try {
		const items = await poll();
		if (items.length > 0) left = { newer: [], until: monotonicMs() + SAVED_WITHIN_MS };
		return items;
	} finally {
		inUse.delete(data);
		left?.newer.push(JSON.stringify(data));
		if (left === undefined) pollTurns.delete(name);
		else pollTurns.set(name, left);
	}
}

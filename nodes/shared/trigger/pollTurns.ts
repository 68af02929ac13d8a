import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { monotonicMs } from '../clock';

/** How long (ms) n8n may take to save what a poll has learned, with what it emits. */
const SAVED_WITHIN_MS = 10_000;

interface Turn {
	/** The static data that the poll reads and writes. */
	readonly data: IDataObject;
	/** Of one that emitted something: what it left there as JSON, and until when n8n may not have saved it (ms of `monotonicMs`). */
	left?: { json: string; until: number };
}

/** By node and what it watches: the poll that runs, or the last one that emitted something. */
const pollTurns = new Map<string, Turn>();

/**
 * Runs a poll in its turn. In durable mode n8n makes up for polls that it missed, several at the same moment, each with a
 * copy of the static data from before: all would emit the same. So while one runs, and until what it emitted is in the copies,
 * the others leave the work to it and give no items. Polls that share their static data go on; they have `Claims`. So do
 * those of another `scope`: settings that were published while a poll with the old ones runs. Throws what `poll` throws.
 */
export async function inTurn(
	context: IPollFunctions,
	{ data, scope }: { data: IDataObject; scope: string },
	poll: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	for (const [name, { left }] of pollTurns) {
		if (left !== undefined && left.until <= monotonicMs()) pollTurns.delete(name);
	}
	const name = `${context.getWorkflow().id} ${context.getNode().id} ${scope}`;
	const before = pollTurns.get(name);
	const isCopy = before !== undefined && before.data !== data;
	if (isCopy && before.left?.json !== JSON.stringify(data)) {
		context.logger.info(
			'Another poll of this trigger is already running, so this one does nothing',
		);
		return [];
	}
	const turn: Turn = { data };
	pollTurns.set(name, turn);
	try {
		const items = await poll();
		if (items.length > 0) {
			turn.left = { json: JSON.stringify(data), until: monotonicMs() + SAVED_WITHIN_MS };
		}
		return items;
	} finally {
		if (turn.left === undefined && pollTurns.get(name) === turn) pollTurns.delete(name);
	}
}

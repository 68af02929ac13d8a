import { type Memory, type Recalled, recall } from '../shared/trigger/memory';

/**
 * The search trigger's state machine: which results it has seen and which of a poll's are news. Pure: no request, no
 * clock, no n8n.
 *
 * The promise: a result that a poll finds, and that was neither in the first poll nor found before, is emitted
 * exactly once, as long as it is among the last `MAX_SEEN` results found and n8n keeps the execution it was handed.
 *
 * It rests on one list that only changes together with what is emitted. So a state that n8n lost, because it doesn't
 * save after empty polls, was no other than the saved one.
 */

const STATE_VERSION = 1;

/** A poll finds 300 results at most (100 of each source), so this remembers several polls full of news. */
export const MAX_SEEN = 2_000;

/**
 * Characters of a result's identity in an entry of the list; its text follows. They hold 48 bits: with 2,000 results
 * remembered, one in 140 billion new ones is mistaken for a known one.
 */
export const IDENTITY_LENGTH = 8;

/** Characters of a text: a letter for its source, and 24 bits. One in 17 million changes of a text goes unnoticed. */
export const TEXT_LENGTH = 5;

export interface SeenState extends Memory {
	/** An entry per result: its identity and, where texts are compared, its text, both hashed. Last found, last here. */
	seen: string[];
}

export interface SeenSettings {
	scope: string;
	/** Whether the first poll emits what is there already. */
	emitFirst: boolean;
	/** Whether a result seen before is news when its text has changed. */
	compareTexts: boolean;
}

/** A result of a search as the machine knows it. */
export interface Found {
	/** What makes it the same result, hashed to `IDENTITY_LENGTH` characters. */
	identity: string;
	/** Its title and description, hashed, behind the first letter of its source. */
	text: string;
}

/** News of a poll: which of the found results, and why. */
export interface News {
	index: number;
	event: 'new' | 'changed';
}

/** The stored state where it is ours and sound; else why the trigger starts over. */
export function readSeen(stored: unknown, scope: string): Recalled<SeenState> {
	return recall<SeenState>(
		stored,
		{ version: STATE_VERSION, scope },
		({ seen }) => Array.isArray(seen) && seen.every((entry) => typeof entry === 'string'),
	);
}

/** What follows from what a poll has found. `state` is undefined where nothing is to be written. */
export function commitFound(
	before: SeenState | undefined,
	found: Found[],
	settings: SeenSettings,
): { state?: SeenState; news: News[] } {
	const isFirst = before === undefined;
	// By identity the text, '' where texts weren't compared.
	const seen = new Map(
		before?.seen.map((entry): [string, string] => [
			entry.slice(0, IDENTITY_LENGTH),
			entry.slice(IDENTITY_LENGTH),
		]),
	);
	const news: News[] = [];
	const done = new Set<string>();
	let hasLearned = isFirst;
	for (const [index, { identity, text }] of found.entries()) {
		const [source] = text;
		if (done.has(identity + source)) continue;
		done.add(identity + source);
		const known = seen.get(identity);
		// Behind all others: those found now are the last to be forgotten.
		seen.delete(identity);
		if (known === undefined) {
			seen.set(identity, settings.compareTexts ? text : '');
			if (!isFirst || settings.emitFirst) news.push({ index, event: 'new' });
		} else if (
			!settings.compareTexts ||
			known === text ||
			// Sources word the same page differently.
			(known !== '' && !known.startsWith(source))
		) {
			seen.set(identity, known);
		} else {
			seen.set(identity, text);
			if (known === '') hasLearned = true;
			else news.push({ index, event: 'changed' });
		}
	}
	if (news.length === 0 && !hasLearned) return { news };
	const entries = [...seen].slice(-MAX_SEEN).map(([identity, text]) => identity + text);
	return { state: { version: STATE_VERSION, scope: settings.scope, seen: entries }, news };
}

import type { Memory } from './memory';

/**
 * Which results of a poll are new: the state machine of triggers that remember what they have seen. Pure: it makes no
 * requests, reads no clock and doesn't depend on n8n.
 *
 * The promise: a result that a poll finds, and that was neither in the first poll nor found before, is emitted exactly
 * once, as long as it is among the last `most` results found and n8n keeps the execution.
 *
 * All of this relies on one list that only changes together with what is emitted. n8n doesn't save after empty polls,
 * but a state lost that way is the same as the saved one.
 */

/** An empty state; the trigger starts over from a state of any other version. */
export const STATE = { version: 1, seen: [] };

/**
 * Maximum number of results of a search to remember: enough for several polls of only new ones, with at most 300 each
 * (100 per source).
 */
export const MAX_SEEN = 2_000;

/**
 * Number of characters of a list entry that identify a result; those of its text follow. They encode 48 bits: with
 * 2,000 results remembered, one in 140 billion new ones is mistaken for a known one.
 */
export const IDENTITY_LENGTH = 8;

/**
 * Number of characters for a string: a letter for its source, and 24 bits. One in 17 million changes goes unnoticed.
 */
export const TEXT_LENGTH = 5;

export interface SeenState extends Memory {
	/**
	 * One entry for each result: its hashed identity and, if strings are compared, its hashed text. The result found
	 * last comes last.
	 */
	seen: string[];
}

export interface SeenSettings {
	scope: string;
	/** Whether the first poll emits the results that are already there. */
	emitFirst: boolean;
	/** Whether a known result counts as news if its text has changed. */
	compareTexts: boolean;
	/** Maximum number of results to remember. */
	most?: number;
}

export interface Found {
	/** Identity of the result, hashed to `IDENTITY_LENGTH` characters. */
	identity: string;
	/** First letter of the source, then the hashed title and description. */
	text: string;
}

export interface News {
	index: number;
	event: 'new' | 'changed';
}

/**
 * Returns the new or changed results and the new state after a poll. `state` is undefined if there is nothing to write.
 */
export function commitFound(
	before: SeenState | undefined,
	found: Found[],
	settings: SeenSettings,
): { state?: SeenState; news: News[] } {
	const { compareTexts, emitFirst, most = MAX_SEEN } = settings;
	const isFirst = before === undefined;
	const entries = before?.seen.filter((entry) => typeof entry === 'string') ?? [];
	// Strings by identity; '' if strings weren't compared.
	const seen = new Map(
		entries.map((entry) => [entry.slice(0, IDENTITY_LENGTH), entry.slice(IDENTITY_LENGTH)]),
	);
	const news: News[] = [];
	const done = new Set<string>();
	let hasLearned = isFirst;
	for (const [index, { identity, text }] of found.entries()) {
		const [source] = text;
		if (done.has(identity + source)) continue;
		done.add(identity + source);
		const known = seen.get(identity);
		// Moved to the end, so that results found now are forgotten last.
		seen.delete(identity);
		// Different sources describe the same page differently.
		const isOfOther = Boolean(known) && !known!.startsWith(source);
		const isSame = !compareTexts || known === text || isOfOther;
		seen.set(identity, (isSame ? known : undefined) ?? (compareTexts ? text : ''));
		if (known === undefined) {
			if (!isFirst || emitFirst) news.push({ index, event: 'new' });
		} else if (!isSame && known === '') hasLearned = true;
		else if (!isSame) news.push({ index, event: 'changed' });
	}
	if (news.length === 0 && !hasLearned) return { news };
	const kept = [...seen].slice(-most).map(([identity, text]) => identity + text);
	return { state: { version: STATE.version, scope: settings.scope, seen: kept }, news };
}

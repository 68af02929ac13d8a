import { LONGEST_SEARCHED, beginningOf, trimmed } from '../base/text';
import { isSegment, LONGEST_ID } from '../base/url';
import { SAYS_NOTHING, asText, canBeText, emptyError, invalid, quoted } from './checks';
import type { Place } from './field';

/** A UUID, which is what services use for IDs. */
export const UUID = String.raw`(?<![\w:.-])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\w:-])`;

/** Matches an address with a UUID that isn't one of the service, such as https://example.com/pages/…. */
const OTHER_ADDRESS = new RegExp(String.raw`https?:(?![^\s"'<>]*/v\d/)[^\s"'<>]*${UUID}`, 'i');

/**
 * Returns the only UUID in what was entered for an ID, such as `id: …`, a job's address or its JSON; anything else
 * stays unchanged.
 */
export function plainId(entered: unknown): unknown {
	const text = beginningOf(asText(entered ?? ''), LONGEST_SEARCHED);
	const found = text.match(new RegExp(UUID, 'gi'))?.map((id) => id.toLowerCase());
	const isOne = new Set(found).size === 1 && !OTHER_ADDRESS.test(text);
	return isOne ? found![0] : entered;
}

/** Returns an ID. Throws, with `remedy`, if it is an address other than that of a job. */
export function noAddress(entered: string, remedy: string, place: Place): string {
	const id = plainId(entered) as string;
	if (!/^\s*(https?:\/\/|www\.)/i.test(id)) return id;
	throw invalid(place, `is ${quoted(id.trim())}, which is not an ID`, remedy);
}

/**
 * Matches what no ID contains: quotes, brackets, separators of a list or of code, a label in front, or a stop at the
 * end.
 */
const NO_ID = /["'`{}[\]<>,;]|[.:]$|^\w+:\s|^(?:true|false|0)$/i;

/** Whether a value can be an ID: a string, or a number that n8n hasn't rounded. */
const isId = (value: unknown) =>
	canBeText(value) && (typeof value !== 'number' || Number.isSafeInteger(value));

/** Returns an ID without surrounding whitespace. Throws NodeOperationError if it can't be a segment of a path. */
export function checkedId(entered: unknown, place: Place): string {
	const value = plainId(entered);
	const id = trimmed(canBeText(value) ? String(value) : asText(value ?? ''));
	if (id === '') throw emptyError(place);
	if (isSegment(id) && isId(value) && !NO_ID.test(id) && !SAYS_NOTHING.test(id)) return id;
	throw invalid(
		place,
		'is not a valid ID',
		`It is “${id.slice(0, 60)}”. An ID has no quotes, brackets, commas, slashes, %, ? or #, doesn't end with a dot and is at most ${LONGEST_ID} characters long; copy it alone, as the service gave it.`,
	);
}

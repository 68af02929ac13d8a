import { trimmed } from '../base/text';
import { isSegment, LONGEST_ID } from '../base/url';
import { SAYS_NOTHING, asText, canBeText, emptyError, invalid, quoted } from './checks';
import type { Place } from './field';

/** Returns an ID. Throws, with `remedy`, if it is an address. */
export function noAddress(id: string, remedy: string, place: Place): string {
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
export function checkedId(value: unknown, place: Place): string {
	const id = trimmed(canBeText(value) ? String(value) : asText(value ?? ''));
	if (id === '') throw emptyError(place);
	if (isSegment(id) && isId(value) && !NO_ID.test(id) && !SAYS_NOTHING.test(id)) return id;
	throw invalid(
		place,
		'is not a valid ID',
		`It is “${id.slice(0, 60)}”. An ID has no quotes, brackets, commas, slashes, %, ? or #, doesn't end with a dot and is at most ${LONGEST_ID} characters long; copy it alone, as the service gave it.`,
	);
}

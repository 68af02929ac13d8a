import { trimmed } from '../base/text';
import { isSegment, LONGEST_ID } from '../base/url';
import { asText, canBeText, emptyError, invalid, quoted } from './checks';
import type { Place } from './field';

/** Returns an ID without surrounding blanks. Throws NodeOperationError if it can't be a segment of a path. */
export function checkedId(entered: unknown, place: Place): string {
	const id = trimmed(asText(entered ?? ''));
	if (id === '') throw emptyError(place);
	if (canBeText(entered) && isSegment(id) && !/\s/.test(id)) return id;
	throw invalid(
		place,
		`is ${quoted(id)}, which is not an ID`,
		`Copy it alone, as the service gave it: without blanks, slashes, %, ? and #, at most ${LONGEST_ID} characters.`,
	);
}

import { isNothing } from '../base/json';
import { below, hasExpression, invalid, quoted, rowsIn } from './checks';
import { composeEntry } from './form';
import type { Field, Place } from './field';
import { isHollow } from './urls';

/** Throws for a name, or its value, that can't be sent. */
type CheckPair = (name: string, value: string, place: Place) => void;

/**
 * Returns the object for the rows of a list of names and values. Rows that are empty don't count. Throws for a name
 * that occurs twice, and for a value without a name.
 */
export function pairs(
	fields: Field[],
	entered: unknown,
	place: Place,
	check?: CheckPair,
): Record<string, string> | undefined {
	const found = new Map<string, string>();
	for (const { row, at } of rowsIn(entered, place, 'pair', 'Row')) {
		if (isNothing(row.name) && isNothing(row.value) && !hasExpression(at.raw)) continue;
		const { name, value = '' } = composeEntry(fields, row, at) as Record<string, string>;
		check?.(name, value, at);
		if (found.has(name)) throw invalid(place, `has ${quoted(name)} twice`, 'Keep one of them.');
		found.set(name, value);
	}
	return found.size > 0 ? Object.fromEntries(found) : undefined;
}

/**
 * Throws for a header that can't be sent: its name is a token of RFC 9110, its value is one line without a placeholder.
 */
export const checkHeader: CheckPair = (name, value, place) => {
	if (name === '__proto__' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
		throw invalid(
			below(place, 'Name'),
			`is ${quoted(name)}, which no header is called`,
			'Write a name like User-Agent: no blanks and no colon.',
		);
	}
	// It may be secret, so it isn't quoted.
	if (/[\0\r\n]/.test(value)) {
		throw invalid(below(place, 'Value'), 'has a line break', 'Remove it: a header is one line.');
	}
	if (isHollow(value)) {
		throw invalid(
			below(place, 'Value'),
			'has a part that was not filled in',
			'Turn it into an expression, or fill it in.',
		);
	}
};

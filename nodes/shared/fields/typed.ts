import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../base/json';
import { checkedChoice, invalid, quoted } from '../form/checks';
import { type Field, type Place, choicesOf } from '../form/field';
import { checkedJson } from '../form/json';
import { MOST_CHOICES, checkEntries, choicesIn, withValues } from '../form/values';

/** Returns an entry that may be written as its type alone, such as "markdown", as an object with `type`. */
function typed(entry: unknown): IDataObject {
	return isObject(entry) ? entry : { type: entry as string };
}

/** Returns the entries of such a list; empty if it isn't a list. */
export function typedIn(list: unknown): IDataObject[] {
	return Array.isArray(list) ? list.map(typed) : [];
}

/** Returns the types in such a list. */
export const typesIn = (list: unknown): unknown[] => typedIn(list).map(({ type }) => type);

/** Returns an object with `type`, or only its type if it has nothing else: some services know that form alone. */
export function plain(entry: IDataObject): IDataObject | string {
	return Object.keys(entry).length === 1 ? (entry.type as string) : entry;
}

/**
 * Returns the chosen formats, sources or categories as objects with `type`. An expression may also return such objects,
 * even of unknown types.
 */
export function typedEntries(field: Field, entered: unknown, place: Place): IDataObject[] {
	const chosen = choicesIn(entered);
	checkEntries(chosen, place, MOST_CHOICES);
	const one: Field = { ...field, type: 'options', wire: { open: true } };
	return chosen.map((given) => {
		// Of an object, a setting without a value would be left out.
		const entry = typed(isObject(given) ? checkedJson(given, place) : given);
		const type = withValues(one, entry.type);
		if (typeof type === 'string' && type !== '')
			return { ...entry, type: checkedChoice(one, type, place) as string };
		throw invalid(
			place,
			`has ${quoted(given)}, which is not one of its choices`,
			`Give text, e.g. ${String(choicesOf(field)[0].value)}, or objects with "type".`,
		);
	});
}

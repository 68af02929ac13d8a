import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../base/json';
import { checkedChoice, invalid, quoted } from '../../form/checks';
import { type Field, type Place, choicesOf } from '../../form/field';
import { choicesIn, withValues } from '../../form/values';

/**
 * Returns a function that turns sources and categories into objects; an expression may also return such objects, even
 * of unknown types. `ofExample` names what an object of the example's type may have besides; others of known types have
 * only their type.
 */
export function objectsWithType(example: string, field: () => Field, ofExample: string[] = []) {
	return (entered: unknown, place: Place): IDataObject[] | undefined => {
		const chosen = choicesIn(entered);
		if (chosen.length === 0) return undefined;
		const one: Field = { ...field(), type: 'options', wire: { ...field().wire, open: true } };
		return chosen.map((entry) => {
			if (typeof entry === 'string') return { type: checkedChoice(one, entry, place) as string };
			if (!isObject(entry) || typeof entry.type !== 'string') {
				throw invalid(
					place,
					`has ${quoted(entry)}, which is not one of its choices`,
					`Give text, e.g. ${example}, or objects with "type".`,
				);
			}
			const { type: written, ...others } = entry;
			const type = withValues(one, written) as string;
			const isKnown = choicesOf(field()).some(({ value }) => value === type);
			const taken = type === example ? ofExample : [];
			const extra = Object.keys(others).find((key) => !taken.includes(key));
			if (!isKnown || extra === undefined) return { ...entry, type };
			throw invalid(
				place,
				`has ${quoted(extra)} in ${quoted(entry)}`,
				`The service refuses it there: ${written} has only ${['type', ...taken].join(', ')}.`,
			);
		});
	};
}

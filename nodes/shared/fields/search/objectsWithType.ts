import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../base/json';
import { checkedChoice, invalid, quoted } from '../../form/checks';
import type { Field, Place } from '../../form/field';
import { choicesIn, withValues } from '../../form/values';

/**
 * Returns a function that turns sources and categories into objects; an expression may also return such objects, even
 * of unknown types. `example` is one of the choices, for errors.
 */
export function objectsWithType(example: string, field: () => Field) {
	return (entered: unknown, place: Place): IDataObject[] | undefined => {
		const chosen = choicesIn(entered);
		if (chosen.length === 0) return undefined;
		const one: Field = { ...field(), type: 'options', wire: { ...field().wire, open: true } };
		return chosen.map((entry) => {
			if (typeof entry === 'string') return { type: checkedChoice(one, entry, place) as string };
			if (isObject(entry) && typeof entry.type === 'string')
				return { ...entry, type: withValues(one, entry.type) as string };
			throw invalid(
				place,
				`has ${quoted(entry)}, which is not one of its choices`,
				`Give text, e.g. ${example}, or objects with "type".`,
			);
		});
	};
}

import { isObject } from '../base/json';
import { invalid } from './checks';
import { type Field, type Place } from './field';

/** Name of the mark's control: a key that every text and every list with an entry has, and no collection. */
const FIRST = '0';

/**
 * A control that nobody sees. n8n reads the options of a collection that is a text, e.g. `={{ $json.options }}`, from that
 * text, and so drops them without a word; this one then gets the text's first character.
 */
const mark: Field = {
	displayName: 'Entered as a Whole',
	name: FIRST,
	type: 'hidden',
	default: '',
	description: 'Filled by n8n itself, if the collection is one text or expression',
	displayOptions: { show: { [FIRST]: [{ _cnd: { exists: true } }] } },
};

/** Returns a control with the mark in each of its collections. */
export function marked(field: Field): Field {
	if (field.options === undefined) return field;
	const options = field.options.map((option) => {
		if ('values' in option) return { ...option, values: option.values.map(marked) };
		return 'type' in option ? marked(option) : option;
	});
	return { ...field, options: field.type === 'collection' ? [...options, mark] : options };
}

/** Rejects a collection that was entered as a whole: n8n hands over nothing that is in it. Throws NodeOperationError. */
export function checkCollection(entered: unknown, place: Place): void {
	if (isObject(entered) && !(FIRST in entered)) return;
	throw invalid(
		place,
		'is one expression or text, of which n8n hands over nothing',
		'Add its options one by one; each may hold an expression.',
	);
}

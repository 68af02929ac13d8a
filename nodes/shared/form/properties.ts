import { isObject } from '../base/json';
import { invalid, quoted } from './checks';
import { type Field, type Place, fieldGroupOf } from './field';

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

/** Returns a control as n8n gets it: with the mark in its collections, and `required` only where nothing hides it. */
export function propertyOf(field: Field): Field {
	const { options, displayOptions, required } = field;
	const children = options?.map((option) => {
		if ('values' in option) return { ...option, values: option.values.map(propertyOf) };
		return 'type' in option ? propertyOf(option) : option;
	});
	const property = {
		...field,
		...(children && { options: field.type === 'collection' ? [...children, mark] : children }),
	};
	if (!required || displayOptions === undefined) return property;
	// n8n shows, and so demands, each field whose condition hangs on an expression, whatever that gives.
	return { ...property, required: undefined, wire: { ...field.wire, required } };
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

/** Rejects a fixed collection whose rows are none, as in a workflow written by hand. Throws NodeOperationError. */
export function checkRows(field: Field, entered: unknown, place: Place): void {
	const rows = isObject(entered) ? entered[fieldGroupOf(field).name] : undefined;
	const isList = field.typeOptions?.multipleValues === true;
	if (rows === undefined || (isList ? Array.isArray(rows) && rows.every(isObject) : isObject(rows)))
		return;
	throw invalid(
		place,
		`has ${quoted(rows)} in place of ${isList ? 'its rows' : 'its values'}`,
		`Add ${isList ? 'the rows' : 'them'} one by one; each value may hold an expression.`,
	);
}

import { isObject, without } from '../base/json';
import { invalid, quoted } from './checks';
import { type Field, type Place, fieldGroupOf } from './field';

/**
 * Name of the control that marks a collection entered as a whole: a key that every string and every nonempty
 * list has, but no collection.
 */
const FIRST = '0';

/**
 * A notice that only such a collection shows. If a collection's value is a string, e.g. `={{ $json.options }}`, n8n reads the options
 * from that text and silently drops them; this control then gets the string's first character.
 */
const mark: Field = {
	displayName: 'n8n passes on nothing of this',
	name: FIRST,
	type: 'notice',
	default: '',
	displayOptions: { show: { [FIRST]: [{ _cnd: { exists: true } }] } },
};

/**
 * Returns a control of a form's top level as it is passed to n8n. Its conditions name other controls by their path from
 * the top: n8n's editor empties a control with options if its conditions have the bare name of one that changes.
 */
export function propertyOf(field: Field): Field {
	const property = partOf(field);
	if (property.displayOptions === undefined) return property;
	const fromTop = (conditions: object) =>
		Object.fromEntries(
			Object.entries(conditions).map(([name, wanted]) => [
				'@/'.includes(name[0]) ? name : `/${name}`,
				wanted,
			]),
		);
	const displayOptions = Object.fromEntries(
		Object.entries(property.displayOptions).map(([kind, conditions]) => [
			kind,
			fromTop(conditions),
		]),
	);
	return { ...property, displayOptions };
}

/**
 * Returns a control in the form passed to n8n, without what only the node needs: collections get the control `mark`,
 * and `required` is kept only if no condition can hide the control.
 */
function partOf(field: Field): Field {
	const { options, displayOptions, required } = field;
	const children = options?.map((option) => {
		if ('values' in option) return { ...option, values: option.values.map(partOf) };
		return 'type' in option ? partOf(option) : option;
	});
	return {
		...without(field, 'wire', 'required'),
		...(children && { options: field.type === 'collection' ? [...children, mark] : children }),
		// If a condition depends on an expression, n8n always shows the field, and so requires it, whatever the
		// expression returns.
		...(required && displayOptions === undefined && { required }),
	};
}

/**
 * Rejects a collection that was entered as a whole, because n8n passes on none of its content. Throws
 * NodeOperationError.
 */
export function checkCollection(entered: unknown, place: Place): void {
	if (isObject(entered) && !(FIRST in entered)) return;
	throw invalid(
		place,
		'is one expression or text, of which n8n hands over nothing',
		'Add its options one by one; each may hold an expression.',
	);
}

/**
 * Rejects a fixed collection whose rows aren't objects, as may happen in a workflow written by hand. Throws
 * NodeOperationError.
 */
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

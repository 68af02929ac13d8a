import { without } from '../base/json';
import type { Field } from './field';

/**
 * Name of the control that marks a collection entered as a whole: a key that every string and every nonempty
 * list has, but no collection.
 */
export const AS_A_WHOLE = '0';

/**
 * A notice that only such a collection shows. If a collection's value is a string, e.g. `={{ $json.options }}`, n8n
 * reads the options from that text and silently drops them; this control then gets the string's first character.
 */
const mark: Field = {
	displayName: 'n8n passes on nothing of this',
	name: AS_A_WHOLE,
	type: 'notice',
	default: '',
	displayOptions: { show: { [AS_A_WHOLE]: [{ _cnd: { exists: true } }] } },
};

/**
 * Returns a control of a form's top level as it is passed to n8n. Its conditions name other controls by their path from
 * the top: n8n's editor empties a control with options if its conditions have the bare name of one that changes.
 */
export function propertyOf(field: Field): Field {
	const property = n8nField(field);
	if (property.displayOptions === undefined) return property;
	const fromTop = (conditions: object) =>
		Object.fromEntries(
			Object.entries(conditions).map(([name, wanted]) => [
				'@/'.includes(name[0]) ? name : `/${name}`,
				wanted,
			]),
		);
	const { show, hide } = property.displayOptions;
	const shown = show && { show: fromTop(show) };
	return { ...property, displayOptions: { ...shown, ...(hide && { hide: fromTop(hide) }) } };
}

/**
 * Returns a control in the form passed to n8n, without what only the node needs: collections get the control `mark`,
 * and `required` is kept only if no condition can hide the control.
 */
function n8nField(field: Field): Field {
	const { options, displayOptions, required } = field;
	const children = options?.map((option) => {
		if ('values' in option) return { ...option, values: option.values.map(n8nField) };
		return 'type' in option ? n8nField(option) : option;
	});
	return {
		...without(field, 'wire', 'required'),
		...(children && { options: field.type === 'collection' ? [...children, mark] : children }),
		// If a condition depends on an expression, n8n always shows the field, and so requires it, whatever the
		// expression returns.
		...(required && displayOptions === undefined && { required }),
	};
}

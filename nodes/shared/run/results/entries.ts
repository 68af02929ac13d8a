import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsOf, without } from '../../base/json';
import { eachEntry } from '../../fields/schema';
import { type ResultShape, chosenFields, isContent, isRaw, placesIn } from '../../fields/shapes';
import type { Form } from '../../form/form';

/**
 * Returns a function that makes results of the entries of a list among the fields that were asked for, if the form asks
 * for that: each has one entry, and the fields beside the list. A result without such a list stays as it is.
 */
export function entriesFor(
	shape: ResultShape,
	form: Pick<Form, 'get'>,
): (result: IDataObject) => IDataObject[] {
	const chosen = form.get(eachEntry) ?? false;
	const [asked] = shape.filter(({ isColumns }) => isColumns);
	const kept = chosenFields(form);
	const isKept = kept === undefined || kept.includes(asked?.name);
	if (chosen === false || asked === undefined || !isKept || isRaw(form))
		return (result) => [result];
	const contents = placesIn(shape.filter((field) => field !== asked && isContent(field)));
	return (result) => {
		const place = placesIn([asked]).find((path) => result[path] !== undefined) ?? asked.name;
		const found = listIn(result[place], chosen);
		if (found === undefined) return [result];
		const { beside, name, list } = found;
		const around = without(result, place, ...contents);
		return list.map((entry) => ({
			...around,
			[place]: { ...beside, ...(isObject(entry) ? entry : { [name]: entry }) },
		}));
	};
}

interface Found {
	name: string;
	list: unknown[];
	/** The fields beside the list. */
	beside: IDataObject;
}

/**
 * Returns the list of this name in a result; if no name is known, the result itself, its only list or, of several, its
 * only list of objects. Undefined if there is no such list, or it is empty.
 */
function listIn(value: unknown, chosen: string | true): Found | undefined {
	if (Array.isArray(value)) {
		return value.length > 0 ? { name: 'entry', list: value, beside: {} } : undefined;
	}
	if (!isObject(value)) return undefined;
	const lists = Object.keys(value).filter((name) => Array.isArray(value[name]));
	const ofObjects = lists.filter((name) => objectsOf(value[name]).length > 0);
	const found = chosen !== true ? [chosen] : lists.length === 1 ? lists : ofObjects;
	const [name] = found;
	const list = value[name] as unknown[] | undefined;
	if (found.length !== 1 || !Array.isArray(list) || list.length === 0) return undefined;
	return { name, list, beside: without(value, name) };
}

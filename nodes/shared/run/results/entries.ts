import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsOf, without } from '../../base/json';
import { eachEntry } from '../../fields/schema';
import { type ResultShape, isContent, isRaw, placesIn } from '../../fields/shapes';
import type { Form } from '../../form/form';

/**
 * Returns a function that makes results of the entries of a list among the fields that were asked for, if the form asks
 * for that: each has one entry, and the fields beside the list. A result without such a list stays as it is.
 */
export function entriesFor(
	shape: ResultShape,
	form: Pick<Form, 'get'>,
): (result: IDataObject) => IDataObject[] {
	const [asked] = shape.filter(({ isColumns }) => isColumns);
	if (form.get(eachEntry) !== true || asked === undefined || isRaw(form))
		return (result) => [result];
	const contents = placesIn(shape.filter((field) => field !== asked && isContent(field)));
	return (result) => {
		const place = placesIn([asked]).find((path) => result[path] !== undefined) ?? asked.name;
		const found = listIn(result[place]);
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

/** Returns the list in a result, or its only list of objects, or its only list; undefined if there is no such list. */
function listIn(value: unknown): Found | undefined {
	if (Array.isArray(value))
		return value.length > 0 ? { name: 'entry', list: value, beside: {} } : undefined;
	if (!isObject(value)) return undefined;
	const lists = Object.entries(value).filter(([, list]) => Array.isArray(list) && list.length > 0);
	const ofObjects = lists.filter(([, list]) => objectsOf(list).length > 0);
	const found = ofObjects.length > 0 ? ofObjects : lists;
	if (found.length !== 1) return undefined;
	const [[name, list]] = found;
	return { name, list: list as unknown[], beside: without(value, name) };
}

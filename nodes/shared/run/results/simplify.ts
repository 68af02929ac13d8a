import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsOf, valueAt, without } from '../../base/json';
import { eachEntry } from '../../fields/schema';
import type { Form } from '../../form/form';
import {
	type ResultField,
	type ResultShape,
	chosenFields,
	holdsPages,
	includeRunDetails,
	isChosen,
	isContent,
	isRaw,
	placesIn,
} from '../../fields/shapes';

type Reduce = (result: IDataObject) => IDataObject;

/**
 * Returns a function that reduces a result to the fields that the form asks for: the useful ones, the chosen ones, or
 * all of them unchanged.
 */
export function simplifierFor(shape: ResultShape, form: Pick<Form, 'get'>): Reduce {
	const hasRun = form.get(includeRunDetails) === true;
	const chosen = chosenFields(form);
	if (chosen !== undefined) {
		const isKept = (field: ResultField, index: number) =>
			index === 0 ||
			field.isNote === true ||
			(hasRun && field.isDetail !== undefined) ||
			isChosen(field, chosen);
		return reducer(shape.filter(isKept), hasRun, chosen);
	}
	if (isRaw(form)) return (result) => result;
	const useful = reducer(
		shape.filter(({ isExtra }) => !isExtra),
		hasRun,
	);
	const keeping = withUnknown(useful, shape);
	const goals = placesIn(shape.filter(({ isGoal }) => isGoal));
	if (goals.length === 0) return holdsPages(shape) ? keeping : useful;
	return (result) => {
		const hasGoal = goals.some((path) => isGiven(valueAt(result, path)));
		return hasGoal ? useful(result) : keeping(result);
	};
}

/**
 * Returns `reduce`, extended to keep fields that the shape doesn't know, e.g. those of a format newer than this node.
 */
function withUnknown(reduce: Reduce, shape: ResultShape): Reduce {
	const read = new Set(['success', ...placesIn(shape).map((path) => path.split('.')[0])]);
	return (result) => {
		const simplified = reduce(result);
		const unknown = Object.entries(result).filter(
			([name, value]) => !read.has(name) && !(name in simplified) && isGiven(value),
		);
		return { ...simplified, ...Object.fromEntries(unknown) };
	};
}

/**
 * Returns a function that reduces a result to these fields. The fields of an object that was asked for stand beside
 * them, and in place of those with the same name. Details go into `run` if it is wanted, except those in `chosen`.
 */
function reducer(fields: ResultShape, hasRun: boolean, chosen: string[] = []): Reduce {
	const [first] = fields;
	const asked = fields.filter(({ isColumns }) => isColumns);
	return (result) => {
		const item = new Map<string, unknown>();
		const run: IDataObject = {};
		const columns = new Set<string>();
		const identity = valueOf(first, result);
		// Without its identifying field, a result other than a page is of a kind that the service has introduced more
		// recently, or stands for a file of pages.
		if (identity === undefined && !isObject(result.metadata)) return result;
		const hasColumns = asked.some((field) => isObject(valueOf(field, result)));
		for (const field of fields) {
			const value = valueOf(field, result);
			if (value === undefined || (field.unlike === first.name && value === identity)) continue;
			const isAbout = hasColumns && field.isAbout === true;
			const isDetail = isAbout || field.isDetail === true || field.isDetail === value;
			if (isDetail && !chosen.includes(field.name)) run[field.name] = value;
			else if (field.isColumns && areColumns(value, columns)) {
				for (const [name, column] of Object.entries(value)) {
					// One without a value gives way.
					if (hasValue(column)) columns.add(name);
					if (hasValue(column) || !item.has(name)) item.set(name, column);
				}
			} else if (!columns.has(field.name)) item.set(field.name, value);
		}
		if (hasRun && !columns.has('run')) item.set('run', run);
		return Object.fromEntries(item) as IDataObject;
	};
}

/**
 * Whether a value's fields may stand beside these columns in an item. Each name is there once, and n8n takes an item
 * with an `error` for a failure.
 */
function areColumns(value: unknown, columns: Set<string>): value is IDataObject {
	return (
		isObject(value) && !Object.keys(value).some((name) => name === 'error' || columns.has(name))
	);
}

/** Returns the value of a field in a result: the first that isn't empty; an empty one only of content. */
function valueOf(field: ResultField, result: IDataObject): IDataObject[string] | undefined {
	const { name, from = [name] } = field;
	const values = from.map((path) => {
		const found = valueAt(result, path);
		// A field of the metadata is a single text, but a page may have two titles.
		const isList = path.startsWith('metadata.') && Array.isArray(found);
		return isList ? found.find(hasValue) : found;
	});
	// Empty content is kept, so that later nodes find what was asked for.
	const value = values.find(hasValue) ?? (isContent(field) ? values.find(isGiven) : undefined);
	return value as IDataObject[string] | undefined;
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null;
}

function hasValue(value: unknown): boolean {
	return isGiven(value) && value !== '';
}

/**
 * Returns a function that makes of a result what the form asks for: the result with the fields that count or, if it asks
 * for the entries of a list among its own fields, one of each, with the fields beside the list. A result without such a
 * list stays one.
 */
export function resultsFor(
	shape: ResultShape,
	form: Pick<Form, 'get'>,
): (result: IDataObject) => IDataObject[] {
	const simplified = simplifierFor(shape, form);
	const chosen = form.get(eachEntry) ?? false;
	const [asked] = shape.filter(({ isColumns }) => isColumns);
	const kept = chosenFields(form);
	const isKept = kept === undefined || kept.includes(asked?.name);
	if (chosen === false || asked === undefined || !isKept || isRaw(form))
		return (result) => [simplified(result)];
	const contents = placesIn(shape.filter((field) => field !== asked && isContent(field)));
	return (result) => {
		const place = placesIn([asked]).find((path) => result[path] !== undefined) ?? asked.name;
		const found = entriesOf(result[place], chosen);
		if (found === undefined) return [simplified(result)];
		const { beside, name, list } = found;
		const around = without(result, place, ...contents);
		return list.map((entry) => {
			const own = isObject(entry) ? entry : { [name]: entry };
			return simplified({ ...around, [place]: { ...beside, ...own } });
		});
	};
}

/**
 * Returns the list of this name in a result, and the fields beside it; if no name is known, the result itself, its only
 * list or, of several, its only list of objects. Undefined if there is no such list, or it is empty.
 */
function entriesOf(value: unknown, chosen: string | true) {
	if (Array.isArray(value)) {
		return value.length > 0 ? { name: 'entry', list: value as unknown[], beside: {} } : undefined;
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

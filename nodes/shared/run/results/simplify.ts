import type { IDataObject } from 'n8n-workflow';

import { isObject, valueAt } from '../../base/json';
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
	const values = from.map((path) => single(path, valueAt(result, path)));
	// Empty content is kept, so that later nodes find what was asked for.
	const value = values.find(hasValue) ?? (isContent(field) ? values.find(isGiven) : undefined);
	return value as IDataObject[string] | undefined;
}

/**
 * Returns the first of several values in a page's metadata, because the field is a single string, but a page may have
 * two titles.
 */
function single(path: string, value: unknown): unknown {
	return path.startsWith('metadata.') && Array.isArray(value) ? value.find(hasValue) : value;
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null;
}

function hasValue(value: unknown): boolean {
	return isGiven(value) && value !== '';
}

import type { IDataObject } from 'n8n-workflow';

import { isObject, valueAt } from '../../base/json';
import type { Form } from '../../form/form';
import {
	type ResultShape,
	fieldsToReturn,
	holdsPages,
	isChosen,
	isContent,
	output,
	outputFields,
	pageShape,
	placesIn,
	simplify,
} from '../../fields/shapes';

/**
 * Returns a function that reduces a result to the fields that the form asks for: the useful ones, the chosen ones, or
 * all of them unchanged.
 */
export function simplifierFor(
	shape: ResultShape,
	form: Pick<Form, 'get'>,
): (result: IDataObject) => IDataObject {
	const kept = form.get(fieldsToReturn);
	if (kept !== undefined) {
		const ofJob = shape.filter((field) => !pageShape.includes(field)).map(({ name }) => name);
		return reducer(chosenOf(shape, [...kept, ...ofJob]));
	}
	// Tools have Output where other nodes have Simplify.
	if (form.get(output) === 'selected') {
		return reducer(chosenOf(shape, form.get(outputFields) ?? []));
	}
	if (form.get(output) === 'simplified' || form.get(simplify) === true) {
		const useful = reducer(shape.filter(({ isExtra }) => !isExtra));
		const goals = shape.filter(({ isGoal }) => isGoal);
		const keeping = withUnknown(useful, shape);
		if (goals.length === 0) return holdsPages(shape) ? keeping : useful;
		return (result) => {
			const simplified = useful(result);
			return goals.some(({ name }) => name in simplified) ? simplified : keeping(result);
		};
	}
	return (result) => result;
}

/**
 * Returns `reduce`, extended to keep fields that the shape doesn't know, e.g. those of a format newer than this node.
 */
function withUnknown(
	reduce: (result: IDataObject) => IDataObject,
	shape: ResultShape,
): (result: IDataObject) => IDataObject {
	const read = new Set(['success', ...placesIn(shape).map((path) => path.split('.')[0])]);
	return (result) => {
		const simplified = reduce(result);
		const unknown = Object.entries(result).filter(
			([name, value]) => !read.has(name) && !(name in simplified) && isGiven(value),
		);
		return { ...simplified, ...Object.fromEntries(unknown) };
	};
}

/** Returns the fields with these names, plus the one that identifies a result. */
function chosenOf([first, ...others]: ResultShape, names: string[]): ResultShape {
	return [first, ...others.filter((field) => isChosen(field, names))];
}

function reducer(fields: ResultShape): (result: IDataObject) => IDataObject {
	const [first] = fields;
	return (result) => {
		const simplified = reduced(result, fields);
		// Without its identifying field, a result other than a page is of a kind that the service has introduced more
		// recently.
		return first.name in simplified || isObject(result.metadata) ? simplified : result;
	};
}

function reduced(result: IDataObject, fields: ResultShape): IDataObject {
	const simplified: IDataObject = {};
	for (const field of fields) {
		const { name, from = [name] } = field;
		const values = from.map((path) => single(path, valueAt(result, path)));
		// Empty content is kept, so that later nodes find what was asked for.
		const value = values.find(hasValue) ?? (isContent(field) ? values.find(isGiven) : undefined);
		if (field.unlike !== undefined && value === simplified[field.unlike]) continue;
		if (value !== undefined) simplified[name] = value as IDataObject[string];
	}
	return simplified;
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

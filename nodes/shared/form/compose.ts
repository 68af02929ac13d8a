import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';

import {
	below,
	checkedBoolean,
	checkedChoice,
	checkedNumber,
	checkedText,
	isEmpty,
	missing,
	parsedJson,
} from './checks';
import type { Field, Place } from './field';
import { childrenOf, groupOf, isRequired } from './field';

/** The parts of a request that a form fills, and the settings that stay in the node. */
export interface Composed {
	body: IDataObject;
	query: IDataObject;
	path: IDataObject;
	settings: IDataObject;
}

/**
 * Composes the request from the values of the fields: only what was set is part of it.
 * Throws NodeOperationError naming field and item for a value the service would refuse.
 */
export function compose(fields: Field[], read: (name: string) => unknown, place: Place): Composed {
	const composed: Composed = { body: {}, query: {}, path: {}, settings: {} };
	for (const field of fields) {
		if (!isShown(field, read, place.node)) continue;
		const entered = read(field.name);
		if (field.wire?.always === undefined && isLeftAlone(field, entered)) {
			if (isRequired(field)) throw missing(below(place, field.displayName));
			continue;
		}
		putInto(
			field,
			entered,
			composed[field.wire?.in ?? 'body'],
			below(place, field.displayName),
			composed,
		);
	}
	return composed;
}

/** The object that one entry of a fixed collection makes; n8n stores all its controls, also those nobody touched. */
export function composeEntry(children: Field[], values: IDataObject, place: Place): IDataObject {
	const target: IDataObject = {};
	fill(target, children, values, place, isLeftAlone);
	return target;
}

/** Fills the object from a collection; there, a control is present only if the user added it. */
function fill(
	target: IDataObject,
	children: Field[],
	values: IDataObject,
	place: Place,
	isUnset: (field: Field, entered: unknown) => boolean = (_, entered) => isEmpty(entered),
	composed?: Composed,
): void {
	for (const field of children) {
		const entered = values[field.name];
		if (!isShown(field, (name) => values[name], place.node)) continue;
		if (isRequired(field)) {
			if (isEmpty(entered)) throw missing(below(place, field.displayName));
		} else if (isUnset(field, entered)) continue;
		const destination = composed && field.wire?.in ? composed[field.wire.in] : target;
		putInto(field, entered, destination, below(place, field.displayName));
	}
}

function putInto(
	field: Field,
	entered: unknown,
	target: IDataObject,
	place: Place,
	composed?: Composed,
): void {
	const { wire } = field;
	if (wire?.spread) {
		fill(target, childrenOf(field), entered as IDataObject, place, undefined, composed);
		return;
	}
	const value = wire?.value ? wire.value(entered, place) : valueOf(field, entered, place);
	if (value === undefined) {
		if (isRequired(field)) throw missing(place);
		return;
	}
	if (wire?.put) wire.put(target, value, place);
	else setAt(target, wire?.as ?? field.name, value);
}

function valueOf(field: Field, entered: unknown, place: Place): unknown {
	switch (field.type) {
		case 'number':
			return checkedNumber(field, entered, place);
		case 'boolean':
			return checkedBoolean(entered, place);
		case 'options':
			return checkedChoice(field, entered, place);
		case 'multiOptions':
			return choices(field, entered, place);
		case 'json':
			return parsedJson(entered, place);
		case 'collection':
			return composeCollection(childrenOf(field), entered as IDataObject, place);
		case 'fixedCollection':
			return composeEntries(field, entered as IDataObject, place);
		default:
			return checkedText(field, entered, place);
	}
}

function choices(field: Field, entered: unknown, place: Place): unknown[] | undefined {
	const list = Array.isArray(entered) ? entered : [entered];
	return list.length > 0 ? list.map((entry) => checkedChoice(field, entry, place)) : undefined;
}

function composeEntries(field: Field, entered: IDataObject, place: Place): unknown {
	const group = groupOf(field);
	const values = entered[group.name];
	if (!field.typeOptions?.multipleValues) {
		return values === undefined
			? undefined
			: nonEmpty(composeEntry(group.values, values as IDataObject, place));
	}
	const entries = (values ?? []) as IDataObject[];
	const composed = entries.map((entry, index) =>
		composeEntry(group.values, entry, below(place, `${group.displayName} ${index + 1}`)),
	);
	return composed.length > 0 ? composed : undefined;
}

function composeCollection(
	children: Field[],
	values: IDataObject,
	place: Place,
): IDataObject | undefined {
	const target: IDataObject = {};
	fill(target, children, values, place);
	return nonEmpty(target);
}

function nonEmpty(object: IDataObject): IDataObject | undefined {
	return Object.keys(object).length > 0 ? object : undefined;
}

/** Sets a value under a dotted path, making the objects on the way. */
export function setAt(target: IDataObject, path: string, value: unknown): void {
	const keys = path.split('.');
	const last = keys.pop() as string;
	let object = target;
	for (const key of keys) object = (object[key] ??= {}) as IDataObject;
	object[last] = value as IDataObject;
}

/** What n8n stores for a control nobody touched is its default, so a value equal to it was not set. */
function isLeftAlone(field: Field, entered: unknown): boolean {
	return isEmpty(entered) || JSON.stringify(entered) === JSON.stringify(field.default);
}

/**
 * Whether the field's conditions on its neighbours and on the node's version hold; n8n keeps values of fields that
 * were hidden later.
 */
export function isShown(
	{ displayOptions }: Pick<INodeProperties, 'displayOptions'>,
	read: (name: string) => unknown,
	{ typeVersion }: Pick<INode, 'typeVersion'>,
): boolean {
	const isMet = ([name, wanted]: [string, unknown]): boolean => {
		const value = name === '@version' ? typeVersion : read(name);
		const values: unknown[] = Array.isArray(value) ? value : [value];
		return values.some((entry) => (wanted as unknown[]).includes(entry));
	};
	const { show = {}, hide = {} } = displayOptions ?? {};
	return Object.entries(show).every(isMet) && !Object.entries(hide).some(isMet);
}

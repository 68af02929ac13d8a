import type { IDataObject } from 'n8n-workflow';

import {
	below,
	checkedBoolean,
	checkedChoice,
	checkedNumber,
	checkedText,
	hasExpression,
	invalid,
	quoted,
	rawOf,
	reading,
} from './checks';
import { hasContent, isNothing, isObject, setAt, valueAt } from '../base/json';
import {
	type Field,
	type ItemPlace,
	type Place,
	type Read,
	childrenOf,
	fieldGroupOf,
	isByModel,
	isRequired,
} from './field';
import { checkHoles, emptyOf, mayBeDropped, mayBeLeftEmpty } from './holes';
import { checkedJson } from './json';
import { AS_A_WHOLE } from './properties';
import { MOST_CHOICES, checkEntries, choicesIn, isShown, saysNothing, withValues } from './values';

/** A form that has been filled in and checked: the parts of its request, and the settings that stay in the node. */
export class Form<At extends Place = ItemPlace> {
	readonly body: IDataObject = {};
	readonly query: IDataObject = {};
	readonly path: IDataObject = {};
	readonly settings: IDataObject = {};

	constructor(readonly place: At) {}

	/** Returns the checked value of a field; undefined if it wasn't set. */
	readonly get = <Value>({ name, wire }: Field<Value>): Value | undefined =>
		valueAt(this[wire?.in ?? 'body'], wire?.as ?? name) as Value | undefined;

	/** Returns the checked value of a field, or its default if it was left alone; of a time, ms. */
	readonly value = <Value>(field: Field<Value>): Value => {
		const { default: standard, wire } = field;
		const unset = wire?.unitMs ? Number(standard) * wire.unitMs : standard;
		return this.get(field) ?? (unset as Value);
	};
}

/** A form, a collection or a row: what was entered in its controls, and where their values go. */
interface Level {
	values: IDataObject;
	/** Whether n8n stores all of its controls, even untouched ones. A collection has only those that were added. */
	isWhole: boolean;
	/** Returns what it shows in a control. */
	shown: Read;
	/** The object that its values go to, and the form if some may go to another part of that. */
	object: IDataObject;
	form?: Form<Place>;
	/** Steps to run once all values are in place: the values that come last, then the checks that need all of them. */
	puts: Array<() => void>;
	checks: Array<() => void>;
}

/**
 * Composes the request from the values of the fields that were set. Throws NodeOperationError, naming the field and the
 * item, for a value that the service would reject.
 */
export function compose<At extends Place>(fields: Field[], read: Read, place: At): Form<At> {
	const form = new Form(place);
	const written = { ...place, raw: place.node.parameters };
	composeEntry(fields, valuesOf(fields, read), written, true, form);
	return form;
}

/**
 * Returns the object for an entry of a fixed collection or, unless `isWhole`, for the controls that were added. With a
 * `form`, the object is its body, and values may go to its other parts.
 */
export function composeEntry(
	fields: Field[],
	values: IDataObject,
	place: Place,
	isWhole = true,
	form?: Form<Place>,
): IDataObject {
	const shown = shownBy(fields, values, isWhole);
	const object = form?.body ?? {};
	const level: Level = { values, isWhole, shown, object, form, puts: [], checks: [] };
	enterAll(level, fields, place);
	for (const step of [...level.puts, ...level.checks]) step();
	return object;
}

/** Returns the object for the controls that were added to a collection. */
export const composeCollection = (field: Field, entered: unknown, place: Place): IDataObject =>
	composeEntry(childrenOf(field), entered as IDataObject, place, false);

/** Returns the fields that a form shows, given these values. */
export function shownFields(fields: Field[], read: Read, place: Place): Field[] {
	const shown = shownBy(fields, valuesOf(fields, read), true);
	return fields.filter((field) => isShown(field, shown, place));
}

/** Returns what was entered in a form's controls, by name: n8n evaluates a value each time it is read. */
const valuesOf = (fields: Field[], read: Read) =>
	Object.fromEntries(fields.map(({ name }) => [name, read(name)])) as IDataObject;

/**
 * Returns what each control of a level shows: in one that is whole, its default if it has no value. A leading slash
 * refers to the form around it.
 */
function shownBy(fields: Field[], values: IDataObject, isWhole: boolean, around?: Read): Read {
	return (path) => {
		const name = path.replace(/^\//, '');
		if (around && name !== path) return around(name);
		const field = fields.find((one) => one.name === name);
		return withValues(field, values[name] ?? (isWhole ? field?.default : undefined));
	};
}

function enterAll(level: Level, fields: Field[], place: Place): void {
	const { values, isWhole, shown } = level;
	for (const field of fields) {
		const { name, displayName, wire } = field;
		const isThere = isWhole || name in values || isRequired(field) || wire?.always;
		if (!isThere) continue;
		const at = below(place, displayName, rawOf(place, name));
		reading(at, () => {
			if (isShown(field, shown, place)) enter(level, field, at);
			else if (level.form && isWhole && isByModel(at)) checkHidden(field, values[name], fields, at);
		});
	}
}

/**
 * Throws if a model filled in a field that is hidden by its other values, because the request would be wider without
 * it. This only concerns heeded fields, and those that must be filled in once they are shown: models also fill in
 * others that don't matter.
 */
function checkHidden(field: Field, entered: unknown, fields: Field[], place: Place): void {
	const isHeeded = isRequired(field) || field.wire?.heeded;
	if (!isHeeded || saysNothing(entered)) return;
	for (const [name, wanted = []] of Object.entries(field.displayOptions?.show ?? {})) {
		const owner = fields.find((one) => one.name === name.replace('/', ''));
		if (owner === undefined) continue;
		throw invalid(
			place,
			`is given, but counts only if ${owner.displayName} is ${wanted.join(' or ')}`,
			`Set ${owner.displayName} to ${String(wanted[0])}, or leave ${field.displayName} empty.`,
		);
	}
}

/** Puts the value of a control where it belongs, unless it is unset. Throws NodeOperationError. */
function enter(level: Level, field: Field, place: Place): void {
	const { name, type, wire } = field;
	const isAlways = wire?.always === true;
	const mustHave = isRequired(field);
	const isOpen = hasExpression(place.raw);
	// The controls of a collection and of rows are checked one by one.
	if (isOpen && type !== 'collection' && type !== 'fixedCollection') checkHoles(place.raw, place);
	const entered = entryOf(field, level.values[name], place);
	const isNone = isUnfilled(field, entered);
	const isGiven = isOpen || (!level.isWhole && name in level.values);
	const isLost = isGiven && type !== 'collection' && isNone && !mayBeLeftEmpty(field, place);
	if (mustHave ? isNone && !isAlways : isLost) throw emptyOf(field, place);
	const isUnset = isNone || (level.isWhole && isDefault(field, entered));
	if (isUnset && !mustHave && !isAlways) return;
	put(level, field, isNone && !mustHave ? field.default : entered, place);
}

/**
 * Returns the entered value, with names of choices replaced by their values. A word that a model uses for nothing
 * counts as nothing if the field is optional.
 */
function entryOf(field: Field, entered: unknown, place: Place): unknown {
	if (!isByModel(place) || isRequired(field)) return withValues(field, entered);
	const given = Array.isArray(entered) ? entered.filter((one) => !saysNothing(one)) : entered;
	return saysNothing(given) ? undefined : withValues(field, given);
}

/**
 * Whether a control has no value, or was not added to its collection. A blank that is typed into a page is one, and so
 * is a collection that was added.
 */
function isUnfilled({ type, wire }: Field, entered: unknown): boolean {
	return wire?.typed || type === 'collection' ? (entered ?? '') === '' : isNothing(entered);
}

/** Whether a field has its default, which n8n stores for untouched controls; the field then counts as not set. */
function isDefault(field: Field, entered: unknown): boolean {
	if (typeof entered === 'string') return entered === field.default;
	// An option whose expression returned nothing would be missing from the JSON, so strings can't be compared.
	if (field.type === 'collection') return isNothing(entered);
	try {
		return JSON.stringify(entered) === JSON.stringify(field.default);
	} catch {
		// It can't be turned into JSON, e.g. because it is nested too deeply; the checks will name the field.
		return false;
	}
}

function put(level: Level, field: Field, entered: unknown, place: Place): void {
	const { name, type, wire } = field;
	const object = (wire?.in && level.form?.[wire.in]) ?? level.object;
	if (type === 'collection') checkCollection(entered, place);
	if (type === 'fixedCollection') checkRows(field, entered, place);
	if (wire?.spread) {
		const [children, values] = [childrenOf(field), entered as IDataObject];
		const shown = shownBy(children, values, false, level.shown);
		enterAll({ ...level, values, isWhole: false, shown, object }, children, place);
		return;
	}
	const value = wire?.value
		? wire.value(entered, place, level.shown)
		: valueOf(field, entered, place);
	if (value === undefined || (Array.isArray(value) && value.length === 0)) {
		const isLost = isWanted(field, entered) && !mayBeDropped(field, place);
		if (isRequired(field) || isLost) throw emptyOf(field, place);
		return;
	}
	const set = () => {
		if (wire?.put) wire.put(object, value, place);
		else setAt(object, wire?.as ?? name, value);
	};
	if (wire?.last) level.puts.push(set);
	else set();
	if (wire?.check) level.checks.push(() => wire.check?.(object, place));
}

const GIVING = ['string', 'json', 'multiOptions', 'resourceLocator'];

/**
 * Whether a field needs a value although nothing is left of what was entered. Strings, lists and rows do, because a
 * request without them is wider than intended. A choice may stand for nothing.
 */
function isWanted({ type, typeOptions, default: standard }: Field, entered: unknown): boolean {
	if (type !== 'fixedCollection') return !isNothing(entered) && GIVING.includes(type);
	// Rows that the form contains by default may be left unfilled.
	return typeOptions?.multipleValues === true && isNothing(standard);
}

/** Throws for a collection that was entered as a whole, because n8n passes on none of its content. */
function checkCollection(entered: unknown, place: Place): void {
	if (isObject(entered) && !(AS_A_WHOLE in entered)) return;
	throw invalid(
		place,
		'is one expression or text, of which n8n hands over nothing',
		'Add its options one by one; each may hold an expression.',
	);
}

/** Throws for a fixed collection whose rows aren't objects, as may happen in a workflow written by hand. */
function checkRows(field: Field, entered: unknown, place: Place): void {
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

function valueOf(field: Field, entered: unknown, place: Place): unknown {
	switch (field.type) {
		case 'number':
			return checkedNumber(field, entered, place);
		case 'boolean':
			return checkedBoolean(entered, place);
		case 'options':
			return checkedChoice(field, entered, place);
		case 'multiOptions': {
			const list = choicesIn(entered);
			checkEntries(list, place, MOST_CHOICES);
			return list.map((entry) => checkedChoice(field, entry, place));
		}
		case 'json':
			return checkedJson(entered, place);
		case 'collection': {
			const object = composeCollection(field, entered, place);
			return hasContent(object) ? object : undefined;
		}
		case 'fixedCollection': {
			const { name, values } = fieldGroupOf(field);
			const row = (entered as IDataObject)[name] as IDataObject | undefined;
			// The field was added, but nothing has been filled in yet.
			if (row === undefined) throw emptyOf(field, place);
			const object = composeEntry(values, row, { ...place, raw: rawOf(place, name) });
			return hasContent(object) ? object : undefined;
		}
		default:
			return checkedText(field, entered, place);
	}
}

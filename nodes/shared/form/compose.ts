import type { IDataObject } from 'n8n-workflow';

import {
	atControl,
	below,
	checkedBoolean,
	checkedChoice,
	emptyError,
	hasExpression,
	rawOf,
	reading,
} from './checks';
import { hasContent, isNothing, setAt } from '../base/json';
import {
	type Field,
	type Place,
	type Read,
	childrenOf,
	fieldGroupOf,
	isRequired,
	isByModel,
} from './field';
import { checkHoles, mayGiveNothing } from './holes';
import { checkedNumber, checkedText } from './scalars';
import { MOST_CHOICES, checkEntries, choicesIn, withValues } from './values';
import { checkCollection, checkRows } from './properties';
import { checkedJson } from './json';
import { checkHidden, isShown, saysNothing } from './shown';

/** The parts of a request that a form fills, and the settings that stay in the node. */
export interface Composed {
	body: IDataObject;
	query: IDataObject;
	path: IDataObject;
	settings: IDataObject;
}

/**
 * Where values are written: an object; the parts of the request, if the object is one of them; and the steps to run
 * once all values are in place.
 */
interface Target {
	object: IDataObject;
	parts?: Composed;
	/**
	 * Returns a value of the whole form, for conditions that begin with a slash. Unset inside collections that aren't
	 * spread.
	 */
	form?: Read;
	later: Later;
}

/**
 * Steps to run once all values are in place: first the values that come last, then the checks that need the whole
 * request.
 */
interface Later {
	puts: Array<() => void>;
	checks: Array<() => void>;
}

function finish({ puts, checks }: Later): void {
	for (const step of [...puts, ...checks]) step();
}

/**
 * Composes the request from the values of the fields that were set. Throws NodeOperationError, naming the field and the
 * item, for a value that the service would reject.
 */
export function compose(fields: Field[], read: Read, place: Place): Composed {
	const parts: Composed = { body: {}, query: {}, path: {}, settings: {} };
	const later: Later = { puts: [], checks: [] };
	const shown = asShown(fields, read);
	for (const field of fields) {
		const given = read(field.name);
		if (!isShown(field, shown, place)) {
			checkHidden(field, given, fields, place);
			continue;
		}
		const target = { object: parts[field.wire?.in ?? 'body'], parts, form: shown, later };
		enter(target, field, given, atControl(place, field), isLeftAlone);
	}
	finish(later);
	return parts;
}

/** Returns the fields that a form shows, given these values. */
export function shownFields(fields: Field[], read: Read, place: Place): Field[] {
	return fields.filter((field) => isShown(field, asShown(fields, read), place));
}

/** Returns `read` with null replaced by the default, so that conditions on other fields see what the form shows. */
function asShown(fields: Field[], read: Read): Read {
	return (path) => {
		const name = path.replace(/^\//, '');
		const field = fields.find((one) => one.name === name);
		return withValues(field, read(name) ?? field?.default);
	};
}

/** Returns the object for an entry of a fixed collection, for which n8n stores all controls, even untouched ones. */
export function composeEntry(children: Field[], values: IDataObject, place: Place): IDataObject {
	return composeObject(children, values, place, isLeftAlone);
}

/** Returns the object for a collection, which contains only the controls that were added. */
export function composeCollection(field: Field, entered: unknown, place: Place): IDataObject {
	return composeObject(childrenOf(field), entered as IDataObject, place, isUnfilled);
}

function composeObject(
	children: Field[],
	values: IDataObject,
	place: Place,
	isUnset: IsUnset,
): IDataObject {
	const target: Target = { object: {}, later: { puts: [], checks: [] } };
	fill(target, children, values, place, isUnset);
	finish(target.later);
	return target.object;
}

type IsUnset = (field: Field, entered: unknown) => boolean;

/**
 * Whether a control has no value, or was not added to its collection. A blank that is typed into a page is one, and so
 * is a collection that was added.
 */
const isUnfilled: IsUnset = ({ type, wire }, entered) =>
	wire?.typed || type === 'collection' ? (entered ?? '') === '' : isNothing(entered);

function fill(
	target: Target,
	children: Field[],
	values: IDataObject,
	place: Place,
	isUnset: IsUnset = isUnfilled,
): void {
	const shown = (name: string) =>
		name.startsWith('/')
			? target.form?.(name)
			: withValues(
					children.find((child) => child.name === name),
					values[name],
				);
	for (const field of children) {
		if (!isShown(field, shown, place)) continue;
		const object = (field.wire?.in && target.parts?.[field.wire.in]) ?? target.object;
		const at = below(place, field.displayName, rawOf(place, field.name));
		const isAdded = isUnset === isUnfilled && field.name in values;
		enter({ ...target, object }, field, values[field.name], at, isUnset, isAdded);
	}
}

/** Puts the value of a control where it belongs, unless it is unset. Throws NodeOperationError. */
function enter(
	target: Target,
	field: Field,
	given: unknown,
	place: Place,
	isUnset: IsUnset,
	isAdded = false,
): void {
	const isAlways = field.wire?.always === true;
	reading(place, () => {
		// The controls of a collection and of rows are checked one by one.
		if (field.type !== 'collection' && field.type !== 'fixedCollection') checkHoles(place);
		const entered = readValue(field, given, place);
		if (isAdded || hasExpression(place.raw)) checkGiven(field, entered, place);
		const isNone = isUnfilled(field, entered);
		if (isNone && isRequired(field) && !isAlways) throw emptyOf(field, place);
		if (isUnset(field, entered) && !isRequired(field) && !isAlways) return;
		putInto(target, field, isNone && !isRequired(field) ? field.default : entered, place);
	});
}

/** Throws NodeOperationError for a field that was added, or contains an expression, but is empty. */
function checkGiven(field: Field, entered: unknown, place: Place): void {
	if (mayBeLeftOut(field, place) || isRequired(field) || field.type === 'collection') return;
	if (mayGiveNothing(place.raw) && !field.wire?.limitsCosts) return;
	if (isUnfilled(field, entered)) throw emptyOf(field, place);
}

const mayBeLeftOut = ({ wire }: Field, place: Place) =>
	wire?.mayBeEmpty === true || (isByModel(place) && !wire?.limitsCosts);

/** Returns the error for a field without a value; rows that a workflow file has in another form are lost in n8n. */
function emptyOf(field: Field, place: Place): Error {
	if (field.type !== 'fixedCollection') return emptyError(place);
	const { name, values } = fieldGroupOf(field);
	const row = `{ ${values
		.slice(0, 2)
		.map((one) => `"${one.name}": …`)
		.join(', ')} }`;
	const rows = field.typeOptions?.multipleValues === true ? `[${row}]` : row;
	return emptyError(place, `Fill it in. In a workflow file, write { "${name}": ${rows} }.`);
}

/**
 * Returns the entered value, with names of choices replaced by their values. A word that a model uses for nothing
 * counts as nothing if the field is optional.
 */
function readValue(field: Field, entered: unknown, place: Place): unknown {
	if (!isByModel(place) || isRequired(field)) return withValues(field, entered);
	const given = Array.isArray(entered) ? entered.filter((one) => !saysNothing(one)) : entered;
	return saysNothing(given) ? undefined : withValues(field, given);
}

function putInto(target: Target, field: Field, entered: unknown, place: Place): void {
	const { wire } = field;
	const { object, later } = target;
	if (field.type === 'collection') checkCollection(entered, place);
	if (field.type === 'fixedCollection') checkRows(field, entered, place);
	if (wire?.spread) {
		fill(target, childrenOf(field), entered as IDataObject, place);
		return;
	}
	const value = wire?.value
		? wire.value(entered, place, target.form)
		: valueOf(field, entered, place);
	if (value === undefined) {
		if (isRequired(field) || mustGive(field, entered, place)) throw emptyOf(field, place);
		return;
	}
	const put = () => {
		if (wire?.put) wire.put(object, value, place);
		else setAt(object, wire?.as ?? field.name, value);
	};
	if (wire?.last) later.puts.push(put);
	else put();
	const check = wire?.check;
	if (check) later.checks.push(() => check(object, place));
}

/**
 * Whether a field needs a value although nothing is left of what was entered. Strings, lists and rows do, because a
 * request without them is wider than intended. A choice may stand for nothing.
 */
function mustGive(field: Field, entered: unknown, place: Place): boolean {
	if (mayBeLeftOut(field, place)) return false;
	if (field.type !== 'fixedCollection') return !isNothing(entered) && GIVING.includes(field.type);
	// Rows that the form contains by default may be left unfilled.
	return field.typeOptions?.multipleValues === true && !hasContent(field.default);
}

const GIVING = ['string', 'json', 'multiOptions', 'resourceLocator'];

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
			return checkedJson(entered, place);
		case 'collection':
			return nonEmpty(composeCollection(field, entered, place));
		case 'fixedCollection':
			return composeOnlyEntry(field, entered as IDataObject, place);
		default: {
			const text = checkedText(field, entered, place);
			return isUnfilled(field, text) ? undefined : text;
		}
	}
}

function choices(field: Field, entered: unknown, place: Place): unknown[] | undefined {
	const list = choicesIn(entered);
	checkEntries(list, place, MOST_CHOICES);
	return list.length > 0 ? list.map((entry) => checkedChoice(field, entry, place)) : undefined;
}

function composeOnlyEntry(field: Field, entered: IDataObject, place: Place): unknown {
	const group = fieldGroupOf(field);
	const values = entered[group.name];
	// The field was added, but nothing has been filled in yet.
	if (values === undefined) throw emptyOf(field, place);
	const at = { ...place, raw: rawOf(place, group.name) };
	return nonEmpty(composeEntry(group.values, values as IDataObject, at));
}

function nonEmpty(object: IDataObject): IDataObject | undefined {
	return Object.keys(object).length > 0 ? object : undefined;
}

/** Whether a field has its default, which n8n stores for untouched controls; the field then counts as not set. */
function isLeftAlone(field: Field, entered: unknown): boolean {
	if (isUnfilled(field, entered)) return true;
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

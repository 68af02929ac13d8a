import type { INodeProperties } from 'n8n-workflow';

import { isNothing, isObject } from '../base/json';
import { trimmed } from '../base/text';
import { below, hasExpression, invalid } from './checks';
import { type Field, type Place, type Read, isByModel, isRequired, isTool } from './field';
import { choicesIn } from './values';

/** Words that models write into a field that they want to leave empty. */
const WORDS = ['null', 'none', 'undefined', 'n/a'];

/** Whether a model left a field empty. */
export const saysNothing = (given: unknown): boolean =>
	isNothing(given) || (typeof given === 'string' && WORDS.includes(trimmed(given).toLowerCase()));

/**
 * Whether the field's conditions on other fields and on being a tool are met; n8n keeps the values of fields that were
 * hidden later. `read` receives the names in the conditions; a leading slash refers to the whole form.
 */
export function isShown(
	field: Pick<INodeProperties, 'displayOptions'>,
	read: Read,
	{ node }: Pick<Place, 'node'>,
): boolean {
	const isMet = ([name, wanted]: [string, unknown]): boolean => {
		const value = name === '@tool' ? isTool(node) : read(name);
		// A list of choices may also be given as text.
		const isList = Array.isArray(value) || typeof value === 'string';
		const values = isList ? choicesIn(value) : [value];
		return values.some((entry) => isOneOf(wanted as unknown[], entry));
	};
	const { show = {}, hide = {} } = field.displayOptions ?? {};
	return Object.entries(show).every(isMet) && !Object.entries(hide).some(isMet);
}

/**
 * Throws if a model filled in a field that is hidden by its other values, because the request would be wider without
 * it. This only concerns heeded fields, and those that must be filled in once they are shown: models also fill in
 * others that don't matter.
 */
export function checkHidden(field: Field, entered: unknown, fields: Field[], place: Place): void {
	const { [field.name]: parameter } = place.node.parameters;
	const isGiven = hasExpression(parameter) && isByModel({ ...place, raw: parameter });
	if (!isGiven || saysNothing(entered)) return;
	if (!isRequired(field) && !field.wire?.heeded) return;
	for (const [name, wanted = []] of Object.entries(field.displayOptions?.show ?? {})) {
		const owner = fields.find((one) => one.name === name);
		if (owner === undefined) continue;
		throw invalid(
			below(place, field.displayName),
			`is given, but counts only if ${owner.displayName} is ${wanted.join(' or ')}`,
			`Set ${owner.displayName} to ${String(wanted[0])}, or leave ${field.displayName} empty.`,
		);
	}
}

/**
 * Whether an entry is one of the wanted values. Expressions may also return true and false as text, and choices as
 * objects with `type`.
 */
function isOneOf(wanted: unknown[], entry: unknown): boolean {
	if (wanted.includes(entry)) return true;
	const word = typeof entry === 'string' ? entry.trim().toLowerCase() : '';
	if (word === 'true' || word === 'false') return wanted.includes(word === 'true');
	return wanted.includes(typeIn(entry));
}

/** Returns the `type` of an object; undefined if there is none, or it can't be read, which its own field reports. */
function typeIn(entry: unknown): unknown {
	try {
		return isObject(entry) ? entry.type : undefined;
	} catch {
		return undefined;
	}
}

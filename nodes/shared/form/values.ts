import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { isNothing, isObject, parsedJson } from '../base/json';
import { MOST_ENTRIES } from '../base/limits';
import { LONGEST_SEARCHED, isBlank, trimmed } from '../base/text';
import { canBeText, checkCount, checkFixed, checkLength, invalid } from './checks';
import { type Field, type Place, type Read, choicesOf, isTool } from './field';
import { checkedJson } from './json';

/** Throws for a list with more entries than can be checked quickly. */
export function checkEntries({ length }: unknown[], place: Place, most = MOST_ENTRIES): void {
	checkCount(length, most, 'entries', place, 'Spread them over several items.');
}

/** Returns the list that a text is as JSON, as models write it; undefined for any other text. */
export function jsonList(text: string): unknown[] | undefined {
	const list = /^\s*\[/.test(text) ? parsedJson(trimmed(text)) : undefined;
	// A text such as [1] is one, e.g. a part of a regular expression.
	const isList = Array.isArray(list) && (list.length === 0 || !list.every(Number.isFinite));
	return isList ? list : undefined;
}

/**
 * Returns texts entered one per line, as an array from an expression, or as a JSON array. Throws for an entry that isn't
 * text.
 */
export function lines(entered: unknown, place: Place): string[] {
	const text = typeof entered === 'string' ? trimmed(entered) : undefined;
	// As one entry, a list such as ['/a', '/b'] would be a pattern that matches any of its characters.
	if (text !== undefined && /^\[\s*["'][^]*\]$/.test(text)) checkedJson(text, place);
	const list: unknown = text === undefined ? (entered ?? []) : (jsonList(text) ?? text.split('\n'));
	const all = canBeText(list) ? [list] : list;
	if (!Array.isArray(all)) {
		throw invalid(place, 'is neither text nor a list', 'Enter one per line, or give an array.');
	}
	checkEntries(all, place);
	return all.flatMap((entry: unknown, index) => {
		if (canBeText(entry)) {
			checkFixed(String(entry), place);
			return isNothing(entry) ? [] : [trimmed(String(entry))];
		}
		throw invalid(
			place,
			`has an entry that is not text (number ${index + 1})`,
			'Give an array of texts.',
		);
	});
}

/** Returns the reader of such a list with at most so many entries, each of at most so many characters. */
export const linesUpTo =
	(most: number, longest?: number) =>
	(entered: unknown, place: Place): string[] => {
		const list = lines(entered, place);
		checkCount(list.length, most, 'entries', place, 'Remove the others.');
		list.forEach((entry) => checkLength(entry, longest, place));
		return list;
	};

/** Longest text with several choices, in characters. */
const LONGEST_CHOICES = 100_000;

/** Most entries of a list of choices; no control has as many. */
export const MOST_CHOICES = 1_000;

/**
 * Returns the chosen values, unchecked: an array, a single choice, or a text with a JSON array or with choices
 * separated by commas or line breaks.
 */
export function choicesIn(entered: unknown): unknown[] {
	const isList = typeof entered === 'string' && entered.length <= LONGEST_CHOICES;
	const list = isList
		? (jsonList(entered) ?? entered.split(/[,\n]/).map(trimmed))
		: [entered ?? []].flat();
	return list.filter((entry) => typeof entry !== 'string' || !isBlank(entry));
}

/** Returns the values of the choices, each once, for entries that use the names in the form. */
export function withValues(field: Field | undefined, entered: unknown): unknown {
	if (field?.type !== 'options' && field?.type !== 'multiOptions') return entered;
	const choices = choicesOf(field);
	const known = new Set<unknown>(choices.map(({ value }) => value));
	let values: Map<string, unknown> | undefined;
	const valueOf = (entry: unknown): unknown => {
		if (typeof entry !== 'string' || known.has(entry) || entry.length > LONGEST_SEARCHED)
			return entry;
		values ??= valuesByName(choices);
		return values.get(keyOf(entry)) ?? entry;
	};
	if (field.type === 'options') return valueOf(entered);
	const list = choicesIn(entered);
	if (list.length === 0 || list.length > MOST_CHOICES) return entered;
	return [...new Set(list.map(valueOf))];
}

/** Returns the same key for `raw_html`, `Raw HTML` and `rawHtml`; N/A isn't Namibia. */
const keyOf = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Returns the values of choices by their names, with and without a part in brackets, and by themselves. */
function valuesByName(choices: INodePropertyOptions[]): Map<string, unknown> {
	const named = choices.flatMap(({ name, value }) =>
		[name, String(value), name.replace(/ \([^()]*\)$/, '')].map((text): [string, unknown] => [
			keyOf(text),
			value,
		]),
	);
	// Of equal names, the first one counts.
	return new Map(named.reverse());
}

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
 * Whether an entry is one of the wanted values. Expressions may also return true and false as text, and choices as
 * objects with `type`.
 */
function isOneOf(wanted: unknown[], entry: unknown): boolean {
	if (wanted.includes(entry)) return true;
	const word = typeof entry === 'string' ? entry.trim().toLowerCase() : '';
	if (word === 'true' || word === 'false') return wanted.includes(word === 'true');
	return isObject(entry) && wanted.includes(entry.type);
}

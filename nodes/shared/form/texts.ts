import { isObject } from '../base/json';
import { trimmed } from '../base/text';
import {
	SAYS_NOTHING,
	canBeText,
	checkLength,
	emptyError,
	fieldsOfItem,
	hasExpression,
	invalid,
	quoted,
	saysNothing,
} from './checks';
import { type Field, type Place, isByModel, isRequired } from './field';

/**
 * Lengths, in characters, up to which a string is searched for parts that an expression made: a longer one, such as a web
 * page, may well be someone else's and contain them legitimately. A prompt may have 10,000.
 */
const LONGEST_OWN_TEXT = 10_000;
const LONGEST_WITH_OBJECT = 1_000;

/** Returns a string after checking it; a required text can't be blank. */
export function checkedText(field: Field, entered: unknown, place: Place): string {
	const { typed, mayBeEmpty, maxLength, prompt } = field.wire ?? {};
	if (!canBeText(entered) && typeof entered !== 'boolean') {
		throw invalid(
			place,
			typed ? 'has a value that is not text' : `is ${quoted(entered)}, which is not text`,
			isDateObject(entered)
				? 'It is a date; write it as text, e.g. {{ $now.toISODate() }}.'
				: 'Enter text.',
		);
	}
	const value = String(entered);
	const isNeeded = isRequired(field) && !typed;
	if (isNeeded && trimmed(value) === '') throw emptyError(place);
	checkExpression(value, place);
	// Such as the prompt of a sheet's empty cell, which would be paid for.
	const isWord = !typed && !mayBeEmpty && hasExpression(place.raw) && SAYS_NOTHING.test(value);
	const isHollow = typeof entered === 'boolean' || saysNothing(value);
	if (isWord || (prompt && trimmed(value) !== '' && isHollow)) {
		if (!isNeeded && isByModel(place)) return '';
		throw emptyError(place, `is ${quoted(value)}, which says nothing`);
	}
	if (
		!mayBeEmpty &&
		!isByModel(place) &&
		!EMPTY.test(String(place.raw)) &&
		addsNothing(value, place)
	)
		throw unfilled(value, place, 'If one may be empty, write {{ $json.field ?? "" }}.');
	checkLength(value, maxLength, place);
	return value;
}

/** Whether an expression returned a date: JavaScript's or Luxon's. */
function isDateObject(value: unknown): boolean {
	return value instanceof Date || (isObject(value) && 'toISODate' in value);
}

const MAY_BE_MISTAKE = /undefined|null|NaN|Invalid Date|\[object Object\]|\{\{/;

/** Matches what JavaScript writes for a missing value. */
const TRACES =
	/(?<![\p{L}\d])(?:undefined|null|NaN|Invalid Date(?:Time)?)+(?![\p{L}\d])|undefined/gu;

/** Matches a whole text that is an expression but for its braces. */
const WITHOUT_BRACES = /^\s*=?\$json[.[]\S+$/;

/** Matches an expression whose words needn't be in its item: it reads more than that, or decodes it. */
const READS_OTHERS = /\$(?!json\b|now\b|today\b|\{)|decode|atob|decrypt/i;

/**
 * Throws for a string that reveals a mistake with an expression: an expression entered as plain text or without braces,
 * "undefined" where it has no value, or "[object Object]" for an object inside a short string. The last two are sent
 * unchanged if the field is Fixed or filled by an AI agent, because they may be intended.
 */
export function checkExpression(text: string, place: Place): void {
	if (WITHOUT_BRACES.test(text) && !isByModel(place)) {
		const remedy = 'Put {{ }} around it, and switch the field to Expression.';
		throw invalid(place, 'holds an expression without {{ }}', remedy);
	}
	if (!MAY_BE_MISTAKE.test(text)) return;
	const isRaw = /\{\{\s*\$/.test(text);
	if (isByModel(place) && !isRaw) return;
	// The result of an expression isn't part of the node itself, which may be large.
	const isWritten = typeof place.raw !== 'string' || !hasExpression(place.raw);
	const isFixed = () =>
		isWritten && JSON.stringify(place.node.parameters).includes(JSON.stringify(text));
	if (isRaw && isFixed()) {
		throw invalid(
			place,
			'holds an expression as plain text',
			'Switch the field from Fixed to Expression.',
		);
	}
	if (isByModel(place)) return;
	if (hasTrace(text, place) && !isFixed()) {
		const remedy = `The expression returns no value: check it and the item it reads.${fieldsOfItem(place)}`;
		throw invalid(place, `is ${quoted(text.trim())}`, remedy);
	}
	if (text.length <= LONGEST_WITH_OBJECT && text.includes('[object Object]') && !isFixed()) {
		throw invalid(
			place,
			'contains "[object Object]"',
			'The expression returns an object; choose one of its fields, e.g. {{ $json.url }}.',
		);
	}
}

/**
 * Whether a missing value is part of a string: a word such as "undefined" that neither the item nor the expression has.
 * If the expression reads other nodes, too, all that is left without such words must be the expression's own text.
 */
function hasTrace(text: string, { raw, node, item }: Place): boolean {
	const rest = text.length > LONGEST_OWN_TEXT ? [text] : text.split(TRACES);
	if (rest.length === 1) return false;
	if (rest.every((part) => part.trim() === '')) return true;
	const source = typeof raw === 'string' ? raw : JSON.stringify(node.parameters);
	const made = text.match(TRACES)!.filter((word) => !source.includes(word));
	if (made.length === 0) return false;
	if (typeof raw === 'string' && item !== undefined && !READS_OTHERS.test(raw)) {
		const data = dataOf(item);
		return made.some((word) => !data.includes(word.toLowerCase()));
	}
	let from = 0;
	return rest.every((part) => {
		const at = source.indexOf(part, from);
		from = at + part.length;
		return at >= 0;
	});
}

/** The data of items as text, by the function that returns it: thousands of texts in a list may be looked for in it. */
const dataTexts = new WeakMap<NonNullable<Place['item']>, string>();

/** Returns an item's data as text in lower case. */
function dataOf(item: NonNullable<Place['item']>): string {
	const known = dataTexts.get(item);
	if (known !== undefined) return known;
	const text = JSON.stringify(item(), (_, value: unknown) => value ?? '').toLowerCase();
	dataTexts.set(item, text);
	return text;
}

/** Matches an empty string in code, with which an expression says that it may add nothing. */
const EMPTY = /''|""|``/;

/** Matches an expression that is joined to other text. */
const JOINED = /[^\s=]\{\{|\}\}\S/;

/**
 * Throws like `checkExpression`, and for a text to which the expressions joined to it have added nothing:
 * `https://example.com/{{ $json.path }}` would otherwise become the whole site.
 */
export function checkAddress(text: string, place: Place): void {
	checkExpression(text, place);
	if (addsNothing(text, place) && JOINED.test(String(place.raw))) {
		throw unfilled(text, place, 'If that is what you mean, enter it without an expression.');
	}
}

const unfilled = (text: string, place: Place, remedy: string): Error =>
	invalid(
		place,
		`is ${quoted(text)}, to which its expressions added nothing`,
		`Check them. ${remedy}${fieldsOfItem(place)}`,
	);

/** Whether a text from an expression has a part without a value. */
export const isUnfilled = (text: string, place: Place): boolean =>
	hasExpression(place.raw) &&
	(hasTrace(text, place) || (addsNothing(text, place) && !EMPTY.test(String(place.raw))));

/** Whether a text consists only of what is written around its expressions. */
function addsNothing(text: string, { raw }: Place): boolean {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return false;
	if (raw !== last.raw) last = { raw, around: textAround(raw) };
	return last.around !== '' && last.around === text.trim();
}

/** What is written around the expressions of a field, read once for all entries of its list. */
let last = { raw: '', around: '' };

/** Returns what is written around the expressions in a field; empty if it has none. */
function textAround(raw: string): string {
	const [first, ...others] = raw.slice(1).split('{{');
	return others.length === 0 ? '' : (first + others.map(afterBraces).join('')).trim();
}

/** Returns what follows the braces that end an expression. */
function afterBraces(part: string): string {
	const end = part.indexOf('}}');
	return end < 0 ? part : part.slice(end + 2);
}

import { NodeOperationError } from 'n8n-workflow';

import { LONGEST_SEARCHED, beginningOf, plural } from '../base/text';
import { type Field, type Place, isByModel, isRequired, isTool } from './field';
import { unquoted } from './written';

/** Maximum length of a quote of a value, in characters. */
const LONGEST_QUOTE = 80;

/**
 * Length, in characters, up to which a string is checked for "[object Object]"; a longer one, such as a web page, may
 * well be someone else's and contain it legitimately.
 */
const LONGEST_OWN_TEXT = 1_000;

/** Returns the place of a part; `raw` is its value as written in the workflow. */
export function below(place: Place, label: string, raw?: unknown): Place {
	return { ...place, labels: [...place.labels, label], raw };
}

/** Returns the place of a control of the form. */
export function atControl(place: Place, { displayName, name }: Field): Place {
	return below(place, displayName, place.node.parameters[name]);
}

/** Whether a value, as written in the workflow, contains an expression. */
export function hasExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);
}

/**
 * Returns the error for a value that can't be sent. The message names the field as the form does and says what is wrong
 * with its value; the description says what to do, and names the item if there is one.
 */
export function invalid(place: Place, problem: string, remedy: string): NodeOperationError {
	const field = place.labels[place.labels.length - 1];
	const path = place.labels.join(' → ');
	const { itemIndex, itemCount } = place;
	const count = itemCount === undefined ? '' : ` of ${itemCount}`;
	// Users count from 1.
	const item =
		itemIndex === undefined || itemCount === 1
			? ''
			: ` for item ${itemIndex + 1}${count}, which n8n calls item ${itemIndex}`;
	return new NodeOperationError(place.node, `${field} ${problem}`, {
		itemIndex: place.itemIndex,
		description: `${remedy} Nothing was sent${item} (field: ${path}).`,
		level: 'warning',
	});
}

/** A URL's user name and password, even an unescaped one, but not a port. */
const USER = /([/\\]{2})(?:[^\s/\\?#]*|[^\s/\\?#:@[]*:(?!\d{1,5}(?:[\s/\\?#]|$)).*)@/g;

/** Returns the beginning of a value in quotes, with the user names and passwords of URLs masked. */
export function quoted(value: unknown): string {
	const masked = beginningOf(asText(value), LONGEST_SEARCHED).replace(USER, '$1***@');
	return masked.length > LONGEST_QUOTE
		? `"${beginningOf(masked, LONGEST_QUOTE - 1)}…"`
		: `"${masked}"`;
}

/** Returns a value as text: an object as JSON, a date the way it was entered. */
export function asText(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	try {
		const json = JSON.stringify(value);
		// In JSON, an invalid date is null, and a valid one is in quotes.
		if (json === 'null') return String(value);
		return json.startsWith('"') ? (JSON.parse(json) as string) : json;
	} catch {
		return '{…}';
	}
}

/** Returns a string after checking its length; a required text can't be blank. */
export function checkedText(field: Field, entered: unknown, place: Place): string {
	if (!canBeText(entered) && typeof entered !== 'boolean') {
		throw invalid(
			place,
			field.wire?.typed
				? 'has a value that is not text'
				: `is ${quoted(entered)}, which is not text`,
			isDateObject(entered)
				? 'It is a date; write it as text, e.g. {{ $now.toISODate() }}.'
				: 'Enter text.',
		);
	}
	const value = String(entered);
	if (isRequired(field) && !field.wire?.typed && value.trim() === '') throw emptyError(place);
	checkExpression(value, place);
	checkLength(value, field.wire?.maxLength, place);
	return value;
}

/** Whether a value can be sent as text. NaN and Infinity come from mistakes in expressions. */
export function canBeText(value: unknown): value is string | number {
	return typeof value === 'string' || Number.isFinite(value);
}

/** Whether an expression returned a date: JavaScript's or Luxon's. */
function isDateObject(value: unknown): boolean {
	return (
		value instanceof Date || (typeof value === 'object' && value !== null && 'toISODate' in value)
	);
}

const MAY_BE_MISTAKE = /undefined|null|NaN|Invalid Date|\[object Object\]|\{\{/;

/** Matches a string that can only result from an expression without a value. */
const TRACE = /^\s*(undefined|null|NaN|Invalid Date(Time)?)\s*$/;

/**
 * Throws for a string that reveals a mistake with an expression: an expression entered as plain text, "undefined" for
 * one without a value, or "[object Object]" for an object inside a short string. The last two are sent unchanged if the
 * field is Fixed or filled by an AI agent, because they may be intended.
 */
export function checkExpression(text: string, place: Place): void {
	if (!MAY_BE_MISTAKE.test(text)) return;
	const { node } = place;
	const isTrace = TRACE.test(text);
	const hasObject = text.length <= LONGEST_OWN_TEXT && text.includes('[object Object]');
	const isRaw = /\{\{\s*\$/.test(text);
	if (!isTrace && !hasObject && !isRaw) return;
	if (isTool(node) && !isRaw) return;
	// The result of an expression isn't part of the node itself, which may be large.
	const isWritten = typeof place.raw !== 'string' || !hasExpression(place.raw);
	const isFixed = isWritten && JSON.stringify(node.parameters).includes(JSON.stringify(text));
	if (isRaw && isFixed) {
		throw invalid(
			place,
			'holds an expression as plain text',
			'Switch the field from Fixed to Expression.',
		);
	}
	if (isFixed || isTool(node)) return;
	if (isTrace) {
		const remedy = `The expression returns no value: check it and the item it reads.${fieldsOfItem(place)}`;
		throw invalid(place, `is ${quoted(text.trim())}`, remedy);
	}
	if (hasObject) {
		throw invalid(
			place,
			'contains "[object Object]"',
			'The expression returns an object; choose one of its fields, e.g. {{ $json.url }}.',
		);
	}
}

/** Throws like `checkExpression`, and like `checkFilled`. */
export function checkAddress(text: string, place: Place): void {
	checkExpression(text, place);
	checkFilled(text, place);
}

/** Matches an expression that is joined to other text. */
const JOINED = /[^\s=]\{\{|\}\}\S/;

/**
 * Throws for a text to which the expressions joined to it have added nothing: `https://example.com/{{ $json.path }}`
 * would otherwise become the whole site.
 */
function checkFilled(text: string, place: Place): void {
	const { raw } = place;
	if (typeof raw !== 'string' || !raw.startsWith('=') || !JOINED.test(raw)) return;
	const [first, ...others] = raw.slice(1).split('{{');
	const bare = (first + others.map(afterBraces).join('')).trim();
	if (others.length === 0 || bare === '' || bare !== text.trim()) return;
	throw invalid(
		place,
		`is ${quoted(text)}, to which its expressions added nothing`,
		'Check them. If that is what you mean, enter it without an expression.',
	);
}

/** Returns what follows the braces that end an expression. */
function afterBraces(part: string): string {
	const end = part.indexOf('}}');
	return end < 0 ? part : part.slice(end + 2);
}

/** Throws for a string with more characters than the service accepts. It counts code points, so an emoji is one. */
export function checkLength(value: string, maxLength: number | undefined, place: Place): void {
	if (maxLength === undefined || value.length <= maxLength) return;
	const { length } = [...value];
	if (length <= maxLength) return;
	const excess = length - maxLength;
	throw invalid(
		place,
		`has ${length} characters, but at most ${maxLength} are allowed`,
		`Shorten it by ${excess} ${plural(excess, 'character')}.`,
	);
}

/** Throws for a list with more entries than allowed; `what` names the entries, and `remedy` says what to do. */
export function checkCount(
	count: number,
	most: number,
	what: string,
	place: Place,
	remedy: string,
): void {
	if (count <= most) return;
	throw invalid(place, `has ${count} ${what}, but at most ${most} are allowed`, remedy);
}

/** Whether nothing was entered: the editor stores an empty string, and an expression may return null or undefined. */
export function isEmpty(entered: unknown): boolean {
	return entered === undefined || entered === null || entered === '';
}

/** Whether nothing was entered, or only whitespace, or a list of such entries. */
export function isNothing(entered: unknown): boolean {
	if (Array.isArray(entered)) return entered.every(isNothing);
	return isEmpty(typeof entered === 'string' ? entered.trim() : entered);
}

/** Words that models and expressions write to say nothing. */
export const SAYS_NOTHING =
	/^\s*(null|undefined|none|nil|n\/?a|nan|empty|not (set|specified|applicable)|unspecified|-|""|''|\[\s*\]|\{\s*\})\s*$/i;

/** Maximum number of an item's fields that an error names, and the maximum length of their names, in characters. */
const MOST_NAMED = 8;
const LONGEST_NAME = 40;

/** Returns a sentence that names the item's fields, if the value contains an expression; otherwise an empty string. */
export function fieldsOfItem({ raw, fieldNames }: Place): string {
	if (!hasExpression(raw) || fieldNames === undefined) return '';
	const names = fieldNames();
	if (names.length === 0) return ' The item has no fields.';
	const named = names.slice(0, MOST_NAMED).map((name) => beginningOf(name, LONGEST_NAME));
	const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
	return ` The item has the ${plural(names.length, 'field')} ${named.join(', ')}${more}.`;
}

export function emptyError(place: Place): NodeOperationError {
	const { node, itemCount = 1 } = place;
	const stopsOthers = itemCount > 1 && (node.onError ?? 'stopWorkflow') === 'stopWorkflow';
	const others = stopsOthers
		? ' To let the other items go on, set On Error in Settings to Continue.'
		: '';
	return invalid(
		place,
		'is empty',
		`Fill it in, or check its expression.${fieldsOfItem(place)}${others}`,
	);
}

/** Returns a value that is one of the field's choices, or any string for an `open` field; otherwise throws. */
export function checkedChoice(field: Field, entered: unknown, place: Place): unknown {
	const valueOf = (option: object) => ('value' in option ? option.value : '');
	const { options = [] } = field;
	if (options.some((option) => valueOf(option) === entered)) return entered;
	// A model that names a nonexistent choice must be told which ones there are.
	if (field.wire?.open && isNewChoice(entered) && !isByModel(place)) return entered;
	const choices = options.map(valueOf);
	throw invalid(
		place,
		`is ${quoted(entered)}, which is not one of its choices`,
		`Use one of: ${choices.filter((choice) => choice !== '').join(', ')}.`,
	);
}

/** Words that mean several choices or an unnamed one. */
const NO_CHOICE = /^(all|any|both|default|every|everything|other|yes|no|true|false|on|off|\d+)$/i;

/** Whether a value may be a choice that the service has added since: a single word that names one. */
function isNewChoice(entered: unknown): entered is string {
	return (
		typeof entered === 'string' &&
		/^[\w@.:/+-]{1,64}$/.test(entered) &&
		!SAYS_NOTHING.test(entered) &&
		!NO_CHOICE.test(entered) &&
		!(entered in Object.prototype)
	);
}

/** Returns true or false, also from text, because expressions often return text. */
export function checkedBoolean(entered: unknown, place: Place): boolean {
	const given = unquoted(entered);
	const word = typeof given === 'string' ? given.trim().toLowerCase() : given;
	if (word === true || word === 'true') return true;
	if (word === false || word === 'false') return false;
	throw invalid(
		place,
		`is ${quoted(entered)}, which is neither true nor false`,
		'Enter true or false.',
	);
}

import { ExecutionBaseError, type IDataObject, NodeOperationError } from 'n8n-workflow';

import { isObject } from '../base/json';
import { LONGEST_SEARCHED, beginningOf, plural, trimmed, withoutEnd } from '../base/text';
import { type Field, type Place, isByModel } from './field';
import { unquoted } from './written';

/** Maximum length of a quote of a value, in characters. */
const LONGEST_QUOTE = 80;

/** Returns the place of a part; `raw` is its value as written in the workflow. */
export function below(place: Place, label: string, raw?: unknown): Place {
	return { ...place, labels: [...place.labels, label], raw };
}

/** Returns the place of a control of the form. */
export function atControl(place: Place, { displayName, name }: Field): Place {
	return below(place, displayName, place.node.parameters[name]);
}

/** Returns a part of a value as written in the workflow; undefined if that is one expression, or lacks the part. */
export const rawOf = ({ raw }: Place, name: string): unknown =>
	isObject(raw) ? raw[name] : undefined;

/** Returns the place of a row of a list. */
export function atRow(place: Place, group: string, index: number, label: string): Place {
	const rows = rawOf(place, group);
	return below(place, `${label} ${index + 1}`, Array.isArray(rows) ? rows[index] : undefined);
}

/** Returns a row with the default of a field it lacks, unless an expression should have returned it. */
export function withDefault(row: IDataObject, { name, default: standard }: Field, place: Place) {
	const isOpen = hasExpression(rawOf(place, name));
	return isOpen ? row : { [name]: standard as string, ...row };
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

/**
 * Returns what `work` returns, which reads a value. Throws NodeOperationError; where the value's own code throws, such as
 * a getter or toJSON, the message doesn't repeat what that says.
 */
export function reading<Result>(place: Place, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		const remedy = 'Its own code fails: return plain text, numbers, lists or objects instead.';
		// Also n8n's own, of an expression that reads another field.
		const isKnown = error instanceof ExecutionBaseError;
		throw isKnown ? error : invalid(place, 'has a value that cannot be read', remedy);
	}
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

/** Whether a value can be sent as text. NaN and Infinity come from mistakes in expressions. */
export function canBeText(value: unknown): value is string | number {
	return typeof value === 'string' || Number.isFinite(value);
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
	return isEmpty(typeof entered === 'string' ? trimmed(entered) : entered);
}

/** Words that models, sheets and expressions write to say nothing. */
export const SAYS_NOTHING =
	/^\s*(?:(["'`]?)(?:null|undefined|none|nil|n[/.]?a\.?|nan|nothing|empty|tbd|not (?:set|specified|applicable)|unspecified|-|#n\/a|#(?:ref|value|name|div\/0|num|null|error)[!?]|\[\s*\]|\{\s*\})\1|""|'')\s*$/i;

/** Matches a text of marks alone: it has no letter, digit or symbol, not counting an address's scheme. */
export const ONLY_MARKS = /^(?:\s*https?:\/\/\s*|[^\p{L}\p{N}\p{S}]*|[|^~`<>\s]*)$/iu;

/** Maximum length, in characters, of a word for nothing with the marks around it. */
const LONGEST_WORD = 40;

/** Marks that may follow a word. */
const MARKS = ' .,;:!?…)]}>"\'`”’»';

/** Whether a text has only marks, a word for nothing, or an expression that was not filled in. */
export function saysNothing(text: string): boolean {
	if (ONLY_MARKS.test(text) || SAYS_NOTHING.test(text)) return true;
	if (/^\s*(?:\{\{[^{}]*\}\}|[$#%]?\{\s?[\w.]*\s?\})\s*$/.test(text)) return true;
	const bare =
		text.length > LONGEST_WORD ? '' : withoutEnd(text.replace(/^[\s\p{P}]+/u, ''), MARKS);
	return SAYS_NOTHING.test(bare);
}

/** Maximum number of an item's fields that an error names, and the maximum length of their names, in characters. */
const MOST_NAMED = 8;
const LONGEST_NAME = 40;

/** Returns a sentence that names the item's fields, if the value contains an expression; otherwise an empty string. */
export function fieldsOfItem({ raw, item }: Place): string {
	if (!hasExpression(raw) || item === undefined) return '';
	const names = Object.keys(item());
	if (names.length === 0) return ' The item has no fields.';
	const named = names.slice(0, MOST_NAMED).map((name) => beginningOf(name, LONGEST_NAME));
	const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
	return ` The item has the ${plural(names.length, 'field')} ${named.join(', ')}${more}.`;
}

export function emptyError(place: Place, problem = 'is empty'): NodeOperationError {
	const { node, itemCount = 1 } = place;
	const stopsOthers = itemCount > 1 && (node.onError ?? 'stopWorkflow') === 'stopWorkflow';
	const others = stopsOthers
		? ' To let the other items go on, set On Error in Settings to Continue.'
		: '';
	return invalid(
		place,
		problem,
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

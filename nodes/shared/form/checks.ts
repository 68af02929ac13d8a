import { ExecutionBaseError, type IDataObject, NodeOperationError } from 'n8n-workflow';

import { isObject } from '../base/json';
import { LONGEST_SEARCHED, beginningOf, plural, trimmed } from '../base/text';
import { type Field, type Place, choicesOf, isByModel } from './field';

/** Maximum length of a quote of a value, in characters. */
const LONGEST_QUOTE = 80;

/** Returns the place of a part; `raw` is its value as written in the workflow. */
export function below(place: Place, label: string, raw?: unknown): Place {
	return { ...place, labels: [...place.labels, label], raw };
}

/** Returns the place of a control beside this one. */
export const beside = (place: Place, label: string): Place =>
	below({ ...place, labels: place.labels.slice(0, -1) }, label);

/** Returns the place of a control of the form. */
export function atControl(place: Place, { displayName, name }: Field): Place {
	return below(place, displayName, place.node.parameters[name]);
}

/** Returns a part of a value as written in the workflow; undefined if that is one expression, or lacks the part. */
export const rawOf = ({ raw }: Place, name: string): unknown =>
	isObject(raw) ? raw[name] : undefined;

/** Returns the rows that were entered in a group, each with its place. */
export function rowsIn(entered: unknown, place: Place, group: string, label: string) {
	const { [group]: rows = [] } = (entered ?? {}) as Record<string, IDataObject[] | undefined>;
	const raw = rawOf(place, group);
	return rows.map((row, index) => {
		const rawRow: unknown = Array.isArray(raw) ? raw[index] : undefined;
		return { row, at: below(place, `${label} ${index + 1}`, rawRow) };
	});
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
export const invalid = (place: Place, problem: string, remedy: string): NodeOperationError =>
	refused(place, `${fieldOf(place)} ${problem}`, remedy);

const fieldOf = ({ labels }: Place) => labels[labels.length - 1];

/** Returns the error for a part of a text that gives nothing, or an object, which n8n leaves out of the text. */
export const holeError = (place: Place, part: string, isObject: boolean): NodeOperationError =>
	refused(
		place,
		`${fieldOf(place)}: ${partName(part)} gives ${isObject ? 'an object' : 'nothing'}`,
		isObject
			? 'Choose one of its fields, e.g. {{ $json.url }}.'
			: `Check it. If it may be empty, write {{ $json.field ?? "" }}.${fieldsOfItem(place)}`,
	);

function refused(place: Place, message: string, remedy: string): NodeOperationError {
	const { itemIndex, itemCount } = place;
	const count = itemCount === undefined ? '' : ` of ${itemCount}`;
	// People count from 1, and n8n from 0.
	const item =
		itemIndex === undefined || itemCount === 1
			? ''
			: ` for item ${itemIndex + 1}${count} (index ${itemIndex})`;
	return new NodeOperationError(place.node, message, {
		itemIndex,
		description: `${remedy} Nothing was sent${item} (field: ${place.labels.join(' → ')}).`,
		level: 'warning',
	});
}

/**
 * Returns what `work` returns, which reads a value. Throws NodeOperationError; where the value's own code throws, such
 * as a getter or toJSON, the message doesn't repeat what that says.
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

/** Maximum number of an item's fields that an error names, and the maximum length of their names, in characters. */
const MOST_NAMED = 8;
const LONGEST_NAME = 40;

/** Returns a sentence that names the item's fields, if the value contains an expression; otherwise an empty string. */
export function fieldsOfItem({ raw, item }: Place): string {
	if (!hasExpression(raw) || item === undefined) return '';
	const names = Object.keys(item());
	if (names.length === 0) return ' The item has no fields.';
	const named = names.slice(0, MOST_NAMED).map(asSeen);
	const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
	return ` The item has the ${plural(names.length, 'field')} ${named.join(', ')}${more}.`;
}

/** Returns a name; one with blanks or unseen characters around it in quotes, with their codes. */
function asSeen(name: string): string {
	const short = beginningOf(name, LONGEST_NAME);
	if (trimmed(name) === name) return short;
	const code = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return `"${short.replace(/[^!-~ ]/g, code)}"`;
}

/** Returns the error for a field without a value; it names the expression that gives nothing. */
export function emptyError(
	place: Place,
	remedy = 'Fill it in, check its expression, or remove it.',
): NodeOperationError {
	const { node, itemCount = 1 } = place;
	// That of a locator, or of any other control.
	const raw = rawOf(place, 'value') ?? place.raw;
	const stopsOthers = itemCount > 1 && (node.onError ?? 'stopWorkflow') === 'stopWorkflow';
	const others = stopsOthers
		? ' To let the other items go on, set On Error in Settings to Continue.'
		: '';
	const isAsked = typeof raw === 'string' && raw.startsWith('=') && raw.includes('{{');
	return refused(
		place,
		isAsked
			? `${fieldOf(place)}: ${partName(raw.slice(1))} gives nothing`
			: `${fieldOf(place)} is empty`,
		`${remedy}${fieldsOfItem(place)}${others}`,
	);
}

/** Returns an expression as an error names it. */
const partName = (expression: string) => beginningOf(expression.trim(), LONGEST_QUOTE);

/** Returns a value that is one of the field's choices, or any text for an `open` field; otherwise throws. */
export function checkedChoice(field: Field, entered: unknown, place: Place): unknown {
	const choices = choicesOf(field).map(({ value }) => value);
	if (choices.includes(entered as string)) return entered;
	// A model that names a nonexistent choice must be told which ones there are.
	if (field.wire?.open && typeof entered === 'string' && !isByModel(place)) return entered;
	throw invalid(
		place,
		`is ${quoted(entered)}, which is not one of its choices`,
		`Use one of: ${choices.filter((choice) => choice !== '').join(', ')}.`,
	);
}

/** Returns true or false, also from text, because expressions often return text. */
export function checkedBoolean(entered: unknown, place: Place): boolean {
	const word = typeof entered === 'string' ? entered.trim().toLowerCase() : entered;
	if (word === true || word === 'true') return true;
	if (word === false || word === 'false') return false;
	throw invalid(
		place,
		`is ${quoted(entered)}, which is neither true nor false`,
		'Enter true or false.',
	);
}

/** Returns a text after checking it, without surrounding blanks unless it is typed into a page. */
export function checkedText(field: Field, entered: unknown, place: Place): string {
	const { typed, maxLength } = field.wire ?? {};
	if (!canBeText(entered)) {
		throw invalid(
			place,
			typed ? 'has a value that is not text' : `is ${quoted(entered)}, which is not text`,
			'Enter text.',
		);
	}
	const value = typed ? String(entered) : trimmed(String(entered));
	checkFixed(value, place);
	checkLength(value, maxLength, place);
	return value;
}

/** Throws for an expression that was typed into a field that is Fixed. */
export function checkFixed(text: string, place: Place): void {
	if (!/\{\{\s*\$/.test(text) || place.raw === undefined || hasExpression(place.raw)) return;
	throw invalid(
		place,
		'holds an expression as plain text',
		'Switch the field from Fixed to Expression.',
	);
}

/**
 * Returns a number checked against the field's limits, a time in ms; it may be text, because expressions often return
 * that.
 */
export function checkedNumber(field: Field, entered: unknown, place: Place): number {
	const { numberPrecision, minValue = -Infinity, maxValue = Infinity } = field.typeOptions ?? {};
	const isText = typeof entered === 'string' && trimmed(entered) !== '';
	const value = isText ? Number(trimmed(entered)) : entered;
	if (typeof value !== 'number' || !Number.isFinite(value)) {
		throw invalid(place, `is ${quoted(entered)}, which is not a number`, 'Enter a number.');
	}
	if (Math.abs(value) > Number.MAX_SAFE_INTEGER || (numberPrecision === 0 && value % 1 !== 0)) {
		throw invalid(
			place,
			`is ${value}, but must be a whole number`,
			'Enter a number without a fraction, of at most 15 digits.',
		);
	}
	if (value < minValue || value > maxValue) {
		const range =
			maxValue === Infinity ? `at least ${minValue}` : `from ${minValue} to ${maxValue}`;
		throw invalid(place, `is ${value}, but must be ${range}`, 'Enter a number in that range.');
	}
	const { unitMs } = field.wire ?? {};
	return unitMs === undefined ? value : Math.round(value * unitMs);
}

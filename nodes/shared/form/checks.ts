import { NodeOperationError } from 'n8n-workflow';

import { beginningOf, messageOf } from '../text';
import type { Field, Place } from './field';
import { isRequired } from './field';

/** The place of a field below the given one. */
export function below(place: Place, label: string): Place {
	return { ...place, labels: [...place.labels, label] };
}

/**
 * The error for a value that can't be sent. The message names the field as the form does and what is wrong with
 * its value; the description says what to do and names the item, if there is one.
 */
export function invalid(place: Place, problem: string, remedy: string): NodeOperationError {
	const field = place.labels[place.labels.length - 1];
	const path = place.labels.join(' → ');
	const item = place.itemIndex === undefined ? '' : ` for item ${place.itemIndex}`;
	return new NodeOperationError(place.node, `${field} ${problem}`, {
		itemIndex: place.itemIndex,
		description: `${remedy} Nothing was sent${item} (field: ${path}).`,
		level: 'warning',
	});
}

/** A value in quotes, for a message. */
export function quoted(value: unknown): string {
	const json = typeof value === 'object' ? JSON.stringify(value) : undefined;
	// A date is a text in JSON, with quotes of its own.
	const text = json?.startsWith('"') ? (JSON.parse(json) as string) : (json ?? String(value));
	return text.length > 60 ? `"${beginningOf(text, 57)}…"` : `"${text}"`;
}

/** A number within the field's limits. Texts that are numbers are taken, as expressions often give them. */
export function checkedNumber(field: Field, entered: unknown, place: Place): number {
	const { minValue, maxValue } = field.typeOptions ?? {};
	const value = typeof entered === 'string' && entered.trim() !== '' ? Number(entered) : entered;
	if (typeof value !== 'number' || !Number.isFinite(value)) {
		throw invalid(place, `is ${quoted(entered)}, which is not a number`, 'Enter a number.');
	}
	if (field.wire?.fraction === undefined && !Number.isInteger(value)) {
		throw invalid(place, `is ${value}, but must be a whole number`, 'Remove the fraction.');
	}
	if (
		(minValue !== undefined && value < minValue) ||
		(maxValue !== undefined && value > maxValue)
	) {
		const range =
			maxValue === undefined
				? `at least ${minValue}`
				: minValue === undefined
					? `at most ${maxValue}`
					: `from ${minValue} to ${maxValue}`;
		const advice = `Enter a number ${range.startsWith('at') ? 'of ' : ''}${range}.`;
		throw invalid(place, `is ${value}, but must be ${range}`, advice);
	}
	return value;
}

/** A text within the field's longest length; a required one can't be blank. */
export function checkedText(field: Field, entered: unknown, place: Place): string {
	if (typeof entered !== 'string' && typeof entered !== 'number' && typeof entered !== 'boolean') {
		throw invalid(place, `is ${quoted(entered)}, which is not text`, 'Enter text.');
	}
	const value = String(entered);
	if (isRequired(field) && !field.wire?.blank && value.trim() === '') throw missing(place);
	checkLength(value, field.wire?.maxLength, place);
	return value;
}

/** Rejects a text with more characters than the service takes; it counts code points, so an emoji is one. */
export function checkLength(value: string, maxLength: number | undefined, place: Place): void {
	if (maxLength === undefined || value.length <= maxLength) return;
	const { length } = [...value];
	if (length <= maxLength) return;
	const excess = length - maxLength;
	throw invalid(
		place,
		`has ${length} characters, but at most ${maxLength} are allowed`,
		`Shorten it by ${excess} ${excess === 1 ? 'character' : 'characters'}.`,
	);
}

/** Whether nothing was entered: the editor leaves an empty text, an expression may give null or undefined. */
export function isEmpty(entered: unknown): boolean {
	return entered === undefined || entered === null || entered === '';
}

/** The error for a required field that was left empty. */
export function missing(place: Place): NodeOperationError {
	return invalid(place, 'is empty', 'Fill it in, or check the expression that should give it.');
}

/** One of the field's choices; other texts pass where the field lets unknown ones through. */
export function checkedChoice(field: Field, entered: unknown, place: Place): unknown {
	const choices = (field.options ?? []).map((option) => ('value' in option ? option.value : ''));
	if (choices.includes(entered as string)) return entered;
	if (field.wire?.open && typeof entered === 'string') return entered;
	throw invalid(
		place,
		`is ${quoted(entered)}, which is not one of its choices`,
		`Use one of: ${choices.filter((choice) => choice !== '').join(', ')}.`,
	);
}

/** True or false; the texts "true" and "false" are taken, as expressions often give them. */
export function checkedBoolean(entered: unknown, place: Place): boolean {
	if (entered === true || entered === 'true') return true;
	if (entered === false || entered === 'false') return false;
	throw invalid(
		place,
		`is ${quoted(entered)}, which is neither true nor false`,
		'Enter true or false.',
	);
}

/** A JSON object or array from a text, or as an expression gave it. Throws where the text isn't JSON. */
export function checkedJson(entered: unknown, place: Place): unknown {
	if (typeof entered !== 'string') return entered;
	if (entered.trim() === '') return undefined;
	try {
		return JSON.parse(entered);
	} catch (error) {
		throw invalid(
			place,
			`is not valid JSON: ${messageOf(error)}`,
			'Check the quotes and commas; there is no comma after the last entry.',
		);
	}
}

/** A JSON object; throws for anything else. */
export function parsedObject(entered: unknown, place: Place): Record<string, unknown> | undefined {
	const value = checkedJson(entered, place);
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
	throw invalid(
		place,
		`is ${Array.isArray(value) ? 'an array' : quoted(value)}, but must be a JSON object`,
		'Put it in curly brackets: { … }.',
	);
}

import { asSent, isDeeperThan, isObject } from '../base/json';
import { MAX_DEPTH } from '../base/limits';
import { trimmed } from '../base/text';
import { checkFixed, fieldsOfItem, invalid, quoted } from './checks';
import type { Place } from './field';

/**
 * Returns a JSON value, which may be entered as text or come from an expression; undefined for null. Throws if it is
 * no JSON, or nested too deeply, and for a key whose expression has no value.
 */
export function checkedJson(entered: unknown, place: Place): unknown {
	if (['function', 'symbol'].includes(typeof entered)) {
		throw invalid(place, `is a ${typeof entered}`, 'Return an object or a list.');
	}
	const value = typeof entered === 'string' ? parsed(entered, place) : entered;
	if (isDeeperThan(MAX_DEPTH, value)) {
		throw invalid(
			place,
			`has more than ${MAX_DEPTH} levels of brackets`,
			'Nest fewer lists and objects in each other.',
		);
	}
	const key = keyWithoutValue(value);
	if (key === undefined) return value ?? undefined;
	throw invalid(
		place,
		`has ${quoted(key)} without a value`,
		`Check its expression, or remove it.${fieldsOfItem(place)}`,
	);
}

function parsed(entered: string, place: Place): unknown {
	checkFixed(entered, place);
	try {
		return JSON.parse(trimmed(entered));
	} catch (error) {
		const { message } = error as Error;
		const [, at] = /position (\d+)/.exec(message) ?? [];
		// Node itself quotes the text around some mistakes.
		const near =
			at === undefined || message.includes('"') ? '' : `, near ${quoted(around(entered, +at))}`;
		throw invalid(
			place,
			`is not valid JSON: ${message}${near}`,
			'Check the quotes and commas; there is no comma after the last entry.',
		);
	}
}

/** Returns the 30 characters around a position. */
const around = (text: string, at: number) => trimmed(text).slice(Math.max(0, at - 15), at + 15);

/** Returns a JSON object; undefined for nothing. Throws for anything else. */
export function parsedObject(entered: unknown, place: Place): Record<string, unknown> | undefined {
	const given = checkedJson(entered, place);
	if (given === undefined) return undefined;
	const value = isObject(given) ? asSent(given) : given;
	if (isObject(value)) return value;
	throw invalid(
		place,
		`is ${Array.isArray(given) ? 'an array' : quoted(given)}, but must be a JSON object`,
		'Put it in curly brackets: { … }.',
	);
}

/** Returns the name of a key whose expression has no value; undefined if there is none. */
function keyWithoutValue(json: unknown): string | undefined {
	let found: string | undefined;
	JSON.stringify(json, (key, value: unknown) => {
		const isNone = value === undefined || (typeof value === 'number' && !Number.isFinite(value));
		if (isNone && key !== '') found ??= key;
		return value;
	});
	return found;
}

import { asSent, isDeeperThan, isObject } from '../base/json';
import { MAX_DEPTH } from '../base/limits';
import { fieldsOfItem, invalid, quoted } from './checks';
import type { Place } from './field';
import { jsonMistake } from './jsonMistake';
import { checkExpression } from './texts';
import { withoutFence, writtenJson } from './written';

/**
 * Returns a JSON object or array, which may be entered as text or come from an expression. Throws if it is
 * neither, or is nested too deeply.
 */
export function checkedJson(entered: unknown, place: Place): unknown {
	if (['function', 'symbol'].includes(typeof entered)) {
		throw invalid(place, `is a ${typeof entered}`, 'Return an object or a list.');
	}
	const value = typeof entered === 'string' ? parsed(entered, place) : entered;
	if (!isDeeperThan(MAX_DEPTH, value)) return value;
	throw invalid(
		place,
		`has more than ${MAX_DEPTH} levels of brackets`,
		'Nest fewer lists and objects in each other.',
	);
}

function parsed(entered: string, place: Place): unknown {
	if (['', 'null'].includes(entered.trim())) return undefined;
	checkExpression(entered, place);
	try {
		return writtenJson(entered);
	} catch {
		throw invalid(
			place,
			`is not valid JSON: ${jsonMistake(withoutFence(entered))}`,
			'Check the quotes and commas; there is no comma after the last entry.',
		);
	}
}

/** Returns a JSON object; throws for anything else. */
export function parsedObject(entered: unknown, place: Place): Record<string, unknown> | undefined {
	const given = checkedJson(entered, place);
	if (given === undefined || given === null) return undefined;
	const key = isObject(given) ? keyWithoutValue(given) : undefined;
	if (key !== undefined) {
		throw invalid(
			place,
			`has ${quoted(key)} without a value`,
			`Check its expression, or remove it.${fieldsOfItem(place)}`,
		);
	}
	const value = isObject(given) ? asSent(given) : given;
	if (isObject(value)) return value;
	throw invalid(
		place,
		`is ${Array.isArray(given) ? 'an array' : quoted(given)}, but must be a JSON object`,
		'Put it in curly brackets: { … }.',
	);
}

/** Returns the name of a key whose expression has no value; undefined if there is none. */
function keyWithoutValue(json: object): string | undefined {
	let found: string | undefined;
	JSON.stringify(json, (key, value: unknown) => {
		if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
			found ??= key;
		return value;
	});
	return found;
}

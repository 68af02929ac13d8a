import { invalid, quoted } from './checks';
import type { Field, Place } from './field';
import { jsonIn, unquoted } from './written';

/**
 * Returns a number checked against the field's limits. Numeric strings are accepted, because expressions often return
 * them.
 */
export function checkedNumber(field: Field, entered: unknown, place: Place): number {
	const { numberPrecision, ...limits } = field.typeOptions ?? {};
	const value = numberIn(entered);
	if (value === undefined) {
		const remedy = `Enter a number${unitOf(place)}.`;
		throw invalid(place, `is ${quoted(entered)}, which is not a number`, remedy);
	}
	// In many countries, 1.000 is a thousand; in others, it is one.
	const text = unquoted(entered);
	if (typeof text === 'string' && /^\s*[1-9]\d{0,2}(\.\d{3})+\s*$/.test(text)) {
		throw invalid(
			place,
			`is ${quoted(entered)}, which may be ${value} or ${text.replace(/\D/g, '')}`,
			'Enter it without a separator.',
		);
	}
	if (Math.abs(value) > Number.MAX_SAFE_INTEGER || (numberPrecision === 0 && value % 1 !== 0)) {
		throw invalid(
			place,
			`is ${value}, but must be a whole number`,
			'Enter a number without a fraction, of at most 15 digits.',
		);
	}
	const { minValue = -Infinity, maxValue = Infinity } = limits;
	if (value < minValue || value > maxValue) {
		const range =
			maxValue === Infinity ? `at least ${minValue}` : `from ${minValue} to ${maxValue}`;
		throw invalid(place, `is ${value}, but must be ${range}`, 'Enter a number in that range.');
	}
	return value;
}

/** Returns what a field counts, if its label says so: who wrote `5 s` would otherwise try 5 where it counts milliseconds. */
function unitOf({ labels }: Place): string {
	if (labels.at(-1)?.endsWith('(Ms)')) return ' of milliseconds, e.g. 5000 for 5 seconds';
	const [, unit] = /\((Seconds|Minutes)\)$/.exec(labels.at(-1) ?? '') ?? [];
	return unit === undefined ? '' : ` of ${unit.toLowerCase()}`;
}

/** Matches a decimal number as text; `0x10` isn't one. */
const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?\s*$/i;

/** Returns an entered number, which may be a string or the only entry of a list; undefined for anything else. */
function numberIn(entered: unknown): number | undefined {
	const list: unknown =
		typeof entered === 'string' && /^\s*\[/.test(entered) ? jsonIn(entered) : entered;
	const one = unquoted(Array.isArray(list) && list.length === 1 ? list[0] : list);
	const value = typeof one === 'string' && NUMBER.test(one) ? Number(one) : one;
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

import { isNothing } from '../base/json';
import { trimmed } from '../base/text';
import { canBeText, checkLength, emptyError, hasExpression, invalid, quoted } from './checks';
import { type Field, type Place, isRequired } from './field';

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
	if (isRequired(field) && !typed && isNothing(value)) throw emptyError(place);
	checkFixed(value, place);
	checkLength(value, maxLength, place);
	return value;
}

/** Throws for an expression that was typed into a field that is Fixed. */
export function checkFixed(text: string, place: Place): void {
	const isTyped = typeof place.raw === 'string' && !hasExpression(place.raw);
	if (!isTyped || !/\{\{\s*\$/.test(text)) return;
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
		throw invalid(
			place,
			`is ${quoted(entered)}, which is not a number`,
			`Enter a number${unitOf(place)}.`,
		);
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

/** Returns what a field counts, if its label says so. */
function unitOf({ labels }: Place): string {
	const [, unit] = /\((Seconds|Minutes|Hours)\)$/.exec(labels.at(-1) ?? '') ?? [];
	return unit === undefined ? '' : ` of ${unit.toLowerCase()}`;
}

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

import { invalid, quoted } from '../../form/checks';
import type { Place } from '../../form/field';

/** Maximum length of a query including its operators, in characters (SearchRequest in api/openapi.yaml). */
export const MAX_QUERY_LENGTH = 500;

const OPERATORS = 'site|filetype|inurl|intitle|allinurl|allintitle|related|imagesize|larger';

/** Matches an operator without anything to search for: at the end, or before a closing bracket. */
const UNFILLED = new RegExp(`(?<![\\w:])-?(?:${OPERATORS}):\\s*(?=$|\\))`, 'i');

/** Throws for a query with an operator that has nothing after it: it would find far more than was meant. */
export function checkQuery(query: string, place: Place): void {
	const [operator] = UNFILLED.exec(query) ?? [];
	if (operator === undefined) return;
	throw invalid(
		place,
		`has ${quoted(operator.trim())} with nothing after it`,
		'Fill it in, or remove the operator.',
	);
}

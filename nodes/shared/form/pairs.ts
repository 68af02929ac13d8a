import type { IDataObject } from 'n8n-workflow';

import {
	SAYS_NOTHING,
	canBeText,
	hasExpression,
	invalid,
	isEmpty,
	quoted,
	rawOf,
	saysNothing,
} from './checks';
import type { Place } from './field';
import { checkExpression, isUnfilled } from './texts';

/**
 * Returns the object for a fixed collection of name and value pairs: `{ pair: [{ name, value }] }`. Throws for a name
 * that occurs twice, ignoring case, and for a value that isn't text. Its errors don't quote values, because these may
 * be secret.
 */
export function pairs(
	entered: unknown,
	place: Place,
	nameOf: PairName = (name) => name,
): Record<string, string> | undefined {
	const { pair } = entered as { pair?: Array<{ name?: unknown; value?: unknown }> };
	const found: Array<[name: string, value: string]> = [];
	const known = new Set<string>();
	const raws = (rawOf(place, 'pair') ?? []) as IDataObject[];
	for (const [index, row] of (pair ?? []).entries()) {
		const which = `(number ${index + 1})`;
		const isMistake = (part: unknown) =>
			!isEmpty(part) && typeof part !== 'boolean' && !canBeText(part);
		if ([row.name, row.value].some(isMistake)) {
			throw invalid(
				place,
				`has a name or value that is not text ${which}`,
				'Give names and values as text.',
			);
		}
		const value = String(row.value ?? '');
		const at = { ...place, raw: raws[index]?.value ?? place.raw };
		const written = String(row.name ?? '').trim();
		if (isUnfilled(written, { ...place, raw: raws[index]?.name })) {
			throw invalid(
				place,
				`has a name without all its parts ${which}`,
				'Check its expression, or write the name out.',
			);
		}
		const name = nameOf(written, value, which, at);
		if (name === '' && value === '') continue;
		if (isUnfilled(value, at)) throw noValue(name, which, place);
		checkExpression(name, place);
		checkExpression(value, place);
		if (name === '') {
			throw invalid(place, 'has a value without a name', 'Give each value a name.');
		}
		if (known.has(name.toLowerCase())) {
			throw invalid(place, `has ${quoted(name)} twice`, 'Keep one of them.');
		}
		known.add(name.toLowerCase());
		found.push([name, value]);
	}
	return found.length > 0 ? Object.fromEntries(found) : undefined;
}

const noValue = (name: string, which: string, place: Place): Error =>
	invalid(
		place,
		`has ${quoted(name)} without a value ${which}`,
		'Fill it in, check its expression, or remove it.',
	);

/** Returns the name to send for the one entered; `which` names its row. Throws for a row that can't be sent. */
type PairName = (name: string, value: string, which: string, place: Place) => string;

/** Matches what stands before the secret of a login, and the names of headers that have one. */
const SCHEME =
	/^\s*(?:(?:basic|bearer|token|api-?key)(?:\s+|$)|[\w.-]+=(?=(?:undefined|null|nan)\s*$))/i;
const LOGIN = /\bauth\b|authorization|cookie|token|key\b|secret|session/i;

/** Matches headers that may have a word for nothing, e.g. `Origin: null`. */
const MAY_BE_NONE = /^(?:origin|sec-.*)$/i;

/** Whether a header's value has no content: without a password, for example, the request would be another one. */
function isHollow(name: string, value: string, { raw }: Place): boolean {
	// It is told as what it is.
	if (value.includes('{{')) return false;
	const isLogin = LOGIN.test(name);
	const content = value.replace(SCHEME, '');
	if (content.trim() === '') return content !== value || hasExpression(raw);
	if (isLogin || content !== value) return saysNothing(content);
	return hasExpression(raw) && SAYS_NOTHING.test(content) && !MAY_BE_NONE.test(name);
}

const FILL = 'Turn it into an expression, or fill it in.';

/** What the value of a header never is, or that of a login: marks around or in front, and gaps. */
const NEVER: Array<[pattern: RegExp, isOfAny: boolean, what: string, remedy: string]> = [
	[/\$\{[a-z]/i, true, 'that was not filled in', FILL],
	[/<[a-z][\w -]{0,40}>\s*$/i, false, 'that was not filled in', FILL],
	[/^\s*(?:(?:basic|bearer|token)\s+)?["'`“„]/i, false, 'in quotes', 'Remove the quotes.'],
	[/^\s*(basic|bearer|token)\s+\1\s/i, false, 'that begins with a word twice', 'Leave out one.'],
];

/** Returns a header's name (a token of RFC 9110), which is often entered with a colon. */
export const headerName: PairName = (entered, value, which, place) => {
	const name = entered.replace(/:$/, '').trim();
	// Some objects can't have a key of this name.
	if (name === '__proto__' || SAYS_NOTHING.test(name) || !/^[\w!#$%&'*+.^`|~-]*$/.test(name)) {
		throw invalid(
			place,
			`has a name that no header can have ${which}`,
			'Write a name like User-Agent, without blanks; what follows the colon belongs in Value.',
		);
	}
	if (isHollow(name, value, place)) throw noValue(name, which, place);
	if (/[\0\r\n]/.test(value)) {
		throw invalid(
			place,
			`has a value that no header can have ${which}`,
			'Remove the line breaks from it.',
		);
	}
	const wrong = (problem: string, remedy: string): Error =>
		invalid(place, `has a value of ${quoted(name)} ${problem} ${which}`, remedy);
	// What a person typed as an expression is told its own later.
	if (/\{\{/.test(value) && (hasExpression(place.raw) || !/\{\{\s*\$/.test(value))) {
		throw wrong('that was not filled in', FILL);
	}
	if (name !== '' && value.toLowerCase().startsWith(`${name.toLowerCase()}:`)) {
		throw wrong('that begins with its name', 'Write only what follows the colon.');
	}
	const isLogin = LOGIN.test(name);
	const [, , what, remedy] =
		NEVER.find(([pattern, isOfAny]) => (isOfAny || isLogin) && pattern.test(value)) ?? [];
	if (what !== undefined) throw wrong(what, remedy!);
	return name;
};

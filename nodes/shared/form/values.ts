import type { INodePropertyOptions } from 'n8n-workflow';

import { LONGEST_SEARCHED, beginningOf, trimmed } from '../base/text';
import { parsedUrl } from '../base/url';
import { SAYS_NOTHING, asText, checkCount, invalid, isEmpty, canBeText, quoted } from './checks';
import { type Field, type Place, choicesOf } from './field';
import { jsonIn, unquoted, withoutBullets, withoutFence, wordsIn } from './written';
import { MOST_ENTRIES } from '../base/limits';
import { checkAddress, checkExpression } from './texts';

/** Throws for a list with more entries than can be checked quickly. */
export function checkEntries({ length }: unknown[], place: Place, most = MOST_ENTRIES): void {
	checkCount(length, most, 'entries', place, 'Spread them over several items.');
}

/**
 * Returns strings that were entered one per line, as an array from an expression, or as a JSON array, which is how
 * models fill in such a field. Empty lines are left out; undefined if nothing remains.
 */
export function lines(entered: unknown, place: Place): string[] | undefined {
	if (typeof entered === 'string') checkAddress(entered, place);
	const list = entries(entered);
	if (list === undefined) {
		throw invalid(place, 'is neither text nor a list', 'Enter one per line, or give an array.');
	}
	checkEntries(list, place);
	const texts = list.map((entry, index) => {
		if (!canBeText(entry)) {
			throw invalid(
				place,
				`has an entry that is not text (number ${index + 1})`,
				'Give an array of texts.',
			);
		}
		const text = trimmed(String(entry));
		if (text !== '') checkExpression(text, place);
		return text;
	});
	const filled = texts.filter((text) => text !== '');
	return filled.length > 0 ? filled : undefined;
}

/**
 * Returns the chosen values, unchecked. They may be an array, a single choice, or text from a model: a JSON array, or
 * choices separated by commas or line breaks. No choice contains a comma. A text too long for any list of choices is one
 * entry.
 */
export function choicesIn(entered: unknown): unknown[] {
	if (typeof entered === 'string' && entered.length > LONGEST_CHOICES) return [entered];
	const list =
		typeof entered === 'string'
			? (jsonTexts(entered) ??
				entered
					.replaceAll('\n', ',')
					.split(',')
					.map((text) => text.trim()))
			: [entered].flat();
	return list.filter((entry) => !isEmpty(entry));
}

/** Maximum length of a text with several choices, in characters. */
const LONGEST_CHOICES = 100_000;

/** Maximum number of entries in a list of choices: no control offers as many. */
export const MOST_CHOICES = 1_000;

/** Returns the values of the choices, each once, for entries that use the names in the form or other words for them. */
export function withValues(field: Field | undefined, entered: unknown): unknown {
	if (field?.type !== 'options' && field?.type !== 'multiOptions') return entered;
	const choices = choicesOf(field);
	// A map, because a list may have too many entries to compare each one with all choices.
	let values: Map<string, unknown> | undefined;
	const known = new Set<unknown>(choices.map(({ value }) => value));
	const valueOf = (entry: unknown): unknown => {
		if (typeof entry !== 'string' || known.has(entry)) return entry;
		if (entry.length > LONGEST_SEARCHED) return entry;
		values ??= valuesByName(choices, field.wire?.words);
		const value = values.get(keyOf(entry)) ?? entry;
		// N/A isn't Namibia.
		const isCode = typeof value === 'string' && /^[A-Z]{2}$/.test(value);
		return isCode && !entry.toUpperCase().includes(value) ? entry : value;
	};
	if (field.type === 'options') return valueOf(entered);
	const list = choicesIn(entered);
	if (list.length > MOST_CHOICES) return entered;
	const valuesOf = (entry: unknown): unknown[] => {
		const value = valueOf(entry);
		if (typeof value !== 'string' || known.has(value)) return [value];
		const parts = beginningOf(value, LONGEST_SEARCHED).split(BETWEEN_CHOICES).map(valueOf);
		return parts.every((part) => known.has(part)) ? parts : [value];
	};
	return list.length > 0 ? [...new Set(list.flatMap(valuesOf))] : entered;
}

/** What people and models write between the names of several choices, besides commas. */
const BETWEEN_CHOICES = /[;|&/+]|\s(?:and|und|et|y)\s/i;

/**
 * Returns a key for a name that is the same however the name is written: `raw_html`, `Raw HTML` and `rawHtml` share
 * one.
 */
export function keyOf(name: string): string {
	const letters = name.toLowerCase().replace(/[^\p{L}\d]/gu, '');
	return letters.length > 3 && letters.endsWith('s') ? letters.slice(0, -1) : letters;
}

/**
 * Maps the names of choices (with and without a part in brackets), their values, and other words for them to the
 * values. If a key occurs more than once, the first one counts.
 */
function valuesByName(
	choices: INodePropertyOptions[],
	words: Record<string, string> = {},
): Map<string, unknown> {
	const named = choices.flatMap(({ name, value }) =>
		[name, String(value), name.replace(/ \([^()]*\)$/, '')].map((text): [string, unknown] => [
			keyOf(text),
			value,
		]),
	);
	return new Map([...Object.entries(words), ...named.reverse()]);
}

function entries(entered: unknown): unknown[] | undefined {
	if (Array.isArray(entered)) return entered;
	if (typeof entered === 'number') return [entered];
	if (typeof entered !== 'string') return undefined;
	return jsonTexts(entered) ?? withoutBullets(withoutFence(entered).split('\n'));
}

/**
 * Returns the list if the string is a JSON array; otherwise undefined. An array of only numbers doesn't count, because
 * it may be a pattern such as `[0]`.
 */
export function jsonTexts(text: string): unknown[] | undefined {
	const list = jsonIn(text);
	if (!Array.isArray(list)) return undefined;
	return list.length > 0 && list.every((entry) => typeof entry === 'number') ? undefined : list;
}

/**
 * Returns words such as domains and language codes that were entered one per line or as an array. Throws for a word for
 * nothing, and if an entry of an array contains several.
 */
export function words(entered: unknown, place: Place): string[] | undefined {
	const isTyped = typeof entered === 'string' && jsonTexts(entered) === undefined;
	const list = lines(entered, place)?.flatMap((line) =>
		isTyped ? wordsIn(line).map((word) => String(unquoted(word))) : [line],
	);
	for (const entry of list ?? []) {
		checkWord(entry, place);
		if (!SAYS_NOTHING.test(entry)) continue;
		const problem = `has ${quoted(entry)}, which says nothing`;
		throw invalid(place, problem, 'Remove it, or check its expression.');
	}
	return list?.length ? list : undefined;
}

/** Rejects an entry that contains several words, separated by a comma, a semicolon or a space. */
export function checkWord(entry: string, place: Place): void {
	if (!/[\s,;]/.test(entry)) return;
	throw invalid(place, `has ${quoted(entry)}, which is more than one entry`, 'Enter one per line.');
}

/** Matches a host name that the service accepts (searchDomainSchema of its server). */
const DOMAIN =
	/^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d][a-z\d-]{0,61}[a-z\d]$/;

/**
 * Maximum number of domains or endings that the service accepts in a list (threatProtectionOverrideSchema of its
 * server).
 */
const MAX_DOMAINS = 1_000;

/** Returns domains in lower case and ASCII; each includes its subdomains. Throws for an invalid one. */
export function domains(entered: unknown, place: Place): string[] | undefined {
	return words(entered, place)?.map((entry) => {
		const bare = entry.replace(/^https?:\/\//i, '').replace(/^\*?\.|\/$/g, '');
		const host = /[/:?#@]/.test(bare) ? '' : (parsedUrl(`http://${bare}`)?.hostname ?? '');
		// A number alone would become an IP address.
		if (DOMAIN.test(host) && (host === bare || /[^\d.]/.test(host))) return host;
		throw invalid(
			place,
			`has ${quoted(entry)}, which is not a domain`,
			'Write it like example.com, without https:// and without a path.',
		);
	});
}

/** Returns domains like `domains`, except that one without a leading `*.` means only that host. */
export function hosts(entered: unknown, place: Place): string[] | undefined {
	const list = words(entered, place);
	checkCount(list?.length ?? 0, MAX_DOMAINS, 'entries', place, 'Remove the others.');
	return list?.map((entry) => {
		const [host] = domains([entry], place) ?? [];
		return entry.startsWith('*.') ? `*.${host}` : host!;
	});
}

/** Returns endings of domains, such as `zip`. Throws if one is invalid. */
export function endings(entered: unknown, place: Place): string[] | undefined {
	const list = words(entered, place);
	checkCount(list?.length ?? 0, MAX_DOMAINS, 'entries', place, 'Remove the others.');
	return list?.map((entry) => {
		const ending = entry.replace(/^\*?\./, '').toLowerCase();
		if (/^[a-z\d]{1,63}$/.test(ending)) return ending;
		const problem = `has ${quoted(entry)}, which is not the ending of a domain`;
		throw invalid(place, problem, 'Write it like zip.');
	});
}

/** Returns a short string, even if an expression has wrapped it in a list. */
export function shortText(entered: unknown): string {
	return [entered].flat().map(asText).join().trim();
}

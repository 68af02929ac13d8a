import type { INodePropertyOptions } from 'n8n-workflow';

import { beginningOf } from '../base/text';
import { invalid, quoted } from '../form/checks';
import { type Choice, choiceField, choicesField, loaded, optionsOf } from '../form/controls';
import type { Field, Place } from '../form/field';
import { keyOf, shortText, words } from '../form/values';
// Countries of ISO 3166-1, and languages of many pages (ISO 639-1), by their English names. Loading Intl for all forms
// would take longer than loading all nodes.
import names from './places.json';

/** Returns the choices for a record of codes and names, labelled with both, in the record's order. */
const named = (names: Record<string, string>): Choice[] =>
	Object.entries(names).map(([code, name]) => [code, `${name} (${code})`]);

/** Maximum length of a country's name, in characters. */
const LONGEST_NAME = 100;

/** Common names of countries that Unicode's lists of names don't have. */
const OTHER_NAMES: Record<string, string[]> = {
	US: ['US', 'USA', 'United States of America', 'America'],
	GB: ['UK', 'GBR', 'Great Britain', 'Britain', 'England', 'Großbritannien'],
	...{ DE: ['DEU', 'GER'], FR: ['FRA'], ES: ['ESP'], IT: ['ITA'], AT: ['AUT'], CH: ['CHE'] },
	...{ NL: ['NLD', 'Holland'], CA: ['CAN'], AU: ['AUS'], JP: ['JPN'], BR: ['Brasil'] },
	...{ AE: ['UAE'], TR: ['Turkey'], CZ: ['Czech Republic'], RU: ['Russian Federation'] },
	KR: ['Korea'],
};

/** Codes by the keys of their names in the languages above. */
const codesByName = new Map<'region' | 'language', Map<string, string>>();

/** Returns the code of a country or a language by its name in one of these languages; undefined for any other name. */
function codeOfName(type: 'region' | 'language', name: string): string | undefined {
	let codes = codesByName.get(type);
	if (codes === undefined) {
		codes = new Map();
		for (const language of ['en', ...LANGUAGES]) {
			const namesIn = new Intl.DisplayNames([language], { type });
			for (const code of type === 'region' ? Object.keys(names.countries) : LANGUAGES) {
				const key = keyOf(namesIn.of(code) ?? code);
				// Where two languages differ, the first one counts, and that is English.
				if (!codes.has(key)) codes.set(key, code);
			}
		}
		for (const [code, others] of Object.entries(type === 'region' ? OTHER_NAMES : {})) {
			for (const other of others) codes.set(keyOf(other), code);
		}
		codesByName.set(type, codes);
	}
	return codes.get(keyOf(name.replace(/^the\s/i, '')));
}

/** Languages without their countries; `zh-CN` is `zh`. */
const LANGUAGES = new Set(Object.keys(names.languages).map((language) => language.slice(0, 2)));

/** Whether a language, such as de, has a name. */
const isLanguage = (code: string): boolean =>
	new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) !== undefined;

/** A country's code, or a locale with one, such as de-DE, en_US or de_DE.UTF-8. */
const REGION = /^(?:([a-z]{2})[-_](?:[a-z]{4}[-_])?)?([a-z]{2})(?:\.[\w-]+)?$/i;

/**
 * Returns the country's code in such a string, the current one where it is outdated; undefined for any other string.
 */
function regionIn(text: string): string | undefined {
	const [, language, code] = REGION.exec(text) ?? [];
	if (code === undefined) return undefined;
	// The first part in capitals is a country, as in US-CA for California.
	if (language !== undefined && !LANGUAGES.has(language)) return undefined;
	// A language in place of a country, such as cs, which was also a country once.
	const isTongue = language === undefined && LANGUAGES.has(code.toLowerCase());
	if (isTongue && !(code.toUpperCase() in names.countries)) return undefined;
	const { region = '' } = new Intl.Locale(`und-${code}`);
	return region in names.countries || region === 'XK' ? region : undefined;
}

/** Returns an ISO 3166-1 country code for a code, a locale, or a country's name. Throws for anything else. */
export function countryCode(entered: unknown, place: Place): string | undefined {
	const text = shortText(entered);
	if (text === '') return undefined;
	const code = regionIn(text) ?? codeOfName('region', beginningOf(text, LONGEST_NAME));
	if (code !== undefined) return code;
	throw invalid(
		place,
		`is ${quoted(text)}, but must be a two-letter country code`,
		'Use the ISO 3166-1 code, e.g. US for the United States or DE for Germany.',
	);
}

/** Returns the tag of a language for a tag, such as en_US, or its name. Throws for anything else. */
export function languageTag(entered: string, place: Place): string {
	const text = beginningOf(entered, LONGEST_NAME);
	const [, tag] =
		/^([a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?)(?:\.[\w-]+)?$/i.exec(text) ?? [];
	// CH is a country, though ch is a language of few.
	const isCountry = text in names.countries && !LANGUAGES.has(text.toLowerCase());
	if (tag !== undefined && !isCountry) {
		const [canonical] = Intl.getCanonicalLocales(tag.replaceAll('_', '-'));
		if (isLanguage(canonical.split('-', 1)[0])) return canonical;
	}
	const code = codeOfName('language', text);
	if (code !== undefined) return code;
	throw invalid(
		place,
		`has ${quoted(entered)}, which is not a language`,
		'Use its code, e.g. en or de-AT.',
	);
}

/** Creates a dropdown of countries by name; an expression may return a code, a locale or a name. */
export const countryField = (description: string): Field<string> =>
	loaded(
		choiceField<string>('country', 'Country', {
			default: 'US',
			description,
			choices: named(names.countries),
			wire: { value: countryCode },
		}),
		'getCountries',
	);

/** Creates a multi-select of languages by name; an expression may return any language tags. */
export const languagesField = (description: string): Field =>
	loaded(
		choicesField('languages', 'Language', {
			description,
			choices: named(names.languages),
			wire: {
				value: (entered, place) => words(entered, place)?.map((one) => languageTag(one, place)),
			},
		}),
		'getLanguages',
	);

/**
 * Node methods that fill the dropdowns: copies of both lists in every form would make up a quarter of the total size of
 * the node descriptions.
 */
export const placeLists = {
	getCountries: async (): Promise<INodePropertyOptions[]> => optionsOf(named(names.countries)),
	getLanguages: async (): Promise<INodePropertyOptions[]> => optionsOf(named(names.languages)),
};

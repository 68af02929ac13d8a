import type { INodePropertyOptions } from 'n8n-workflow';

import { trimmed } from '../base/text';
import { asText, invalid, quoted } from '../form/checks';
import { type Choice, choiceField, choicesField, loaded, optionsOf } from '../form/controls';
import type { Field, Place } from '../form/field';
import { choicesIn } from '../form/values';
// Countries of ISO 3166-1, and languages of many pages (ISO 639-1), by their English names. Loading Intl for all forms
// would take longer than loading all nodes.
import names from './places.json';

/** Returns the choices for a record of codes and names, labelled with both, in the record's order. */
const named = (names: Record<string, string>): Choice[] =>
	Object.entries(names).map(([code, name]) => [code, `${name} (${code})`]);

/** Returns a country's two-letter code. Throws for anything else. */
function countryCode(entered: unknown, place: Place): string {
	const code = trimmed(asText(entered)).toUpperCase();
	if (/^[A-Z]{2}$/.test(code)) return code;
	throw invalid(
		place,
		`is ${quoted(entered)}, but must be a two-letter country code`,
		'Choose it from the list, or use the ISO 3166-1 code, e.g. DE for Germany.',
	);
}

/** Returns the tags of languages, e.g. `de-AT`. Throws for anything else. */
function languageTags(entered: unknown, place: Place): string[] {
	const list = choicesIn(entered).map(asText);
	const odd = list.find((one) => !/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(one));
	if (odd === undefined) return list;
	throw invalid(
		place,
		`has ${quoted(odd)}, which is not a language`,
		'Choose it from the list, or use its code, e.g. en or de-AT.',
	);
}

/** Creates a dropdown of countries by name; an expression may return a code or a name. */
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

/** Creates a multi-select of languages by name; an expression may return any tags. */
export const languagesField = (description: string): Field =>
	loaded(
		choicesField('languages', 'Language', {
			description,
			choices: named(names.languages),
			wire: {
				value: languageTags,
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

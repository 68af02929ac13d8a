import type { INodePropertyOptions } from 'n8n-workflow';

import { type Choice, choiceField, choicesField, loaded } from '../form/controls';
import type { Field } from '../form/field';
import { countryCode, words } from '../form/values';
// Countries of ISO 3166-1, and languages of many pages (ISO 639-1), by their English names. Loading Intl would take
// longer than loading all nodes.
import names from './places.json';

/** Returns the choices for a record of codes and names, labelled with both, in the record's order. */
const named = (names: Record<string, string>): Choice[] =>
	Object.entries(names).map(([code, name]) => [code, `${name} (${code})`]);

/** Creates a dropdown of countries by name; an expression may return any two-letter code. */
export const countryField = (description: string): Field<string> =>
	loaded(
		choiceField<string>('country', 'Country', {
			default: 'US',
			description,
			choices: named(names.countries),
			wire: { mayBeEmpty: true, value: countryCode },
		}),
		'getCountries',
	);

/** Creates a multi-select of languages by name; an expression may return any language tags. */
export const languagesField = (description: string): Field =>
	loaded(
		choicesField('languages', 'Language', {
			description,
			choices: named(names.languages),
			wire: { mayBeEmpty: true, value: words },
		}),
		'getLanguages',
	);

const optionsOf = (names: Record<string, string>): INodePropertyOptions[] =>
	named(names).map(([value, name]) => ({ name, value }));

/** Node methods that fill the dropdowns: a copy of both lists in each form would be a quarter of all descriptions. */
export const placeLists = {
	getCountries: async (): Promise<INodePropertyOptions[]> => optionsOf(names.countries),
	getLanguages: async (): Promise<INodePropertyOptions[]> => optionsOf(names.languages),
};

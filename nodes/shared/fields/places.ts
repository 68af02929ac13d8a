import { type Choice, choiceField, choicesField } from '../form/controls';
import type { Field } from '../form/field';
import { countryCode, words } from '../form/values';
// Countries of ISO 3166-1, and languages of many pages (ISO 639-1), by their English names. Intl would take longer than all nodes.
import names from './places.json';

/** Names codes, with the code beside the name, in the names' order. */
const named = (names: Record<string, string>): Choice[] =>
	Object.entries(names).map(([code, name]) => [code, `${name} (${code})`]);

/** Chooses a country by its name; an expression gives any two-letter code. */
export const countryField = (description: string): Field<string> =>
	choiceField<string>('country', 'Country', {
		default: 'US',
		description,
		choices: named(names.countries),
		wire: { mayBeEmpty: true, value: countryCode },
	});

/** Chooses languages by their names; an expression gives any language tags. */
export const languagesField = (description: string): Field =>
	choicesField('languages', 'Languages', {
		description,
		choices: named(names.languages),
		wire: { mayBeEmpty: true, value: words },
	});

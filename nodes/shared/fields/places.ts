import { type Choice, choiceField, choicesField } from '../form/controls';
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
	choiceField<string>('country', 'Country', {
		default: 'US',
		description,
		choices: named(names.countries),
		wire: { mayBeEmpty: true, value: countryCode },
	});

/** Creates a multi-select of languages by name; an expression may return any language tags. */
export const languagesField = (description: string): Field =>
	choicesField('languages', 'Languages', {
		description,
		choices: named(names.languages),
		wire: { mayBeEmpty: true, value: words },
	});

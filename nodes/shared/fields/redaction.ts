import { composeCollection } from '../form/form';
import { booleanField, choiceField, choicesField, collectionField } from '../form/controls';
import type { Field } from '../form/field';
import { hasContent } from '../base/json';
import { PRICES, credits } from './prices';

export const redactPii = booleanField('redactPII', 'Redact Personal Data', {
	description: `Whether to remove personal data; ${credits(PRICES.redaction, 'more ')} per page, in a PDF for each of its pages. Newer services only.`,
});

/** Details of redaction, sent in place of a plain `true`. */
export const redactionOptions: Field = collectionField('redactionOptions', 'Redaction Options', {
	placeholder: 'Add Redaction Option',
	description: 'Turns redaction on. Newer services only.',
	options: [
		choicesField('entities', 'Kinds of Data', {
			description: 'By default, all of these',
			choices: [
				['EMAIL', 'Email Addresses'],
				['FINANCIAL', 'Financial Data'],
				['LOCATION', 'Locations'],
				['PERSON', 'People'],
				['PHONE', 'Phone Numbers'],
				['SECRET', 'Secrets'],
			],
			wire: { open: true },
		}),
		choiceField('mode', 'Mode', {
			default: 'accurate',
			choices: [
				['accurate', 'Accurate', 'AI only; few false alarms'],
				['aggressive', 'Aggressive', 'AI and rules; misses the least'],
				['fast', 'Fast', 'Rules only'],
			],
		}),
		choiceField('replaceStyle', 'Replace With', {
			description: 'What to put in place of personal data',
			default: 'tag',
			choices: [
				['tag', 'A Tag', 'Such as EMAIL in angle brackets'],
				['mask', 'Asterisks'],
				['remove', 'Nothing'],
			],
			wire: { mayBeEmpty: true },
		}),
	],
	displayOptions: { hide: { redactPII: [false] } },
	wire: {
		as: 'redactPII',
		// If no detail is set, e.g. because expressions returned nothing, a plain `true` is sent.
		value: (entered, place) => {
			const chosen = composeCollection(redactionOptions, entered, place);
			return hasContent(chosen) ? chosen : true;
		},
	},
});

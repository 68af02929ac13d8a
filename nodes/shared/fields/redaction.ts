import { composeCollection } from '../form/compose';
import { booleanField, choiceField, choicesField, collectionField } from '../form/controls';
import type { Field } from '../form/field';
import { hasContent } from '../json';

export const redactPii = booleanField('redactPII', 'Redact Personal Data', {
	default: true,
	description:
		'Whether to remove personal data from the markdown; 4 more credits per page. Newer services only.',
});

/** Sets the details of redaction, sent instead of the plain yes. */
export const redactionOptions: Field = collectionField('redactionOptions', 'Redaction Options', {
	placeholder: 'Add Redaction Option',
	description: 'How to redact personal data; turns redaction on. Newer services only.',
	options: [
		choicesField('entities', 'Kinds of Data', {
			description: 'What to redact. By default, all of these.',
			options: [
				{ name: 'Email Addresses', value: 'EMAIL' },
				{ name: 'Financial Data', value: 'FINANCIAL' },
				{ name: 'Locations', value: 'LOCATION' },
				{ name: 'People', value: 'PERSON' },
				{ name: 'Phone Numbers', value: 'PHONE' },
				{ name: 'Secrets', value: 'SECRET' },
			],
			wire: { open: true },
		}),
		choiceField('mode', 'Mode', {
			default: 'accurate',
			description: 'How to find personal data',
			options: [
				{ name: 'Accurate', value: 'accurate', description: 'AI only; few false alarms' },
				{ name: 'Aggressive', value: 'aggressive', description: 'AI and rules; misses the least' },
				{ name: 'Fast', value: 'fast', description: 'Rules only' },
			],
		}),
		choiceField('replaceStyle', 'Replace With', {
			default: 'tag',
			description: 'What to put in place of personal data',
			options: [
				{ name: 'A Tag', value: 'tag', description: 'Such as EMAIL in angle brackets' },
				{ name: 'Asterisks', value: 'mask' },
				{ name: 'Nothing', value: 'remove' },
			],
			wire: { mayBeEmpty: true },
		}),
	],
	displayOptions: { hide: { redactPII: [false] } },
	wire: {
		as: 'redactPII',
		// If nothing of it is set, e.g. because expressions gave nothing, it is the plain yes.
		value: (entered, place) => {
			const chosen = composeCollection(redactionOptions, entered, place);
			return hasContent(chosen) ? chosen : true;
		},
	},
});

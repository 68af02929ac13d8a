import { headersField, pairsField } from '../form/controls';
import type { Field } from '../form/field';
import { url } from '../form/values';

export const webhook: Field = {
	displayName: 'Webhook',
	name: 'webhook',
	type: 'collection',
	default: {},
	placeholder: 'Add Webhook Option',
	description: 'A URL the service calls while it works, e.g. that of a Webhook node',
	options: [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/webhook/crawl',
			description: 'Where to send the reports',
			wire: { value: url, required: true },
		},
		{
			displayName: 'Events',
			name: 'events',
			type: 'multiOptions',
			default: ['completed'],
			description: 'Which events to report. By default, all of them.',
			options: [
				{ name: 'Completed', value: 'completed' },
				{ name: 'Failed', value: 'failed' },
				{ name: 'Page', value: 'page' },
				{ name: 'Started', value: 'started' },
			],
		},
		headersField({
			displayName: 'Headers',
			name: 'headers',
			description: 'Sent with each report',
			example: ['X-Token', 'a-shared-secret'],
			addText: 'Add Header',
		}),
		pairsField({
			displayName: 'Metadata',
			name: 'metadata',
			description: 'Returned with each report',
			example: ['customer', '4711'],
			addText: 'Add Entry',
		}),
	],
};

import {
	choicesField,
	collectionField,
	headersField,
	pairsField,
	textField,
} from '../form/controls';
import { url } from '../form/urls';

export const webhook = collectionField('webhook', 'Webhook', {
	placeholder: 'Add Webhook Option',
	description: 'A URL the service calls while it works, e.g. that of a Webhook node',
	options: [
		textField('url', 'URL', {
			placeholder: 'e.g. https://example.com/webhook/crawl',
			description: 'Where to send the reports',
			wire: { value: url, required: true },
		}),
		choicesField('events', 'Events', {
			default: ['completed'],
			description: 'Which events to report. By default, all of them.',
			choices: [
				['completed', 'Completed'],
				['failed', 'Failed'],
				['page', 'Page'],
				['started', 'Started'],
			],
		}),
		headersField('headers', 'Headers', {
			description: 'Sent with each report',
			example: ['X-Token', 'a-shared-secret'],
			addText: 'Add Header',
		}),
		pairsField('metadata', 'Metadata', {
			description: 'Returned with each report',
			example: ['customer', '4711'],
			addText: 'Add Entry',
		}),
	],
});

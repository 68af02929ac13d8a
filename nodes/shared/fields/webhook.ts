import type { IDataObject } from 'n8n-workflow';

import { below, invalid } from '../form/checks';
import {
	type Choice,
	type Rest,
	choicesField,
	collectionField,
	headersField,
	pairsField,
	textField,
} from '../form/controls';
import type { Field, Place } from '../form/field';
import { url } from '../form/urls';
import { isObject } from '../base/json';
import { textOf } from '../base/text';

const ENDS: Choice[] = [
	['completed', 'Completed'],
	['failed', 'Failed'],
];

/** Creates the options for a webhook. The first of its events are the endings, which all jobs have. */
function webhookField(description: string, events: Choice[], rest: Partial<Rest> = {}): Field {
	return collectionField('webhook', 'Webhook', {
		placeholder: 'Add Webhook Option',
		description,
		options: [
			textField('url', 'URL', {
				placeholder: 'e.g. {{ $execution.resumeUrl }}',
				description:
					'Where to send the reports. {{ $execution.resumeUrl }} resumes this workflow at its next Wait node: choose the Events Completed and Failed for it.',
				wire: { value: url, required: true },
			}),
			choicesField('events', 'Events', {
				default: events.slice(0, ENDS.length).map(([event]) => event),
				description: 'By default, all of them',
				choices: events,
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
		wire: { check: checkResume },
		...rest,
	});
}

/** Throws if a Wait node's URL gets events before the job's end, since the first one would resume the workflow. */
function checkResume({ webhook }: IDataObject, place: Place): void {
	if (!isObject(webhook) || !textOf(webhook.url).includes('/webhook-waiting/')) return;
	const events = [webhook.events ?? []].flat();
	const isEnd = (event: unknown) => ['completed', 'failed', 'cancelled'].includes(event as string);
	if (events.length > 0 && events.every(isEnd)) return;
	throw invalid(
		below(place, 'Events'),
		'would resume the workflow before the job has ended',
		'URL is that of a Wait node. Choose Completed and Failed here, and nothing else.',
	);
}

const WHERE = 'A URL the service calls, e.g. of a Webhook node';

const NEWER = `${WHERE}. Newer services only.`;

export const webhook = webhookField(WHERE, [...ENDS, ['page', 'Page'], ['started', 'Started']]);

export const agentWebhook = webhookField(NEWER, [
	...ENDS,
	['cancelled', 'Cancelled'],
	['action', 'Action', 'Each step of the agent'],
	['started', 'Started'],
]);

export const monitorWebhook = webhookField(
	'A URL the service calls after each check, e.g. of a Webhook node',
	[
		['monitor.check.completed', 'Check Completed', 'With its counts'],
		['monitor.page', 'Page', 'Each page that was checked, with its changes'],
	],
	{ wire: {} },
);

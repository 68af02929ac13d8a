import type { IDataObject } from 'n8n-workflow';

import { invalid } from '../form/checks';
import { parsedObject } from '../form/json';
import {
	booleanField,
	choiceField,
	collectionField,
	jsonField,
	wholeNumberField,
} from '../form/controls';
import type { Field, Place } from '../form/field';
import { isObject } from '../base/json';

/** Default limit, in characters, for each string that a node returns to an AI agent. */
export const TOOL_TEXT_LENGTH = 20_000;

export const maxConcurrent = wholeNumberField('maxConcurrent', 'Max Concurrent Requests', {
	maxValue: 500,
	default: 500,
	description:
		'Most requests at once. Nodes with one API key share about 500, or fewer if the service is overloaded.',
	wire: { mayBeEmpty: true, in: 'settings' },
});

export const maxWait = wholeNumberField('maxWait', 'Rate Limit Wait (Seconds)', {
	minValue: 0,
	maxValue: 86400,
	default: 300,
	description: 'How long a request may wait for the rate limit; a longer wait fails at once',
	wire: { mayBeEmpty: true, in: 'settings', unitMs: 1_000 },
});

export const maxTextLength = wholeNumberField('maxTextLength', 'Shorten Texts To (Characters)', {
	minValue: 0,
	default: 20000,
	description:
		'Cuts longer texts to this, such as 2000 in Notion or 50000 in a cell of Google Sheets; 0 never cuts. By default, only tools of an AI agent cut texts, at 20000.',
	wire: { mayBeEmpty: true, in: 'settings' },
});

/** Default limit of a tool's response, in characters. */
export const TOOL_RESPONSE_LENGTH = 60_000;

/** Limit for a tool's single response to a model, in characters. */
export const maxResponseLength: Field<number> = wholeNumberField(
	'maxResponseLength',
	'Max Response Length (Characters)',
	{
		default: TOOL_RESPONSE_LENGTH,
		minValue: 1000,
		description:
			'Texts and lists are shortened to fit, then whole results left out; the model is told. The default is 60000.',
		displayOptions: { show: { '@tool': [true] } },
		wire: { mayBeEmpty: true, in: 'settings' },
	},
);

/** The choice between all results and Limit, worded as in n8n's own nodes. */
export const returnAllField = booleanField('returnAll', 'Return All', {
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	wire: { in: 'settings', always: true },
});

/** Maximum number of results if not all are wanted; the setting `limit`. */
export const limitField = wholeNumberField('limit', 'Limit', {
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
	wire: { in: 'settings', always: true },
});

/** Switch for splitting the response of an operation that returns a list. */
export const splitIntoItems = booleanField('splitIntoItems', 'Split Into Items', {
	description: 'Whether each result is an item. When off, the whole response is one.',
	wire: { mayBeEmpty: true, in: 'settings' },
});

/** Switch for keeping the fields of the input item, named as in n8n's own nodes. */
export const includeOtherFields = booleanField('includeOtherFields', 'Include Other Input Fields', {
	description: "Whether to keep the input item's fields, unless the node has one of that name",
	// The fields of a tool's item are the model's.
	displayOptions: { show: { '@tool': [false] } },
	wire: { in: 'settings' },
});

/** Switch for saving linked and embedded files with the item, because the links expire. */
export const downloadFiles = booleanField('downloadFiles', 'Download Files', {
	description:
		'Whether to save screenshots, audio, video and PDFs, but no list of videos. Screenshot links expire after 24 hours, audio and video links after 1 hour.',
	wire: { mayBeEmpty: true, in: 'settings' },
});

/**
 * What happens to a page that its site rejected, that couldn't be scraped, or that has no content. By default, it is an
 * error if there is an error branch.
 */
export const failedPages = choiceField<'auto' | 'items' | 'errors'>('failedPages', 'Failed Pages', {
	default: 'errors',
	description:
		'What to do with pages that were not scraped, have status 400 or above, or no content',
	choices: [
		['auto', 'Automatic', 'Errors if there is an error branch, otherwise items (default)'],
		['items', 'Return as Items', 'Each with its pageError'],
		['errors', 'Treat as Errors', 'They fail, and keep their content in error.data'],
	],
	wire: { in: 'settings', check: checkSplit },
});

function checkSplit(
	{ failedPages: choice, splitIntoItems: isSplit }: IDataObject,
	place: Place,
): void {
	if (choice !== 'errors' || isSplit !== false) return;
	const problem = `is Treat as Errors, but ${splitIntoItems.displayName} is off`;
	throw invalid(place, problem, 'One item does not fail because of a page: change one of the two.');
}

/** Fields that this form doesn't have yet. They are merged into the body last, and aren't checked here. */
export const additionalBodyFields = jsonField(
	'additionalBodyFields',
	'Additional Body Fields (JSON)',
	{
		typeOptions: { rows: 3 },
		default: '{}',
		placeholder: 'e.g. { "newField": true }',
		description: 'Added to the request body, unchecked: fields that this form lacks',
		wire: {
			value: parsedObject,
			last: true,
			put: (target, value) => merge(target, value as IDataObject),
		},
	},
);

/**
 * Deep-merges plain objects; arrays and other values replace what was there. Objects in the target are copied before
 * they are written to, because other items and nodes may share those that an expression returned.
 */
export function merge(target: IDataObject, source: IDataObject): void {
	for (const [key, value] of Object.entries(source)) {
		// Assigning to __proto__ would change the prototype of the body instead of adding a field.
		if (key === '__proto__') continue;
		const before = target[key];
		if (isObject(value) && isObject(before)) {
			const merged = { ...before };
			merge(merged, value);
			target[key] = merged;
		} else target[key] = value;
	}
}

/** Creates the collection "Options", whose children are sent as if they were outside of it. */
export function optionsCollection(options: Field[]): Field {
	return collectionField('options', 'Options', { options, wire: { spread: true, always: true } });
}

/** Creates the "Options" of an operation: its own first, then those that all operations share. */
export function optionsField(own: Field[], method: 'GET' | 'POST' | 'PATCH' | 'DELETE'): Field {
	return optionsCollection([
		...own,
		...(['POST', 'PATCH'].includes(method) ? [additionalBodyFields] : []),
		maxTextLength,
		maxResponseLength,
		maxConcurrent,
		maxWait,
	]);
}

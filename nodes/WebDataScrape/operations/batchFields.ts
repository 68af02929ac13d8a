import type { Field } from '../../shared/form/field';
import { formatFields } from '../../shared/fields/formats';
import { scrapeOptionFields, scrapeOptionsField } from '../../shared/fields/scrapeOptions';
import { webhook } from '../../shared/fields/webhook';
import { lines, linesField, wholeNumber } from '../../shared/form/values';

/** The pages of an item. */
export const urlList = linesField({
	displayName: 'URLs',
	name: 'urls',
	required: true,
	example: 'https://example.com/article',
	description: 'The pages to scrape; each costs credits',
	hint: 'One per line, or an expression that gives one or an array, e.g. the URL of a row',
	wire: { value: lines },
}) as Field<string[]>;

/** Whether all items of a node run share a job. */
export const oneJobFor: Field<'all' | 'item'> = {
	displayName: 'One Job For',
	name: 'oneJobFor',
	type: 'options',
	default: 'all',
	description: 'Whether the URLs of all items are scraped in one job, or each item has its own',
	options: [
		{
			name: 'All Items',
			value: 'all',
			description: 'Items with the same settings share a job; each gets its own pages back',
		},
		{ name: 'Each Item', value: 'item' },
	],
	wire: { in: 'settings', always: true },
};

const ignoreInvalidURLs: Field<boolean> = {
	displayName: 'Skip Invalid URLs',
	name: 'ignoreInvalidURLs',
	type: 'boolean',
	default: true,
	description:
		'Whether URLs that the service does not take are left out of the job, and said to be invalid in the output. When off, one of them fails the whole job.',
	// Services differ in what they do without it.
	wire: { always: true },
};

/** What starting a batch takes, in the order people need it. */
export const batchFields: Field[] = [
	urlList,
	oneJobFor,
	...formatFields('formats'),
	{ ...scrapeOptionsField(scrapeOptionFields, 'How each page is scraped'), wire: { spread: true } },
	ignoreInvalidURLs,
];

/** The settings of a batch that have a default at the service. */
export const batchSettings: Field[] = [
	wholeNumber({
		displayName: 'Max Concurrency',
		name: 'maxConcurrency',
		default: 5,
		minValue: 1,
		description: 'Pages the service scrapes at once, at most',
	}),
	webhook,
	{
		displayName: 'Zero Data Retention',
		name: 'zeroDataRetention',
		type: 'boolean',
		default: false,
		description: 'Whether the service keeps nothing of the batch; must be enabled for your team',
	},
];

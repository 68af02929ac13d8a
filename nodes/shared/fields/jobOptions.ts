import { choiceField, wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import { downloadFiles, failedPages, splitIntoItems } from './options';

export const maxConcurrency = wholeNumberField('maxConcurrency', 'Max Concurrency', {
	default: 5,
	minValue: 1,
	description: 'Maximum number of pages to scrape at the same time',
	wire: { mayBeEmpty: true },
});

/** The choice between pages as items and files containing many pages. */
export const pagesAs = choiceField<'items' | 'files'>('pagesAs', 'Return Pages As', {
	default: 'files',
	description: 'How to return the pages. Files keep a large job out of memory.',
	choices: [
		['files', 'JSON Files', 'JSON files of up to 10 MB, an item each'],
		['items', 'Items', 'An item per page (default)'],
	],
	wire: { in: 'settings' },
});

/** Maximum time to wait for a job, in minutes; only in operations that wait. */
export const maxWaitMinutes = wholeNumberField('maxWaitMinutes', 'Max Wait for Result (Minutes)', {
	minValue: 1,
	maxValue: 1440,
	default: 30,
	description:
		'How long to wait for the job. After that the item fails with the job ID; the job keeps running and can be fetched later.',
	wire: { mayBeEmpty: true, in: 'settings' },
});

export const ifRunning = choiceField<'soFar' | 'wait'>('ifRunning', 'If Still Running', {
	default: 'wait',
	description: 'What to do with a job that is still running',
	choices: [
		['soFar', 'Return Available Pages', 'Without waiting (default)'],
		['wait', 'Wait Until It Ends'],
	],
	wire: { in: 'settings' },
});

export const ifPartFails = choiceField<'fail' | 'return'>(
	'ifPartFails',
	'If Part of the Result Is Missing',
	{
		default: 'return',
		description:
			'Large jobs come in chunks of 10 MB. A later one may not arrive, even after retries.',
		choices: [
			['fail', 'Fail', 'This is the default'],
			['return', 'Return Available Pages', 'Each with a warning that says what is missing'],
		],
		wire: { in: 'settings' },
	},
);

/** The settings of every operation that returns the pages of a job. */
export const pageSettings: Field[] = [
	pagesAs,
	ifPartFails,
	downloadFiles,
	failedPages,
	splitIntoItems,
];

import { choiceField, wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import { downloadFiles, failedPages, splitIntoItems } from './options';

export const maxConcurrency = wholeNumberField('maxConcurrency', 'Max Concurrency', {
	default: 5,
	description: 'Most pages to scrape at once',
	wire: { mayBeEmpty: true },
});

/** The choice between pages as items and files containing many pages. */
export const pagesAs = choiceField<'items' | 'files'>('pagesAs', 'Return Pages As', {
	default: 'files',
	description: 'Files keep a large job out of memory',
	choices: [
		['files', 'JSON Files', 'JSON files of up to 10 MB, an item each'],
		['items', 'Items', 'An item per page (default)'],
	],
	wire: { in: 'settings' },
});

/** Maximum time to wait for a job, in minutes; only in operations that wait. */
export const maxWaitMinutes = wholeNumberField('maxWaitMinutes', 'Max Wait for Result (Minutes)', {
	maxValue: 1440,
	default: 30,
	description: 'After this, the item fails with the job ID; the job runs on, to be fetched later',
	wire: { mayBeEmpty: true, in: 'settings' },
});

export const ifRunning = choiceField<'soFar' | 'wait'>('ifRunning', 'If Still Running', {
	description: 'What to do with a running job',
	default: 'wait',
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
			['return', 'Return Available Pages', 'With a warning of what is missing'],
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

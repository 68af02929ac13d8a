import { crawlIdOf } from '../shared/fields/jobLocator';
import { limitField, optionsCollection, returnAllField } from '../shared/fields/options';
import { pagesAs } from '../shared/fields/jobOptions';
import { fieldsToReturnOf, pageShape } from '../shared/fields/shapes';
import { booleanField, choiceField, choicesField, textField } from '../shared/form/controls';
import { type Field, type Place, shownFor } from '../shared/form/field';
import { lines } from '../shared/form/values';
import { keyOf } from './crawlWatch';
import type { CrawlEvent } from './crawlWatch';

export const watch = choiceField<'any' | 'specific'>('watch', 'Watch', {
	default: 'any',
	choices: [
		['any', 'Any Crawl of the Team', 'Every crawl of the team behind the API key'],
		['specific', 'Specific Crawls', 'Those you name; one that has ended fires at once'],
	],
	wire: { in: 'settings' },
});

export const urlPattern = textField<string[] | ''>('urlPattern', 'URL Pattern', {
	typeOptions: { rows: 2 },
	placeholder: 'e.g. https://docs.example.com/*',
	description:
		'Only crawls with a matching URL: a part of it, or, with * for any text, the whole. One per line; empty watches every crawl.',
	displayOptions: { show: { '/watch': ['any'] } },
	wire: { in: 'settings', value: lines },
});

export const crawls = textField<string[]>('crawls', 'Crawls', {
	typeOptions: { rows: 3 },
	required: true,
	placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
	description: 'The ID or status URL of each crawl, one per line, or an array',
	displayOptions: { show: { watch: ['specific'] } },
	wire: { in: 'settings', value: crawlIds },
});

function crawlIds(entered: unknown, place: Place): string[] {
	const ids = lines(entered, place).map((entry) => crawlIdOf(entry, place));
	return [...new Map(ids.map((id) => [keyOf(id), id])).values()];
}

export const events = choicesField<CrawlEvent[]>('events', 'Events', {
	required: true,
	default: ['completed', 'failed'],
	description: 'Which outcomes of a crawl start the workflow',
	choices: [
		['completed', 'Crawl Completed', 'The crawl has finished', 'When a crawl has finished'],
		['failed', 'Crawl Failed', 'The crawl has failed', 'When a crawl has failed'],
		[
			'other',
			'Other End State',
			'Such as a cancelled one',
			'When a crawl was cancelled or ended otherwise',
		],
	],
	wire: { in: 'settings', always: true },
});

export const output = choiceField<'status' | 'pages'>('output', 'Output', {
	default: 'status',
	choices: [
		['status', 'Status Only', 'One item per crawl, with counts, credits and dates'],
		['pages', 'Pages', 'One item per page, with the status in "crawl"'],
	],
	wire: { in: 'settings' },
});

const withPages = { output: ['pages'] };

export const returnAll = shownFor(withPages, {
	...returnAllField,
	default: true,
});

export const limit = shownFor(withPages, {
	...limitField,
	hint: 'Counted for each crawl',
});

export const oneCrawlPerExecution = booleanField(
	'oneCrawlPerExecution',
	'One Crawl per Execution',
	{
		default: false,
		description:
			'Whether an execution gets one crawl only: of several that end between two polls, each poll then emits one',
		wire: { in: 'settings' },
	},
);

const withPagesOption = { '/output': withPages.output };

const options = optionsCollection([
	urlPattern,
	shownFor(withPagesOption, pagesAs),
	shownFor(withPagesOption, fieldsToReturnOf(pageShape)),
	oneCrawlPerExecution,
]);

export const fields: Field[] = [watch, crawls, events, output, returnAll, limit, options];

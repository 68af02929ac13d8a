import type { INodeProperties } from 'n8n-workflow';

import { actionsField } from '../shared/fields/actions';
import { mapFields } from '../shared/fields/map';
import { additionalBodyFields, optionsCollection } from '../shared/fields/options';
import { includeRunDetails as runDetails } from '../shared/fields/shapes';
import { schemaFields } from '../shared/fields/schema';
import { inBody, scrapeOptionsField, visitOptions, waitFor } from '../shared/fields/scrapeOptions';
import { excludeTags, includeTags } from '../shared/fields/tags';
import {
	booleanField,
	choiceField,
	linesField,
	textField,
	timeField,
	wholeNumberField,
} from '../shared/form/controls';
import { type Field, shownFor } from '../shared/form/field';
import { oneUrl, urls as urlsIn } from '../shared/form/urls';
import { lines } from '../shared/form/values';
import { costNotices, costText } from '../shared/trigger/cost';
import { PRICES, credits } from '../shared/fields/prices';
import { ignoreTracking } from '../shared/trigger/tracking';

/** Maximum number of pages per trigger; each poll has to get through all of them. */
export const MAX_PAGES = 50;

export const urls = linesField('urls', 'URLs', {
	required: true,
	example: 'https://example.com/pricing',
	description: `At most ${MAX_PAGES}. A poll reads as many as your rate limit allows, the next ones the others.`,
	wire: { in: 'settings', value: (entered, place) => urlsIn(entered, place) },
}) as Field<string[]>;

/** What starts the workflow; n8n's node panel makes its entries of it. */
export const triggerOn = choiceField<'content' | 'tags' | 'fields' | 'failed' | 'site'>(
	'triggerOn',
	'Trigger On',
	{
		default: 'content',
		description: 'What starts the workflow; the field "event" says what it was',
		choices: [
			[
				'content',
				'Page Changed',
				'Its text, without headers, navigation and footers',
				'When a page has changed',
			],
			[
				'tags',
				'Part of a Page Changed',
				'The text of certain tags, classes or IDs',
				'When a part of a page has changed',
			],
			[
				'fields',
				'Data on a Page Changed',
				'Fields that AI finds, such as prices; costs more credits',
				'When data on a page has changed',
			],
			[
				'failed',
				'Page Failed',
				'It is gone, blocked, empty or too slow',
				"When a page can't be read",
			],
			[
				'site',
				'New Pages of a Site',
				'Addresses that it did not have before',
				'When a site has new pages',
			],
		],
		wire: { in: 'settings' },
	},
);

/** Returns a function that makes a copy of a field that is shown if one of these events starts the workflow. */
const on =
	(...events: string[]) =>
	<Shown extends Pick<INodeProperties, 'displayOptions'>>(field: Shown) =>
		shownFor({ '/triggerOn': events }, field);

const tags: Field = {
	...includeTags,
	displayName: 'Tags',
	name: 'tags',
	required: true,
	placeholder: 'e.g. .price',
	description: 'The HTML tags, classes or IDs to watch',
	wire: { as: 'includeTags', value: lines },
};

export const schema = schemaFields('schema', 'Schema', {
	description: 'Your fields, a ready-made list, or an example. May stay empty with Prompt.',
	wire: { as: 'json.schema' },
});

const prompt = textField('prompt', 'Prompt', {
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Extract the name and price of each plan',
	description: 'What to extract, in your own words',
	wire: { as: 'json.prompt' },
});

export const ignoreFailures = booleanField('ignoreFailures', 'Ignore Failed Pages', {
	description: 'Whether a page that can no longer be read does not start the workflow',
	wire: { in: 'settings' },
});

export const ignoreLines = linesField('ignoreLines', 'Ignore Lines', {
	example: '*visitors today',
	description:
		'Lines to ignore, such as dates and counters: a part of the line, or, with * for any text, the whole',
	hint: 'One per line; not case-sensitive',
	wire: { in: 'settings' },
}) as Field<string[] | ''>;

export const leastChange = wholeNumberField('leastChange', 'Ignore Changes Below (Characters)', {
	default: 1,
	description:
		'Smaller changes do not start the workflow, but add up: what counts is the difference from what was emitted last',
	wire: { in: 'settings' },
});

export const failuresNeeded = wholeNumberField('failuresNeeded', 'Failed After (Polls)', {
	default: 2,
	maxValue: 100,
	description: 'Polls in a row that must fail before a page counts as failed',
	wire: { in: 'settings' },
});

export const failedTexts = linesField('failedTexts', 'Treat as Failed If It Contains', {
	example: 'Verify you are human',
	description:
		'Text that shows a page is not the real content, such as a bot check: it then counts as failed, not as changed',
	wire: { in: 'settings' },
}) as Field<string[] | ''>;

export const timeout = timeField('timeout', 'Timeout', 'Seconds', {
	default: 30,
	maxValue: 300,
	description: 'How long to try to read a page; 30 unless set. A poll may have less time.',
	wire: { mayBeEmpty: true, in: 'settings' },
});

const pathsField = (name: string, displayName: string, description: string) =>
	linesField(name, displayName, {
		description: `${description}, and all below them`,
		example: '/blog',
		hint: 'A path such as /blog; * stands for any text; one per line',
		wire: { in: 'settings' },
	}) as Field<string[] | ''>;

export const includePaths = pathsField('includePaths', 'Include Paths', 'Only these paths');
export const excludePaths = pathsField('excludePaths', 'Exclude Paths', 'Not these paths');

export const output = choiceField<'addresses' | 'pages'>('output', 'Output', {
	default: 'addresses',
	description: 'What to emit of a new page',
	choices: [
		['addresses', 'Addresses', 'The address, with title and description if known'],
		[
			'pages',
			'Pages',
			`Content too: usually ${credits(PRICES.page)} for each new page, ${PRICES.xPage} on X (Twitter)`,
		],
	],
	wire: { in: 'settings' },
});

const site = textField('url', 'Site URL', {
	required: true,
	placeholder: 'e.g. https://example.com/blog',
	description: 'The site to watch, or a part of it',
	wire: {
		value: (entered, place) =>
			oneUrl(entered, place, 'Enter one URL; other sites need a trigger of their own.'),
	},
});

const inMap = ({ wire, ...field }: Field) => ({
	...field,
	...(field.name === 'limit' && {
		default: 100000,
		description:
			'Max number of results to return. Without Search, a poll that lists so many fails: some may be missing.',
	}),
	wire: { ...wire, as: `map.${field.name}` },
});

const onChange = on('content', 'tags', 'fields');
const onPage = on('content', 'tags', 'fields', 'failed');
const onSite = on('site');

export const includeRunDetails: Field<boolean> = {
	...runDetails,
	description: 'Whether items have a field "run" with the diff, its size, and both hashes',
	displayOptions: undefined,
};

const readingOptions = [
	failuresNeeded,
	failedTexts,
	excludeTags,
	actionsField,
	waitFor,
	timeout,
	...visitOptions,
];

const scrapeOptions = shownFor(
	{ '/triggerOn': ['site'], '/output': ['pages'] },
	inBody(scrapeOptionsField(readingOptions, 'How to read new pages')),
);

export const options = optionsCollection([
	...[excludePaths, ...mapFields.map(inMap), ignoreTracking].map(onSite),
	scrapeOptions,
	...[ignoreFailures, ignoreLines, leastChange, includeRunDetails].map(onChange),
	...readingOptions.map(onPage),
	additionalBodyFields,
]);

export const fields: Field[] = [
	triggerOn,
	onPage(urls),
	on('tags')(tags),
	...[...schema, prompt].map(on('fields')),
	...[inMap(site), includePaths, output].map(onSite),
	options,
];

/** Returns notices about the cost of polling, with `more` credits for the formats of each page. */
const pageCosts = (more: number, prefix: string) =>
	costNotices((polls) => {
		const page = PRICES.page + more;
		const price = `Each poll scrapes every page afresh, usually billed at ${credits(page)} per page, ${PRICES.xPage + more} on X (Twitter).`;
		return polls === undefined
			? `${price} Polls a day = 1,440 ÷ minutes between polls: every 15 minutes is ${credits(96 * page)} a day per page.`
			: `${price} At these Poll Times: ${costText(page, polls)} per page.`;
	}, prefix);

const siteCosts = costNotices((polls) => {
	const price = `Each poll lists the site for ${credits(PRICES.map)}. With Output Pages: ${PRICES.page} more per new page.`;
	return polls === undefined
		? `${price} Polls a day = 1,440 ÷ minutes between polls: every 15 minutes is ${credits(96 * PRICES.map)} a day.`
		: `${price} At these Poll Times: ${costText(PRICES.map, polls)}, new pages aside.`;
}, 'siteCost');

export const costs: INodeProperties[] = [
	...pageCosts(0, 'cost').map(on('content', 'tags', 'failed')),
	...pageCosts(PRICES.aiFormat, 'dataCost').map(on('fields')),
	...siteCosts.map(onSite),
];

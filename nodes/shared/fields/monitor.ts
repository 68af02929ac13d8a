import type { IDataObject } from 'n8n-workflow';

import { isObject, without } from '../base/json';
import { checkedChoice, invalid } from '../form/checks';
import {
	booleanField,
	choiceField,
	collectionField,
	linesField,
	textField,
	wholeNumberField,
} from '../form/controls';
import { type Field, type Place, childrenOf, shownFor } from '../form/field';
import type { Form } from '../form/form';
import { url, urls as urlsIn } from '../form/urls';
import { linesUpTo } from '../form/values';
import { excludePaths, includePaths, manners, pages } from './crawlOptions';
import { AI_FORMAT_PRICE, PRICES, credits } from './prices';
import { schemaFields } from './schema';
import {
	addedTo,
	maxAge,
	onlyMainContent,
	scrapeOptionsField,
	timeout,
	visitOptions,
	waitFor,
} from './scrapeOptions';
import { excludeDomains, includeDomains } from './search/fields';
import { excludeTags, includeTags } from './tags';

const watch = choiceField<'scrape' | 'crawl' | 'search'>('watch', 'Watch', {
	default: 'scrape',
	choices: [
		['scrape', 'Pages', 'Whether these pages change'],
		['crawl', 'Site', 'Which pages of a site are new, changed or gone'],
		['search', 'Search', 'What a search of the web newly finds'],
	],
	wire: { in: 'settings', always: true },
});

const OF_SITE = { '/watch': ['crawl'] };
const OF_SEARCH = { '/watch': ['search'] };
const OF_PAGES = { '/watch': ['scrape', 'crawl'] };

const urls = linesField('urls', 'URLs', {
	required: true,
	example: 'https://example.com/pricing',
	hint: `${credits(PRICES.page)} per page at each check, and ${PRICES.judgment} more for a changed one if there is a Goal`,
	wire: { value: (entered, place) => urlsIn(entered, place) },
});

const site = textField('url', 'Site URL', {
	required: true,
	placeholder: 'e.g. https://example.com/docs',
	description: 'Where to start; the pages below it are watched',
	wire: { value: url },
});

const maxPages = wholeNumberField('maxPages', 'Max Pages', {
	default: 25,
	description: 'Maximum number of pages to crawl at each check',
	hint: `Each page costs ${credits(PRICES.page)} at each check, and ${PRICES.judgment} more if it has changed and there is a Goal`,
	wire: { as: 'crawlOptions.limit', always: true },
});

const queries = linesField('queries', 'Queries', {
	required: true,
	example: 'acme funding round',
	description: 'Up to 12 queries. The Goal decides which results count.',
	hint: 'One per line, or an array',
	wire: { value: linesUpTo(12, 256) },
});

const maxResults = wholeNumberField('maxResults', 'Max Results', {
	default: 10,
	maxValue: 50,
	description: 'Maximum number of results at each check, of all queries',
	hint: `${credits(PRICES.tenResults)} per 10 results of each query at each check, and ${PRICES.judgment} for each result that is judged`,
	wire: { always: true },
});

export const goal = textField('goal', 'Goal', {
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Tell me when a price or a plan changes',
	description: 'What matters to you: a model judges each change by it. A search needs one.',
	wire: { maxLength: 2_000 },
});

/** Choices of Schedule that lead to a field of their own. */
const WRITTEN = ['text', 'cron'];

const scheduleFields: Field[] = [
	choiceField('schedule', 'Schedule', {
		default: 'daily',
		description: 'When to check. Each check costs credits.',
		choices: [
			['every 15 minutes', 'Every 15 Minutes'],
			['hourly', 'Hourly'],
			['every 6 hours', 'Every 6 Hours'],
			['daily', 'Daily'],
			['weekly', 'Weekly'],
			['text', 'In Words', 'Such as daily at 9:00'],
			['cron', 'Cron Expression'],
		],
		wire: {
			as: 'schedule.text',
			always: true,
			value: (chosen, place) =>
				WRITTEN.includes(chosen as string)
					? undefined
					: checkedChoice(scheduleFields[0], chosen, place),
		},
	}),
	textField('scheduleText', 'Schedule in Words', {
		required: true,
		placeholder: 'e.g. daily at 9:00',
		description: 'Such as every 30 minutes, every 2 hours, daily at 9am; 5 minutes apart or more',
		displayOptions: { show: { schedule: ['text'] } },
		wire: { as: 'schedule.text', maxLength: 128 },
	}),
	textField('cron', 'Cron Expression', {
		required: true,
		placeholder: 'e.g. 0 9 * * 1-5',
		description: 'Minute, hour, day of the month, month, day of the week; 5 minutes apart or more',
		displayOptions: { show: { schedule: ['cron'] } },
		wire: { as: 'schedule.cron', maxLength: 128 },
	}),
];

const [, inWords, cron] = scheduleFields;

/** The Schedule of a monitor that has one. */
export const newSchedule: Field = {
	...without(inWords, 'displayOptions', 'required'),
	name: 'newSchedule',
	description: `${inWords.description}. In the time zone of the workflow.`,
	displayName: 'New Schedule',
};

const timezone = textField('timezone', 'Time Zone', {
	placeholder: 'e.g. Europe/Berlin',
	description: 'The service default is UTC, but the node sends that of the workflow',
	wire: { as: 'schedule.timezone', maxLength: 128 },
});

const schema = schemaFields('schema', 'Fields to Compare', {
	none: 'The whole text of each page',
	description: `What to compare in place of the text of a page; AI finds it, for ${AI_FORMAT_PRICE}`,
	wire: {
		as: 'scrapeOptions.formats',
		put: (target, fields) => {
			const tracking = { type: 'changeTracking', modes: ['json'], schema: fields as IDataObject };
			const others = target.scrapeOptions as IDataObject | undefined;
			target.scrapeOptions = { ...others, formats: ['markdown', tracking] };
		},
	},
});

const crawlOptions = collectionField('crawlOptions', 'Crawl Options', {
	placeholder: 'Add Crawl Option',
	options: [
		includePaths,
		excludePaths,
		...[pages, manners].flatMap(childrenOf).filter(({ name }) => name !== 'prompt'),
	],
	wire: { put: addedTo('crawlOptions') },
});

const searchWindow = choiceField('searchWindow', 'Search Window', {
	default: '24h',
	description: 'How old a result may be. The service default is 24h.',
	choices: [
		['5m', '5 Minutes'],
		['15m', '15 Minutes'],
		['1h', '1 Hour'],
		['6h', '6 Hours'],
		['24h', '24 Hours'],
		['7d', '7 Days'],
	],
});

const judgeEnabled = booleanField('judgeEnabled', 'Judge Changes', {
	default: false,
	description: 'Whether a model judges changes by the Goal, as it does unless this is off',
});

/** What can be set when a monitor is created, and changed later. */
const laterOptions: Field[] = [
	judgeEnabled,
	wholeNumberField('retentionDays', 'Retention (Days)', {
		default: 30,
		maxValue: 365,
		description: 'How many days the service keeps a check',
	}),
];

/** What else of a monitor can be changed. */
export const changeOptions: Field[] = [
	{
		...without(cron, 'displayOptions', 'required'),
		name: 'newCron',
		displayName: 'New Schedule (Cron Expression)',
	},
	...laterOptions,
];

/** How pages are read: what people need most; JSON adds the rest, whose controls would make the form heavy. */
const pageOptions = scrapeOptionsField(
	[
		onlyMainContent,
		includeTags,
		excludeTags,
		waitFor,
		timeout,
		...visitOptions,
		{
			...maxAge,
			description: 'Accept a copy younger than this. Pages are fetched afresh unless this is set.',
		},
	],
	'How to read each page',
);

/** The fields of what a monitor watches, with `more` after the goal. */
export const monitorFields = (more: Field[] = []): Field[] => [
	watch,
	shownFor({ '/watch': ['scrape'] }, urls),
	...[site, maxPages].map((field) => shownFor(OF_SITE, field)),
	...[queries, maxResults].map((field) => shownFor(OF_SEARCH, field)),
	goal,
	...more,
	...scheduleFields,
	...schema.map((field) => shownFor(OF_PAGES, field)),
];

const upTo50 = (field: Field): Field => ({
	...field,
	description: 'Domains, up to 50',
	wire: { ...field.wire, value: linesUpTo(50) },
});

export const monitorOptions: Field[] = [
	shownFor(OF_PAGES, pageOptions),
	shownFor(OF_SITE, crawlOptions),
	...[searchWindow, ...[includeDomains, excludeDomains].map(upTo50)].map((field) =>
		shownFor(OF_SEARCH, field),
	),
	timezone,
	...laterOptions,
];

/** The parts of the form that belong to the target of a monitor. */
const OF_TARGET = [
	...['urls', 'url', 'crawlOptions', 'scrapeOptions'],
	...['queries', 'maxResults', 'searchWindow', 'includeDomains', 'excludeDomains'],
];

/** Returns where a field of the target is in the form. */
export const trailInForm = (trail: Array<string | number>) =>
	trail[0] === 'targets' ? trail.slice(2) : trail;

/** Puts what is watched into a target, and the workflow's time zone beside the schedule. */
export function finishMonitor({ body, value }: Pick<Form, 'body' | 'value'>, place: Place): void {
	const target: IDataObject = { type: value(watch) };
	for (const name of OF_TARGET) {
		if (name in body) target[name] = body[name];
		delete body[name];
	}
	if (target.type === 'search' && !body.goal && body.judgeEnabled !== false) {
		const remedy = `Say what matters, or turn Options → ${judgeEnabled.displayName} off.`;
		const at = { ...place, labels: [goal.displayName] };
		throw invalid(at, 'is empty, but a search needs it', remedy);
	}
	body.targets ??= [target];
	withTimezone(body, place);
}

/** Adds the workflow's time zone to the schedule of a body, if it has one without. */
export function withTimezone({ schedule }: IDataObject, { timezone: zone }: Place): void {
	if (isObject(schedule)) schedule.timezone ??= zone;
}

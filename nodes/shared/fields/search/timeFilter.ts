import { getGlobalState } from 'n8n-workflow';

import { asText, checkedChoice, invalid, isEmpty, quoted } from '../../form/checks';
import { type Choice, type Rest, choiceField, dateField } from '../../form/controls';
import type { Field, Place } from '../../form/field';
import { shortText } from '../../form/values';

/** The parts of a time filter that the service accepts and an expression may return. */
const PART = String.raw`(qdr:[hdwmy]([1-9]\d*)?|sbd:[01]|cdr:1|cd_(min|max):\d{1,2}/\d{1,2}/\d{4})`;
const RAW = new RegExp(`^${PART}(,${PART})*$`);

const PERIODS: Choice[] = [
	['qdr:h', 'Past Hour'],
	['qdr:d', 'Past Day'],
	['qdr:w', 'Past Week'],
	['qdr:m', 'Past Month'],
	['qdr:y', 'Past Year'],
];

/** Lengths that people and models write, by the periods that they mean. */
const LENGTHS: Record<string, string[]> = {
	'qdr:h': ['hour', '1hour', '60minute'],
	'qdr:d': ['day', '1day', '24hour'],
	'qdr:w': ['week', '1week', '7day'],
	'qdr:m': ['month', '1month', '30day', '31day', '4week'],
	'qdr:y': ['year', '1year', '12month', '365day', '52week'],
};
const BEFORE_LENGTHS = [
	'',
	'past',
	'last',
	'this',
	'previous',
	'the past',
	'the last',
	'in the last',
];

/** Other names for the periods: `last week`, `past 24 hours`, `today`. */
const WORDS = {
	...Object.fromEntries(
		Object.entries(LENGTHS).flatMap(([value, lengths]) =>
			BEFORE_LENGTHS.flatMap((before) =>
				lengths.map((length) => [before.replaceAll(' ', '') + length, value]),
			),
		),
	),
	today: 'qdr:d',
	anytime: 'any',
};

/** Creates a dropdown of periods; an expression may return any time filter, e.g. `sbd:1,qdr:w`. */
export function publishedField(rest: Rest & { default: string }, choices = PERIODS): Field {
	const field: Field = choiceField('published', 'Published', {
		choices,
		...rest,
		wire: {
			...rest.wire,
			words: WORDS,
			value: (entered, place) => {
				const text = asText(entered).replace(/\s|^tbs=/g, '');
				const period = RAW.test(text)
					? checkedFilter(text, place)
					: checkedChoice(field, entered, place);
				return ['any', 'dates'].includes(period as string) ? undefined : period;
			},
		},
	});
	return field;
}

/** Returns a time filter. Throws for several periods, and for a range whose days are missing or turned. */
function checkedFilter(filter: string, place: Place): string {
	const dayAt = (end: string): string | undefined => {
		const [, date = ''] = filter.split(`cd_${end}:`);
		const [month, dayOfMonth, year] = date.split(',', 1)[0].split('/');
		return year && isoDay(year, month, dayOfMonth);
	};
	const days = ['min', 'max'].map(dayAt).filter((one) => one !== undefined);
	const kinds = filter.split(',').map((part) => part.split(':', 1)[0]);
	const isOnce = new Set(kinds).size === kinds.length;
	const isRange = kinds.includes('cdr');
	const isOne = isOnce && !(isRange && kinds.includes('qdr')) && isRange === days.length > 0;
	if (isOne && days.every(exists) && !(days[0] > days[1])) return filter;
	throw invalid(
		place,
		`is ${quoted(filter)}, which is not one period`,
		'Write it like qdr:w, or, for the days from one to another, cdr:1,cd_min:12/24/2026,cd_max:01/06/2027.',
	);
}

const ofRange = { required: true, displayOptions: { show: { published: ['dates'] } } };

/** The time range of a search, sent as `tbs` (TimeFilter in api/openapi.yaml), e.g. `qdr:w`. */
export const timeFilterFields: Field[] = [
	publishedField(
		{ default: 'any', description: 'Only results from this period', wire: { as: 'tbs' } },
		[['any', 'Any Time'], ...PERIODS, ['dates', 'Custom Range', 'From one day to another']],
	),
	dateField('from', 'From', {
		...ofRange,
		description: 'First day',
		wire: {
			as: 'tbs',
			value: day,
			put: (target, value) => {
				target.tbs = `cdr:1,cd_min:${monthDayYear(value as string)}`;
			},
		},
	}),
	dateField('to', 'To', {
		...ofRange,
		description: 'Last day',
		wire: {
			as: 'tbs',
			value: day,
			put: (target, value, place) => {
				const [, month, dayOfMonth, year] = /cd_min:(\d+).(\d+).(\d+)/.exec(String(target.tbs))!;
				const labels = [...place.labels.slice(0, -1), 'From'];
				checkOrder(`${year}-${month}-${dayOfMonth}`, value as string, { ...place, labels });
				target.tbs = `${String(target.tbs)},cd_max:${monthDayYear(value as string)}`;
			},
		},
	}),
	choiceField('sortBy', 'Sort By', {
		default: 'relevance',
		description: 'How to sort web results. Self-hosted services may ignore it.',
		choices: [
			['relevance', 'Relevance'],
			['date', 'Newest First'],
		],
		wire: {
			as: 'tbs',
			put: (target, value) => {
				if (value !== 'date' || /\bsbd:/.test(String(target.tbs))) return;
				target.tbs = ['sbd:1', target.tbs].filter(Boolean).join(',');
			},
		},
	}),
	{
		displayName:
			'Published applies to web results only: most services also return older news and images. If they must not be older, choose the source Web alone.',
		name: 'publishedNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { sources: ['news', 'images'] }, hide: { published: ['any'] } },
	},
];

/** Throws if the first day is after the last one. */
export function checkOrder(from: string, to: string, place: Place): void {
	if (from <= to) return;
	throw invalid(place, `is ${from}, which is after To (${to})`, 'Swap the two dates.');
}

/** A date and time as text, in the formats of n8n and databases, except midnight, which then stands for a whole day. */
const MOMENT =
	/^\d{4}-\d{2}-\d{2}T(?!00:00(:00(\.0+)?)?Z)([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?Z$/;

/**
 * Returns the day of a date as YYYY-MM-DD. A string keeps its day, because the picker writes dates in the user's own
 * time. A Date is a point in time, so its day is that in the workflow's time zone, even if the item contains it as
 * text. Throws for other strings.
 */
export function day(entered: unknown, place: Place): string | undefined {
	// An expression may return the date in a list.
	const one: unknown = Array.isArray(entered) && entered.length === 1 ? entered[0] : entered;
	if (isEmpty(one)) return undefined;
	if (one instanceof Date && !Number.isNaN(one.getTime())) {
		return dayIn(one, place);
	}
	const text = Array.isArray(one) ? asText(one) : shortText(one);
	const isMoment = MOMENT.test(text) && exists(text.slice(0, 10));
	if (typeof one === 'string' && isMoment) return dayIn(new Date(text), place);
	const date = writtenDay(text);
	if (date === undefined || !exists(date)) {
		throw invalid(
			place,
			`is ${quoted(text)}, which is not a date`,
			'Pick a day, or write it as YYYY-MM-DD.',
		);
	}
	return date;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const isoDay = (year: string, month: number | string, dayOfMonth: string): string =>
	[year, String(month).padStart(2, '0'), dayOfMonth.padStart(2, '0')].join('-');

/** Returns a day that is written unambiguously, e.g. 18.11.2026, as YYYY-MM-DD; undefined for any other string. */
export function writtenDay(text: string): string | undefined {
	const iso = /^(\d{4}-\d{2}-\d{2})(?![^T\s]|\s+[^\d\s])/.exec(text)?.[1];
	if (iso !== undefined) return iso;
	const turned = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(text);
	if (turned) return isoDay(turned[1], turned[2], turned[3]);
	// With slashes or hyphens, the month may come first, unless that number can't be a month.
	const [, first, mark, second, year] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
	if (year !== undefined && (mark === '.' || Number(first) > 12))
		return isoDay(year, second, first);
	if (year !== undefined && Number(second) > 12) return isoDay(year, first, second);
	const words = text.toLowerCase().replace(/[.,]/g, ' ').split(/\s+/).filter(Boolean);
	const month = words.findIndex(
		(word) => MONTHS.includes(word.slice(0, 3)) && /^[a-z]+$/.test(word),
	);
	const [dayOfMonth, ofYear] = words.filter((_, index) => index !== month).map(withoutOrdinal);
	const isNamed = words.length === 3 && month >= 0 && month < 2;
	if (!isNamed || !/^\d{1,2}$/.test(dayOfMonth) || !/^\d{4}$/.test(ofYear)) return undefined;
	return isoDay(ofYear, MONTHS.indexOf(words[month].slice(0, 3)) + 1, dayOfMonth);
}

const withoutOrdinal = (word: string) => word.replace(/^(\d+)(st|nd|rd|th)$/, '$1');

/**
 * Returns the day of a point in time as YYYY-MM-DD in the workflow's time zone, or in n8n's own if the workflow has
 * none.
 */
function dayIn(moment: Date, place: Place): string {
	const { timezone = 'UTC' } = place;
	const isOwn = timezone === '' || timezone === 'DEFAULT';
	const timeZone = isOwn ? getGlobalState().defaultTimezone : timezone;
	try {
		// The Swedish format is YYYY-MM-DD.
		return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(moment);
	} catch {
		throw invalid(
			place,
			`is a time whose day depends on the time zone, but ${quoted(timezone)} is not one`,
			"Choose a time zone in the workflow's settings, e.g. Europe/Berlin.",
		);
	}
}

/** Whether the day exists; Date reads February 31 as March 3. */
export function exists(date: string): boolean {
	const ms = Date.parse(date);
	return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

function monthDayYear(date: string): string {
	const [year, month, dayOfMonth] = date.split('-');
	return `${month}/${dayOfMonth}/${year}`;
}

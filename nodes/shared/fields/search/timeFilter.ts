import { getGlobalState } from 'n8n-workflow';

import { trimmed } from '../../base/text';
import { asText, beside, checkedChoice, invalid, quoted } from '../../form/checks';
import { type Choice, type Rest, booleanField, choiceField, dateField } from '../../form/controls';
import type { Field, Place } from '../../form/field';

const PERIODS: Choice[] = [
	['qdr:h', 'Past Hour'],
	['qdr:d', 'Past Day'],
	['qdr:w', 'Past Week'],
	['qdr:m', 'Past Month'],
	['qdr:y', 'Past Year'],
];

/** Matches the service's own way to write a period, e.g. `sbd:1,qdr:w`. */
const PART = String.raw`(?:qdr:[hdwmy]\d*|sbd:[01]|cdr:1|cd_(?:min|max):\d{1,2}/\d{1,2}/\d{4})`;
const WRITTEN = new RegExp(`^${PART}(?:,${PART})*$`);

/** Creates a dropdown of periods; an expression may return any time filter, e.g. `sbd:1,qdr:w`. */
export function publishedField(rest: Rest & { default: string }, choices = PERIODS): Field {
	const field: Field = choiceField('published', 'Published', {
		choices,
		...rest,
		wire: {
			...rest.wire,
			value: (entered, place) => {
				const text = trimmed(asText(entered));
				const period = WRITTEN.test(text) ? text : checkedChoice(field, entered, place);
				return period === 'dates' ? undefined : period;
			},
		},
	});
	return field;
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
			value: (entered, place, form) => {
				const to = day(entered, place);
				checkOrder(day(form('from'), place), to, beside(place, 'From'));
				return to;
			},
			put: (target, value) => {
				target.tbs = `${String(target.tbs)},cd_max:${monthDayYear(value as string)}`;
			},
		},
	}),
];

/** The order of results, which is part of `tbs`, too. */
export const newestFirst: Field<boolean> = booleanField('newestFirst', 'Newest First', {
	description: 'Whether to sort web results by date. Self-hosted services may ignore it.',
	wire: {
		as: 'tbs',
		put: (target, value) => {
			if (!value || /\bsbd:/.test(String(target.tbs))) return;
			target.tbs = ['sbd:1', target.tbs].filter(Boolean).join(',');
		},
	},
});

/** Throws if the first day is after the last one; either may be open. */
export function checkOrder(from: string | undefined, to: string | undefined, place: Place): void {
	if (!from || !to || from <= to) return;
	throw invalid(place, `is ${from}, which is after To (${to})`, 'Swap the two dates.');
}

/** Matches a date in ISO 8601, with or without a time. */
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Returns a day as YYYY-MM-DD: that which a text names, or that of a Date in the workflow's time zone. Throws for
 * anything else.
 */
export function day(entered: unknown, place: Place): string {
	const isDate = entered instanceof Date && !Number.isNaN(entered.getTime());
	if (isDate) return dayIn(entered, place);
	// Luxon's dates are text in JSON.
	const [, date] = ISO_DATE.exec(trimmed(asText(entered))) ?? [];
	if (date !== undefined && exists(date)) return date;
	throw invalid(
		place,
		`is ${quoted(entered)}, which is not a date`,
		'Pick a day, or write it as YYYY-MM-DD.',
	);
}

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
function exists(date: string): boolean {
	const ms = Date.parse(date);
	return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

function monthDayYear(date: string): string {
	const [year, month, dayOfMonth] = date.split('-');
	return `${month}/${dayOfMonth}/${year}`;
}

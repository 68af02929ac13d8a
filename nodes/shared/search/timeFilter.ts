import { type IDataObject, getGlobalState } from 'n8n-workflow';

import { below, checkedChoice, invalid, isEmpty, quoted } from '../form/checks';
import { composeEntry } from '../form/compose';
import { type Rest, booleanField, choiceField, dateField, groupField } from '../form/controls';
import type { Field, Place } from '../form/field';
import { shortText } from '../form/values';

/** Matches what the service takes: parts of a time filter, as an expression may give them. */
const PART = String.raw`(qdr:[hdwmy]\d*|sbd:[01]|cdr:1|cd_(min|max):\d{1,2}/\d{1,2}/\d{4})`;
const RAW = new RegExp(`^${PART}(,${PART})*$`);

const past: Field = choiceField('past', 'Published', {
	default: 'qdr:w',
	choices: [
		['', 'At Any Time', 'For sorting by date alone'],
		['qdr:h', 'In the Past Hour'],
		['qdr:d', 'In the Past 24 Hours'],
		['qdr:w', 'In the Past Week'],
		['qdr:m', 'In the Past Month'],
		['qdr:y', 'In the Past Year'],
		['dates', 'Between Two Dates'],
	],
	wire: {
		value: (entered, place) =>
			RAW.test(String(entered)) ? entered : checkedChoice(past, entered, place),
	},
});

const ifDates = { show: { past: ['dates'] } };

const rangeFields: Field[] = [
	past,
	dateField('from', 'From', {
		required: true,
		description: 'First day',
		displayOptions: ifDates,
		wire: { value: day },
	}),
	dateField('to', 'To', {
		required: true,
		description: 'Last day',
		displayOptions: ifDates,
		wire: { value: day },
	}),
	booleanField('sortByDate', 'Sort by Date', {
		description: 'Whether to put the newest results first',
	}),
];

/** Makes a field for a time range, sent as `tbs` (TimeFilter in api/openapi.yaml), e.g. `sbd:1,qdr:w`. */
export function timeFilterField(name: string, displayName: string, rest: Rest): Field {
	return groupField(name, displayName, {
		...rest,
		placeholder: 'Set Time Filter',
		group: ['range', 'Time Filter'],
		values: rangeFields,
		wire: { value: tbs, ...rest.wire },
	});
}

function raw(entered: string, place: Place): string {
	const text = entered.replace(/\s/g, '');
	if (RAW.test(text)) return text;
	throw invalid(
		place,
		`is ${quoted(entered)}, which is not a time filter`,
		'Write it like qdr:w (the past week) or sbd:1,qdr:w (newest first).',
	);
}

function tbs(entered: unknown, place: Place): string | undefined {
	if (typeof entered === 'string') return raw(entered, place);
	const { range } = entered as { range?: IDataObject };
	if (range === undefined) return undefined;
	// A row without a value has the form's default. But an expression that gave nothing has set nothing.
	const values = { past: past.default, ...range };
	const { past: choice, from, to, sortByDate } = composeEntry(rangeFields, values, place);
	const period = isEmpty(values.past) ? undefined : (choice ?? past.default);
	if (period === 'dates') checkOrder(from as string, to as string, below(place, 'From'));
	const isSorted = sortByDate && !/\bsbd:/.test(String(period));
	const parts = [
		isSorted && 'sbd:1',
		...(period === 'dates'
			? ['cdr:1', `cd_min:${monthDayYear(from as string)}`, `cd_max:${monthDayYear(to as string)}`]
			: [period]),
	].filter(Boolean);
	return parts.length > 0 ? parts.join(',') : undefined;
}

/** Rejects a first day after the last one. */
export function checkOrder(from: string, to: string, place: Place): void {
	if (from <= to) return;
	throw invalid(place, `is ${from}, which is after To (${to})`, 'Swap the two dates.');
}

/** Matches a Date as text, as n8n and databases write it; at midnight it stands for a whole day, so not then. */
const MOMENT =
	/^\d{4}-\d{2}-\d{2}T(?!00:00(:00(\.0+)?)?Z)([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?Z$/;

/**
 * Gives the day of a date as YYYY-MM-DD. A text keeps the day it says, because the picker writes dates in the user's own
 * clock. A Date is a moment, so it counts as its day in the workflow's time zone, even if an item has it as text. Throws
 * for other texts.
 */
export function day(entered: unknown, place: Place): string | undefined {
	// An expression may give it in a list.
	const one: unknown = Array.isArray(entered) && entered.length === 1 ? entered[0] : entered;
	if (isEmpty(one)) return undefined;
	if (one instanceof Date && !Number.isNaN(one.getTime())) {
		return dayIn(one, place);
	}
	const text = shortText(one);
	const isMoment = MOMENT.test(text) && exists(text.slice(0, 10));
	if (typeof one === 'string' && isMoment) return dayIn(new Date(text), place);
	const date = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
	if (date === undefined || !exists(date)) {
		throw invalid(
			place,
			`is ${quoted(text)}, which is not a date`,
			'Pick a day, or write it as YYYY-MM-DD.',
		);
	}
	return date;
}

/** Gives the day of a moment as YYYY-MM-DD in the workflow's time zone, or n8n's own if it names none. */
function dayIn(moment: Date, place: Place): string {
	const { timezone = 'UTC' } = place;
	const isOwn = timezone === '' || timezone === 'DEFAULT';
	const timeZone = isOwn ? getGlobalState().defaultTimezone : timezone;
	try {
		// Swedish dates are written YYYY-MM-DD.
		return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(moment);
	} catch {
		throw invalid(
			place,
			`is a time whose day depends on the time zone, but ${quoted(timezone)} is not one`,
			"Choose a time zone in the workflow's settings, e.g. Europe/Berlin.",
		);
	}
}

/** Tells whether there is such a day; Date takes February 31 for March 3. */
function exists(date: string): boolean {
	const ms = Date.parse(date);
	return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

function monthDayYear(date: string): string {
	const [year, month, dayOfMonth] = date.split('-');
	return `${month}/${dayOfMonth}/${year}`;
}

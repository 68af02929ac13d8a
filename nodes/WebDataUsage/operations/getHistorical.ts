import { below, checkedChoice } from '../../shared/form/checks';
import type { Field } from '../../shared/form/field';
import { choiceField, dateField } from '../../shared/form/controls';
import { splitIntoItems } from '../../shared/fields/options';
import { checkOrder, day } from '../../shared/fields/search/timeFilter';
import type { Form } from '../../shared/form/form';
import type { Operation } from '../../shared/run/operation';
import { hasContent } from '../../shared/base/json';
import { objectsIn } from '../../shared/run/results/response';

const groupBy: Field = choiceField('groupBy', 'Group By', {
	description: 'What each item covers',
	default: 'month',
	choices: [
		['month', 'Month'],
		['key', 'Month and API Key', 'Not all services know the keys'],
	],
	wire: {
		in: 'query',
		as: 'byApiKey',
		value: (chosen, place) => checkedChoice(groupBy, chosen, place) === 'key',
	},
});

const months = choiceField('months', 'Months', {
	description: 'Which months to return',
	default: 'all',
	choices: [
		['all', 'All'],
		['current', 'This Month', 'The billing period that includes today'],
		['range', 'Custom Range', 'Months with a day between two dates'],
	],
	wire: { in: 'settings' },
});

const ofRange = (description: string) => ({
	description,
	displayOptions: { show: { months: ['range'] } },
	wire: { mayBeEmpty: true, in: 'settings', value: day } as const,
});

const from = dateField('from', 'From', ofRange('Leave out months that ended before this day'));
const to = dateField('to', 'To', ofRange('Leave out months that began after this day'));

/** Returns the first and the last day to include, undefined where unset. */
function daysOf({ get, place }: Form): Array<string | undefined> {
	const today = day(new Date(), place);
	return get(months) === 'current' ? [today, today] : [get(from), get(to)];
}

/**
 * Returns the day of a period's date, which may be a midnight that no longer belongs to it (`shiftMs` is then -1).
 * Undefined for anything that isn't a date, so that such a period isn't left out.
 */
function dayOf(date: unknown, shiftMs = 0): string | undefined {
	const ms = typeof date === 'string' ? Date.parse(date) : NaN;
	return Number.isNaN(ms) ? undefined : new Date(ms + shiftMs).toISOString().slice(0, 10);
}

/** Returns an item per month, or per month and API key. */
export const getHistorical: Operation = {
	name: 'Get Historical Credit Usage',
	description: 'Get the credits your team used, month by month',
	method: 'GET',
	path: '/v2/team/credit-usage/historical',
	fields: [groupBy, months, from, to],
	options: [splitIntoItems],
	check: (form) => {
		const [first, last] = daysOf(form);
		checkOrder(first, last, below(form.place, from.displayName));
	},
	select: (response, form) => {
		const [first, last] = daysOf(form);
		if (!Array.isArray(response.periods)) return response;
		const periods = objectsIn(response, 'periods').filter(
			({ startDate, endDate }) =>
				(!first || (dayOf(endDate, -1) ?? first) >= first) &&
				(!last || (dayOf(startDate) ?? last) <= last),
		);
		return { ...response, periods };
	},
	resultsKey: 'periods',
	// Older services, and the document, call this totalCredits.
	split: (response) =>
		objectsIn(response, 'periods').map(({ apiKey, ...period }) => ({
			...period,
			creditsUsed: period.creditsUsed ?? period.totalCredits,
			// It is null if the keys weren't requested.
			...(hasContent(apiKey) && { apiKey }),
		})),
};

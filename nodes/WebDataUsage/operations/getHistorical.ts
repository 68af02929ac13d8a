import { below } from '../../shared/form/checks';
import { booleanField, dateField } from '../../shared/form/controls';
import { splitIntoItems } from '../../shared/fields/options';
import { checkOrder, day } from '../../shared/search/timeFilter';
import { textOf } from '../../shared/text';
import type { Operation } from '../../shared/operation';
import { objectsIn } from '../../shared/results/required';

const byApiKey = booleanField('byApiKey', 'Break Down by API Key', {
	default: true,
	description: 'Whether to return an item for each API key and month instead of one per month',
	wire: { mayBeEmpty: true, in: 'query' },
});

const from = dateField('from', 'From', {
	description: 'Leave out months that ended before this day',
	wire: { mayBeEmpty: true, in: 'settings', value: day },
});

const to = dateField('to', 'To', {
	description: 'Leave out months that began after this day',
	wire: { mayBeEmpty: true, in: 'settings', value: day },
});

/** Gives a period's last day; its end may be the midnight after that day. A text that isn't a date stays. */
function lastDay(end: string): string {
	const ms = Date.parse(end);
	return Number.isNaN(ms) ? end : new Date(ms - 1).toISOString().slice(0, 10);
}

/** Gives an item per month, or per month and API key. */
export const getHistorical: Operation = {
	name: 'Get Historical Usage',
	value: 'getHistorical',
	action: 'Get historical credit usage',
	description: 'Get the credits your team used, month by month',
	method: 'GET',
	path: '/v2/team/credit-usage/historical',
	fields: [],
	options: [byApiKey, from, to, splitIntoItems],
	check: ({ get, place }) => {
		const [first, last] = [get(from), get(to)];
		if (first && last) checkOrder(first, last, below(place, from.displayName));
	},
	select: (response, { get }) => {
		const [first, last] = [get(from), get(to)];
		if (!Array.isArray(response.periods)) return response;
		const periods = objectsIn(response, 'periods').filter(
			({ startDate, endDate }) =>
				(!first || !endDate || lastDay(textOf(endDate)) >= first) &&
				(!last || !startDate || textOf(startDate).slice(0, 10) <= last),
		);
		return { ...response, periods };
	},
	split: (response) => objectsIn(response, 'periods'),
};

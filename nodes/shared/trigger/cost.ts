import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { plural } from '../base/text';

/** Polls per day, by mode of n8n's Poll Times. */
const POLLS_PER_DAY: Record<string, number | undefined> = {
	everyMinute: 1_440,
	everyHour: 24,
	everyDay: 1,
	everyWeek: 1 / 7,
	everyMonth: 1 / 30,
	// These cases depend on more than the mode, and n8n can't compute anything in a notice.
	everyX: undefined,
	custom: undefined,
};

const SEVERAL_POLL_TIMES = { '/pollTimes.item[1]': [{ _cnd: { exists: true as const } }] };

/**
 * Returns notices about the cost of polling; the editor shows the one for the chosen Poll Times. `textFor` returns the
 * text for a number of polls per day, which is undefined if the mode doesn't determine it. The notices' names begin
 * with `prefix`.
 */
export function costNotices(
	textFor: (pollsPerDay: number | undefined) => string,
	prefix = 'cost',
): INodeProperties[] {
	const shownFor = (mode: string): IDisplayOptions => ({
		show: { '/pollTimes.item[0].mode': [mode] },
		hide: SEVERAL_POLL_TIMES,
	});
	return Object.entries({ ...POLLS_PER_DAY, several: undefined }).map(([mode, pollsPerDay]) => ({
		displayName: textFor(pollsPerDay),
		name: `${prefix}_${mode}`,
		type: 'notice',
		default: '',
		displayOptions: mode === 'several' ? { show: SEVERAL_POLL_TIMES } : shownFor(mode),
	}));
}

/** Returns what polls cost: credits per day or, if polls are less frequent, per week or month. */
export function costText(creditsPerPoll: number, pollsPerDay: number): string {
	const [days, name] =
		pollsPerDay >= 1 ? [1, 'day'] : pollsPerDay >= 1 / 7 ? [7, 'week'] : [30, 'month'];
	const credits = Math.round(creditsPerPoll * pollsPerDay * days);
	// toLocaleString would take as long as loading all nodes.
	const written = String(credits).replace(/(\d)(\d{3})$/, '$1,$2');
	return `${written} ${plural(credits, 'credit')} a ${name}`;
}

import { publishedOn } from '../../../nodes/shared/fields/search/publishedOn';

const NOW = Date.parse('2026-03-31T09:30:00Z');

it.each([
	['today', '2026-03-31'],
	['Yesterday', '2026-03-30'],
	['20 minutes ago', '2026-03-31'],
	['10 hours ago', '2026-03-30'],
	['an hour ago', '2026-03-31'],
	['1 day ago', '2026-03-30'],
	['3 days ago', '2026-03-28'],
	['2 weeks ago', '2026-03-17'],
	['1 month ago', '2026-02-28'],
	['a year ago', '2025-03-31'],
	['Nov 18, 2025', '2025-11-18'],
	['18.11.2025', '2025-11-18'],
	['2025-11-18T10:00:00Z', '2025-11-18'],
])('"%s" is the day %s', (words, day) => {
	expect(publishedOn(words, NOW)).toBe(day);
});

it.each(['', 'soon', '3 moons ago', '11/12/2025', 'Feb 31, 2026', '3 days', 7, null, undefined])(
	'%p is no day that can be computed',
	(words) => {
		expect(publishedOn(words, NOW)).toBeUndefined();
	},
);

import { retryAfterMs } from '../../../nodes/shared/client/retry';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const DATE = 'Thu, 01 Jan 2026 12:00:00 GMT';

describe('retryAfterMs', () => {
	it.each([
		['1', 1_000],
		[' 57 ', 57_000],
		['1.5', 1_500],
		[30, 30_000],
	])('reads %p as seconds', (header, ms) => {
		expect(retryAfterMs(header, undefined)).toBe(ms);
	});

	it.each([
		['the response’s own Date', 'Thu, 01 Jan 2026 12:00:57 GMT', DATE, 57_750],
		['that, with blanks around both', ' Thu, 01 Jan 2026 12:00:57 GMT ', ` ${DATE}`, 57_750],
		['the clock here where there is none', 'Thu, 01 Jan 2026 00:00:57 GMT', undefined, 57_750],
		['the clock here where it is none', 'Thu, 01 Jan 2026 00:00:57 GMT', 'soon', 57_750],
		['now where it is in the past', 'Thu, 01 Jan 2026 11:00:00 GMT', DATE, 750],
	])('compares a date with %s', (_, header, date, ms) => {
		expect(retryAfterMs(header, date, '', NOW)).toBe(ms);
	});

	it.each([
		undefined,
		null,
		'',
		'2, 2',
		'retry in 5',
		'soon',
		'1e3',
		'9'.repeat(400),
		// The time of a date, in seconds or ms.
		'1767268857',
		'Sat, nonsense',
		['3'],
		{},
	])('finds no wait in %p', (header) => {
		expect(retryAfterMs(header, DATE, 'Rate limit exceeded.', NOW)).toBeUndefined();
	});

	it.each([
		['Upgrade your plan or please retry after 57s, resets at soon', 57_500],
		['Rate limit reached, try again in 2 minutes', 120_500],
		['Please wait 500 ms', 500],
		['wait for 3 milliseconds', 3],
		['Retry in 1 hour', 3_600_500],
		['retry after 5 min', 300_500],
	])('finds the wait in %p', (text, ms) => {
		expect(retryAfterMs(undefined, DATE, text, NOW)).toBe(ms);
	});

	it.each([
		'Please retry after a short delay',
		'Retry after 5',
		`Retry after ${'9'.repeat(400)} s`,
		'Used 57 s of browser time',
		'resets at 12:00:00',
	])('finds no wait in %p', (text) => {
		expect(retryAfterMs(undefined, DATE, text, NOW)).toBeUndefined();
	});

	it('reads when the limit resets, where the text names no wait', () => {
		const text =
			'Rate limit exceeded, resets at Thu Jan 01 2026 12:00:57 GMT+0000 (Coordinated Universal Time)';
		expect(retryAfterMs(undefined, DATE, text, NOW)).toBe(57_750);
		expect(retryAfterMs(undefined, DATE, 'It resets at 2026-01-01T12:00:09Z.', NOW)).toBe(9_750);
	});

	it('takes the header before the text', () => {
		expect(retryAfterMs('3', DATE, 'retry after 57s')).toBe(3_000);
		expect(retryAfterMs('nonsense', DATE, 'retry after 57s')).toBe(57_500);
	});
});

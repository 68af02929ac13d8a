import { dateOf } from '../../../nodes/WebDataCrawlTrigger/crawlService';

describe('dateOf', () => {
	const ms = Date.UTC(2026, 5, 1);
	it.each([
		['2026-06-01T00:00:00.000Z', ms],
		['2026-06-01T02:00:00+02:00', ms],
		[ms, ms],
		[ms / 1_000, ms],
		[String(ms), ms],
		[`${ms / 1_000}.5`, ms + 500],
		[undefined, undefined],
		[null, undefined],
		['', undefined],
		['soon', undefined],
		[0, undefined],
		[-5, undefined],
		[Number.NaN, undefined],
		[{}, undefined],
	])('of %j', (value, date) => expect(dateOf(value)).toBe(date));
});

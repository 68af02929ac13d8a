import { costNotices, perDay } from '../../../nodes/shared/trigger/cost';

describe('costNotices', () => {
	it('are one for each mode of Poll Times, shown for it alone', () => {
		const notices = costNotices((polls) => (polls === undefined ? 'each' : perDay(polls)));
		const texts = notices.map(({ displayName, displayOptions }) => [
			...(displayOptions?.show?.['/pollTimes.item[0].mode'] ?? []),
			displayName,
		]);
		expect(texts).toEqual([
			['everyMinute', '1,440 credits a day'],
			['everyHour', '24 credits a day'],
			['everyDay', '1 credit a day'],
			['everyWeek', '1 credit a week'],
			['everyMonth', '1 credit a month'],
			['everyX', 'each'],
			['custom', 'each'],
		]);
		expect(new Set(notices.map(({ name }) => name)).size).toBe(notices.length);
		expect(notices.every(({ type }) => type === 'notice')).toBe(true);
	});
});

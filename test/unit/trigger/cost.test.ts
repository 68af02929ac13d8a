import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { costs as searchCosts } from '../../../nodes/WebDataSearchTrigger/fields';
import { costNotices, costText } from '../../../nodes/shared/trigger/cost';

describe('costNotices', () => {
	const notices = costNotices((polls) => (polls === undefined ? 'each' : costText(1, polls)));
	const shownFor = (modes: string[], among = notices) => {
		const values = { pollTimes: { item: modes.map((mode) => ({ mode })) } } as INodeParameters;
		return among
			.filter((notice) => NodeHelpers.displayParameter(values, notice, null, null))
			.map(({ displayName }) => displayName);
	};

	it.each([
		['everyMinute', '1,440 credits a day'],
		['everyHour', '24 credits a day'],
		['everyDay', '1 credit a day'],
		['everyWeek', '1 credit a week'],
		['everyMonth', '1 credit a month'],
		['everyX', 'each'],
		['custom', 'each'],
	])('show one text for the Poll Time %s', (mode, text) => {
		expect(shownFor([mode])).toEqual([text]);
	});

	it('show the price of each poll where there are several Poll Times', () => {
		expect(shownFor(['everyMonth', 'everyMinute'])).toEqual(['each']);
		expect(shownFor(['everyDay', 'everyDay', 'custom'])).toEqual(['each']);
	});

	it.each([
		['everyHour', '48 credits a day', '480 credits a day'],
		['everyWeek', '2 credits a week', '20 credits a week'],
		['everyMonth', '2 credits a month', '20 credits a month'],
	])('give all amounts for the same time for the Poll Time %s', (mode, least, most) => {
		const [text] = shownFor([mode], searchCosts);
		expect(text).toContain(`${least} with Limit 10`);
		expect(text).toContain(`${most} with Limit 100`);
	});

	it('are notices with names of their own', () => {
		expect(new Set(notices.map(({ name }) => name)).size).toBe(notices.length);
		expect(notices.every(({ type }) => type === 'notice')).toBe(true);
	});
});

import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

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
});

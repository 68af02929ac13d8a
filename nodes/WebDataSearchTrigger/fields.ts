import type { INodeProperties } from 'n8n-workflow';

import { additionalBodyFields, optionsCollection, splitIntoItems } from '../shared/fields/options';
import {
	RESULTS_PRICE,
	searchLimitField,
	searchFields,
	searchOptions as ofSearch,
	timeout,
} from '../shared/fields/search/fields';
import { choiceField } from '../shared/form/controls';
import type { Field } from '../shared/form/field';
import { costNotices, costText } from '../shared/trigger/cost';
import { PRICES, credits as creditsText } from '../shared/fields/prices';
import { ignoreTracking } from '../shared/trigger/tracking';

/** Always sent, because it decides what each poll costs. */
const limit: Field<number> = { ...searchLimitField(`${RESULTS_PRICE}, at each poll`), default: 10 };

export const firstPoll = choiceField<'baseline' | 'emit'>('firstPoll', 'First Poll', {
	default: 'emit',
	description: 'What to do with the results found when the workflow is published',
	choices: [
		['baseline', 'Only Remember Results', 'Only later ones start the workflow'],
		['emit', 'Emit Results', 'Start the workflow at once, with all results'],
	],
	wire: { in: 'settings' },
});

export const triggerOn = choiceField<'new' | 'changed'>('triggerOn', 'Trigger On', {
	default: 'new',
	description: 'Which results start the workflow; the field "event" says which it is',
	choices: [
		[
			'new',
			'New Results',
			'Results that no earlier poll has found',
			'When a search has new results',
		],
		[
			'changed',
			'New and Changed Results',
			'Also known ones with another title or description',
			'When a search has new or changed results',
		],
	],
	wire: { in: 'settings' },
});

/** Search options that concern the whole response, or that the trigger sets itself. */
const notHere: Field[] = [timeout, splitIntoItems];

const searchOptions = ofSearch([ignoreTracking]).filter((field) => !notHere.includes(field));

export const fields: Field[] = [
	...searchFields(limit),
	triggerOn,
	optionsCollection([firstPoll, ...searchOptions, additionalBodyFields]),
];

/** Notices about the cost of polling, for the chosen Poll Times. */
export const costs: INodeProperties[] = costNotices((polls) => {
	const price = `Each poll is one search, usually billed at ${RESULTS_PRICE}.`;
	if (polls === undefined) {
		return `${price} Searches a day = 1,440 ÷ minutes between polls: every 15 minutes with one source and Limit 10 is 96 searches, ${creditsText(96 * PRICES.tenResults)} a day.`;
	}
	const credits = (limit: number) => costText(PRICES.tenResults * Math.ceil(limit / 10), polls);
	return `${price} At these Poll Times, with one source: ${credits(10)} with Limit 10, ${credits(50)} with Limit 50, ${credits(100)} with Limit 100.`;
});

import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { askForList } from '../../shared/engine/requestOptions';
import { crawlIdOf } from '../../shared/fields/crawlId';
import { checkExpression, invalid, isEmpty, quoted } from '../../shared/form/checks';
import type { Field } from '../../shared/form/field';
import { isObject, listOf } from '../../shared/json';
import { textOf } from '../../shared/text';

/** Picks a crawl from the active ones, by its id, or by the URL of its status. */
export const crawlField: Field<string> = {
	displayName: 'Crawl',
	name: 'crawlId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The crawl, from the list of running ones or by ID',
	hint: 'The list has running crawls only. For one that has ended, choose By ID or By URL.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a running crawl…',
			typeOptions: { searchListMethod: 'searchActiveCrawls', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c',
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://api.example.com/v2/crawl/5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c',
			hint: 'The status URL returned when the crawl was started',
		},
	],
	wire: {
		in: 'path',
		value: (entered, place) => {
			const value = isObject(entered) && 'value' in entered ? entered.value : entered;
			if (isEmpty(value)) return undefined;
			if (typeof value === 'object') {
				throw invalid(
					place,
					`is ${quoted(value)}, which is not an ID`,
					'Use the ID returned when the crawl was started.',
				);
			}
			checkExpression(String(value), place);
			const text = String(value).trim();
			return text === '' ? undefined : crawlIdOf(text, place);
		},
	},
};

/** Finds the team's running crawls whose site or id contains the filter text (GET /v2/crawl/active). */
export async function searchActiveCrawls(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const { crawls } = await askForList(this, '/v2/crawl/active');
	const wanted = filter.toLowerCase();
	const results = listOf(crawls)
		.filter(({ id }) => typeof id === 'string' && id !== '')
		.map(({ id, url, created_at: created }) => ({
			// The time first, since n8n cuts long names.
			name: typeof url === 'string' ? `${url} (${startOf(created)}${id})` : String(id),
			value: String(id),
		}))
		.filter(({ name }) => name.toLowerCase().includes(wanted));
	return { results };
}

/** Gives the minute in which a crawl started, with a separator behind it; empty if the service gives no date. */
function startOf(created: unknown): string {
	const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z$/.exec(textOf(created)) ?? [];
	return day === undefined ? '' : `${day} ${time} UTC, `;
}

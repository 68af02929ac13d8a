import type { IDataObject } from 'n8n-workflow';

import { invalid } from '../form/checks';
import type { Field } from '../form/field';
import { MAX_QUERY_LENGTH } from './queryOperators';
import { splitIntoItems } from './options';
import { timeFilterField } from './timeFilter';
import { countryCode, wholeNumber } from '../form/values';

export const query: Field = {
	displayName: 'Query',
	name: 'query',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. best coffee grinder for espresso',
	description: 'What to search for, up to 500 characters with the query operators',
	wire: { maxLength: MAX_QUERY_LENGTH },
};

// The service's own default; n8n's usual 50 would return ten times as many results and bill them.
export const limit = wholeNumber({
	displayName: 'Limit',
	name: 'limit',
	default: 5,
	minValue: 1,
	maxValue: 100,
	description:
		'Max number of results to return from each source, 1 to 100; more results cost more credits. The service default is 5.',
});

export const sources: Field = {
	displayName: 'Sources',
	name: 'sources',
	type: 'multiOptions',
	default: ['web'],
	description: 'Where to search. The service default is Web.',
	options: [
		{ name: 'Web', value: 'web' },
		{ name: 'News', value: 'news' },
		{ name: 'Images', value: 'images' },
	],
	wire: {
		put: (target, value) => {
			target.sources = (value as string[]).map((type) => ({ type }));
		},
	},
};

/** Sets a field of the web source; the other sources take none. */
const ofWebSource = (key: string): Field['wire'] => ({
	put: (target, value, place) => {
		const list = (target.sources ??= [{ type: 'web' }]) as IDataObject[];
		const web = list.find((source) => source.type === 'web');
		if (web === undefined) {
			throw invalid(
				place,
				`is set, but ${sources.displayName} has no Web`,
				'Add the source Web, or remove this option.',
			);
		}
		web[key] = value as string;
	},
});

export const categories: Field = {
	displayName: 'Categories',
	name: 'categories',
	type: 'multiOptions',
	default: [],
	description: 'Only results of these kinds; each result then says its category',
	options: [
		{ name: 'GitHub', value: 'github', description: 'Repositories, code, issues and docs' },
		{ name: 'PDF', value: 'pdf', description: 'PDF files' },
		{ name: 'Research', value: 'research', description: 'Academic and research sites' },
	],
	wire: {
		put: (target, value) => {
			target.categories = (value as string[]).map((type) => ({ type }));
		},
	},
};

export const timeFilter = timeFilterField({
	displayName: 'Time Filter',
	name: 'timeFilter',
	description: 'When the results were published, and whether the newest come first. Sent as tbs.',
	wire: { as: 'tbs' },
});

export const country: Field = {
	displayName: 'Country',
	name: 'country',
	type: 'string',
	default: '',
	placeholder: 'e.g. DE',
	description: 'Two-letter country code to search from. The service default is US.',
	wire: { value: countryCode },
};

export const location: Field = {
	displayName: 'Location',
	name: 'location',
	type: 'string',
	default: '',
	placeholder: 'e.g. Berlin,Germany',
	description: 'City, state and country to search from; works best together with Country',
};

export const webTimeFilter = timeFilterField({
	displayName: 'Web: Time Filter',
	name: 'webTimeFilter',
	description: 'Time filter of the source Web alone',
	wire: ofWebSource('tbs'),
});

export const webLocation: Field = {
	...location,
	displayName: 'Web: Location',
	name: 'webLocation',
	description: 'Location of the source Web alone',
	wire: ofWebSource('location'),
};

export const ignoreInvalidURLs: Field = {
	displayName: 'Ignore Invalid URLs',
	name: 'ignoreInvalidURLs',
	type: 'boolean',
	default: false,
	description:
		'Whether to leave out results whose address the other operations would refuse. The service default is off.',
};

const timeout: Field = {
	displayName: 'Timeout (Ms)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 60000,
	description: 'Milliseconds until the service gives the search up. The service default is 60000.',
};

export const enterprise: Field = {
	displayName: 'Enterprise',
	name: 'enterprise',
	type: 'multiOptions',
	default: [],
	description: 'Data retention modes; they must be enabled for your team',
	options: [
		{
			name: 'Anonymized Zero Data Retention',
			value: 'anon',
			description: '2 credits per 10 results',
		},
		{
			name: 'End-to-End Zero Data Retention',
			value: 'zdr',
			description: '10 credits per 10 results',
		},
	],
};

/** Options of both operations in the order people need them; `more` are the operation's own. */
export const searchOptions = (more: Field[]): Field[] => [
	limit,
	sources,
	timeFilter,
	country,
	location,
	categories,
	...more,
	webTimeFilter,
	webLocation,
	ignoreInvalidURLs,
	timeout,
	enterprise,
	splitIntoItems,
];

import type { Field } from '../form/field';
import { wholeNumber } from '../form/values';
import { actionsField } from './actions';
import { changeTrackingFields } from './formats';
import { schemaField } from './schema';
import {
	blockAds,
	excludeTags,
	headers,
	includeTags,
	locationField,
	mobile,
	onlyMainContent,
	proxy,
	removeBase64Images,
	skipTlsVerification,
	storeInCache,
	waitFor,
} from './scrapeOptions';

/** The scrape options of v1 (Extract): other defaults, and parsePDF in the place of parsers. */
export const scrapeOptionFieldsV1: Field[] = [
	{
		displayName: 'Formats',
		name: 'formats',
		type: 'multiOptions',
		default: ['markdown'],
		description: 'What is read of each page',
		options: [
			{ name: 'Change Tracking', value: 'changeTracking' },
			{ name: 'HTML', value: 'html' },
			{ name: 'JSON', value: 'json' },
			{ name: 'Links', value: 'links' },
			{ name: 'Markdown', value: 'markdown' },
			{ name: 'Raw HTML', value: 'rawHtml' },
			{ name: 'Screenshot', value: 'screenshot' },
		],
	},
	onlyMainContent,
	includeTags,
	excludeTags,
	actionsField,
	waitFor,
	wholeNumber({
		displayName: 'Timeout (Ms)',
		name: 'timeout',
		default: 30000,
		minValue: 1,
		description: 'Milliseconds until a page is given up. The service default is 30000.',
	}),
	proxy,
	locationField,
	headers,
	mobile,
	wholeNumber({
		displayName: 'Max Age (Ms)',
		name: 'maxAge',
		default: 0,
		minValue: 0,
		description:
			'A cached copy younger than this many milliseconds is used. The service default is 0, which always scrapes afresh.',
	}),
	{
		displayName: 'Parse PDF',
		name: 'parsePDF',
		type: 'boolean',
		default: true,
		description: 'Whether to read the text of PDF files. The service default is on.',
	},
	{
		displayName: 'JSON Options',
		name: 'jsonOptions',
		type: 'collection',
		default: {},
		placeholder: 'Add JSON Option',
		description: 'What format JSON extracts from each page',
		options: [
			schemaField({
				displayName: 'Schema',
				name: 'schema',
				description: 'The shape of the data to extract',
			}),
			{
				displayName: 'System Prompt',
				name: 'systemPrompt',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder: 'e.g. You are an expert for real estate',
			},
			{
				displayName: 'Prompt',
				name: 'prompt',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder: 'e.g. Extract the price and the number of rooms',
			},
		],
	},
	{
		displayName: 'Change Tracking Options',
		name: 'changeTrackingOptions',
		type: 'collection',
		default: {},
		placeholder: 'Add Change Tracking Option',
		description: 'What format Change Tracking compares',
		options: changeTrackingFields,
	},
	blockAds,
	removeBase64Images,
	storeInCache,
	{
		...skipTlsVerification,
		default: false,
		description:
			'Whether to accept invalid certificates of the scraped site. The service default is off.',
	},
];

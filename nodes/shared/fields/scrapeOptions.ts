import type { IDataObject } from 'n8n-workflow';

import { actionsField } from './actions';
import type { Field } from '../form/field';
import { countryCode, linesField, pairsField, wholeNumber } from '../form/values';

export const includeTags = linesField({
	displayName: 'Include Tags',
	name: 'includeTags',
	example: 'article',
	description: 'Only these HTML tags, classes or IDs are kept',
});

export const excludeTags = linesField({
	displayName: 'Exclude Tags',
	name: 'excludeTags',
	example: '.comments',
	description: 'These HTML tags, classes or IDs are left out',
});

export const headers = pairsField({
	displayName: 'Headers',
	name: 'headers',
	description: 'Sent to the scraped site, e.g. cookies or a user agent',
	example: ['User-Agent', 'Mozilla/5.0'],
	addText: 'Add Header',
});

export const waitFor: Field = {
	displayName: 'Wait For (Ms)',
	name: 'waitFor',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description:
		'Milliseconds to wait before the page is taken, in addition to the built-in smart wait. The service default is 0.',
};

export const mobile: Field = {
	displayName: 'Mobile',
	name: 'mobile',
	type: 'boolean',
	default: false,
	description: 'Whether to visit the page as a mobile device. The service default is off.',
};

export const onlyMainContent: Field = {
	displayName: 'Only Main Content',
	name: 'onlyMainContent',
	type: 'boolean',
	default: true,
	description: 'Whether to leave out headers, navigation and footers. The service default is on.',
};

export const removeBase64Images: Field = {
	displayName: 'Remove Base64 Images',
	name: 'removeBase64Images',
	type: 'boolean',
	default: true,
	description:
		'Whether to replace images embedded in the markdown by a placeholder. The service default is on.',
};

export const blockAds: Field = {
	displayName: 'Block Ads',
	name: 'blockAds',
	type: 'boolean',
	default: true,
	description: 'Whether to block ads and cookie pop-ups. The service default is on.',
};

export const storeInCache: Field = {
	displayName: 'Store in Cache',
	name: 'storeInCache',
	type: 'boolean',
	default: true,
	description:
		'Whether the service may keep the page in its index and cache. The service default is on; actions and headers turn it off.',
};

/** Where a page is visited from (Location object). */
export const locationField: Field = {
	displayName: 'Location',
	name: 'location',
	type: 'collection',
	default: {},
	placeholder: 'Add Location Option',
	description: 'Where the page is visited from',
	options: [
		{
			displayName: 'Country',
			name: 'country',
			type: 'string',
			default: '',
			placeholder: 'e.g. DE',
			description: 'Two-letter country code. The service default is US.',
			wire: { value: countryCode },
		},
		linesField({
			displayName: 'Languages',
			name: 'languages',
			example: 'de-DE',
			description:
				'Language tags, the preferred one first. Without any, the language of the country is used.',
		}),
	],
};

export const proxy: Field = {
	displayName: 'Proxy',
	name: 'proxy',
	type: 'options',
	default: 'auto',
	description: 'How hard to try to get past bot protection. The service default is Auto.',
	options: [
		{
			name: 'Auto',
			value: 'auto',
			description:
				'Basic first, then enhanced; 5 credits if that was needed, else the regular cost',
		},
		{
			name: 'Basic',
			value: 'basic',
			description: 'For sites with little bot protection; regular cost',
		},
		{
			name: 'Enhanced',
			value: 'enhanced',
			description: 'For sites with strong bot protection; up to 5 credits per request',
		},
	],
};

const parsers: Field = {
	displayName: 'PDF Parsing',
	name: 'parsers',
	type: 'collection',
	default: {},
	placeholder: 'Add PDF Option',
	description:
		'What becomes of PDF files. The service default is to parse them, 1 credit per page.',
	options: [
		{
			displayName: 'Parse PDFs',
			name: 'parse',
			type: 'boolean',
			default: true,
			description:
				'Whether PDFs become markdown (1 credit per page). When off, the file comes base64-encoded at a flat 1 credit.',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			default: 'auto',
			options: [
				{ name: 'Auto', value: 'auto', description: 'Embedded text, then OCR where there is none' },
				{ name: 'Fast', value: 'fast', description: 'Embedded text only' },
				{ name: 'OCR', value: 'ocr', description: 'OCR on every page' },
			],
		},
		{
			displayName: 'Max Pages',
			name: 'maxPages',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 10000, numberPrecision: 0 },
			default: 100,
			description: 'Pages to parse at most, to limit the cost',
		},
	],
	wire: {
		// The service parses PDFs unless it is given an empty list.
		put: (target, value) => {
			const { parse, ...parser } = value as IDataObject;
			target.parsers = parse === false ? [] : [{ type: 'pdf', ...parser }];
		},
	},
};

const profile: Field = {
	displayName: 'Browser Profile',
	name: 'profile',
	type: 'collection',
	default: {},
	placeholder: 'Add Profile Option',
	description: 'Keeps cookies, local storage and logins between scrapes',
	options: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. shop-login',
			description: 'Scrapes with the same name share cookies, local storage and sessions',
			wire: { maxLength: 128, required: true },
		},
		{
			displayName: 'Save Changes',
			name: 'saveChanges',
			type: 'boolean',
			default: true,
			description:
				'Whether to save the state back afterwards; only one session may save at a time. The service default is on.',
		},
	],
};

export const skipTlsVerification: Field = {
	displayName: 'Skip TLS Verification',
	name: 'skipTlsVerification',
	type: 'boolean',
	default: true,
	description:
		'Whether to accept invalid certificates of the scraped site. The service default is on.',
};

/** The fields of ScrapeOptions (v2) without the formats, which `formatFields` gives; in the order people need them. */
export const scrapeOptionFields: Field[] = [
	onlyMainContent,
	includeTags,
	excludeTags,
	actionsField,
	waitFor,
	wholeNumber({
		displayName: 'Timeout (Ms)',
		name: 'timeout',
		default: 60000,
		minValue: 1000,
		maxValue: 300000,
		description:
			'Milliseconds until the scrape of a page is given up, 1000 to 300000. The service default is 60000.',
	}),
	proxy,
	locationField,
	headers,
	mobile,
	wholeNumber({
		displayName: 'Max Age (Ms)',
		name: 'maxAge',
		default: 172800000,
		minValue: 0,
		description:
			'A cached copy younger than this many milliseconds is returned, which is faster; 0 always scrapes afresh. The service default is 172800000 (2 days).',
	}),
	wholeNumber({
		displayName: 'Min Age (Ms)',
		name: 'minAge',
		default: 1,
		minValue: 1,
		description:
			'Only the cache is asked, for a copy at least this many milliseconds old; 1 takes any. Without one there is an error instead of a scrape.',
	}),
	parsers,
	blockAds,
	removeBase64Images,
	storeInCache,
	skipTlsVerification,
	profile,
];

/** Scrape options as one control, sent as the object `scrapeOptions`. */
export function scrapeOptionsField(fields: Field[], description: string): Field {
	return {
		displayName: 'Scrape Options',
		name: 'scrapeOptions',
		type: 'collection',
		placeholder: 'Add Scrape Option',
		default: {},
		description,
		options: fields,
		// Formats may have been put there already.
		wire: {
			put: (target, value) => {
				target.scrapeOptions = {
					...(target.scrapeOptions as IDataObject),
					...(value as IDataObject),
				};
			},
		},
	};
}

import { below } from '../../shared/form/checks';
import type { Field } from '../../shared/form/field';
import { jobIdField } from '../../shared/fields/jobId';
import { shownFor } from '../../shared/form/field';
import { apiVersion } from '../../shared/fields/apiVersion';
import { formatFields } from '../../shared/fields/formats';
import { scrapeOptionFields, scrapeOptionsField } from '../../shared/fields/scrapeOptions';
import { scrapeOptionFieldsV1 } from '../../shared/fields/scrapeOptionsV1';
import { schemaField } from '../../shared/fields/schema';
import { lines, linesField, urls } from '../../shared/form/values';
import type { Form } from '../../shared/operation';

const urlList = linesField({
	displayName: 'URLs',
	name: 'urls',
	required: true,
	example: 'https://example.com/products/*',
	description: 'Pages to read; an asterisk stands for any part, e.g. https://example.com/blog/*',
	wire: { value: lines },
});

const prompt: Field = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Extract the name, price and availability of each product',
	description: 'Says in words what to extract',
};

const schema = schemaField({
	displayName: 'Output Schema',
	name: 'schema',
	description: 'The shape the result should have',
});

/** What starting an extraction takes (Extract), in the order people need it. */
export const startFields: Field[] = [
	urlList,
	prompt,
	schema,
	apiVersion,
	shownFor(
		{ apiVersion: ['v1'] },
		scrapeOptionsField(scrapeOptionFieldsV1, 'How the pages are read'),
	),
	shownFor(
		{ apiVersion: ['v2'] },
		{
			...scrapeOptionsField(
				[...formatFields('formats', { required: false }), ...scrapeOptionFields],
				'How the pages are read',
			),
			name: 'scrapeOptionsV2',
		},
	),
];

/** The job id that starting an extraction gave. */
export const jobId = jobIdField('extraction');

/** Refuses invalid URLs, unless the service is to skip and list them. Throws NodeOperationError. */
export function checkUrls({ body, place }: Form): void {
	if (body.ignoreInvalidURLs !== true) urls(body.urls, below(place, urlList.displayName));
}

/** The settings of an extraction that have a default at the service. */
export const startSettings: Field[] = [
	{
		displayName: 'Include Subdomains',
		name: 'includeSubdomains',
		type: 'boolean',
		default: true,
		description: 'Whether to read pages of subdomains too. The service default is on.',
	},
	{
		displayName: 'Enable Web Search',
		name: 'enableWebSearch',
		type: 'boolean',
		default: false,
		description: 'Whether to search the web for additional data. The service default is off.',
	},
	{
		displayName: 'Show Sources',
		name: 'showSources',
		type: 'boolean',
		default: false,
		description: 'Whether the result names the pages it comes from. The service default is off.',
	},
	{
		displayName: 'Ignore Sitemap',
		name: 'ignoreSitemap',
		type: 'boolean',
		default: false,
		description: "Whether to leave the site's sitemap.xml unread. The service default is off.",
	},
	{
		displayName: 'Ignore Invalid URLs',
		name: 'ignoreInvalidURLs',
		type: 'boolean',
		default: false,
		description:
			'Whether to skip invalid URLs and list them as invalidURLs in the output instead of failing. The service default is off.',
	},
];

import type { IDataObject } from 'n8n-workflow';

import { isObject, without } from '../base/json';
import { booleanField, textField, wholeNumberField, choiceField } from '../form/controls';
import type { Field } from '../form/field';

/** Creates a dropdown for how to use the site's sitemap; `pages` describes which pages each choice includes. */
export const sitemapField = (pages: Record<'include' | 'only' | 'skip', string>): Field =>
	choiceField('sitemap', 'Sitemap', {
		default: 'include',
		choices: [
			['include', 'Include', pages.include],
			['only', 'Only', pages.only],
			['skip', 'Skip', pages.skip],
		],
	});

/** The options that decide which pages a map lists. */
export const mapFields: Field[] = [
	textField('search', 'Search', {
		placeholder: 'e.g. pricing',
		description: 'Pages with these words come first; set Limit to leave the others out',
	}),
	wholeNumberField('limit', 'Limit', {
		maxValue: 100000,
		default: 50,
		description: 'Max number of results to return',
		hint: "The service default is 5000. Pages outside the URL's path count, but are left out.",
	}),
	// A map doesn't follow links.
	sitemapField({
		include: 'The sitemap, search engines and earlier crawls',
		only: 'Only pages in the sitemap',
		skip: 'Only search engines and earlier crawls',
	}),
	booleanField('includeSubdomains', 'Include Subdomains', {
		description: 'Whether to list pages on subdomains too',
	}),
	booleanField('ignoreCache', 'Ignore Cache', {
		description: 'Whether to read the sitemap now; a copy may be 7 days old. Newer services only.',
	}),
];

/**
 * Returns a map's response with its list as `links`, which other servers put under `data`, and without its ID, which
 * leads nowhere.
 */
export function withLinks(response: IDataObject): IDataObject {
	const { links, data } = response;
	const others = isObject(data) ? data.links : data;
	if (links !== undefined || others === undefined) return without(response, 'id');
	const around = isObject(data) ? data : {};
	return { ...without(around, 'id'), ...without(response, 'id', 'data'), links: others };
}

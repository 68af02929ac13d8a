import { booleanField, textField, wholeNumberField } from '../../shared/form/controls';
import type { Field } from '../../shared/form/field';
import { splitIntoItems } from '../../shared/fields/options';
import { locationField } from '../../shared/fields/scrapeOptions';
import { sitemapField } from '../../shared/fields/sitemap';
import { auditUsername, threatProtection } from '../../shared/fields/teamPolicy';
import { warningIn } from '../../shared/base/json';
import type { Operation } from '../../shared/run/operation';
import { objectsIn } from '../../shared/run/results/required';
import { urlField } from './urlField';

const settings: Field[] = [
	textField('search', 'Search', {
		placeholder: 'e.g. pricing',
		description:
			'Pages that match these words come first, all others after them; set Limit to leave the others out',
		wire: { mayBeEmpty: true },
	}),
	wholeNumberField('limit', 'Limit', {
		minValue: 1,
		maxValue: 100000,
		default: 50,
		description: 'Max number of results to return',
		hint: "The service default is 5000. Pages outside the URL's path also count, but are left out.",
	}),
	// A map follows no links.
	sitemapField({
		include: 'Pages in the sitemap, and those known from search engines and earlier crawls',
		only: 'Only pages in the sitemap',
		skip: 'Only pages known from search engines and earlier crawls',
	}),
	booleanField('includeSubdomains', 'Include Subdomains', {
		default: true,
		description: 'Whether to list pages on subdomains too',
	}),
	booleanField('ignoreQueryParameters', 'Ignore Query Parameters', {
		default: true,
		description:
			'Whether to remove the query from every URL (/shop?item=7 becomes /shop) and list each once. The service default is on.',
	}),
	wholeNumberField('timeout', 'Timeout (Ms)', {
		minValue: 1,
		default: 60000,
		description: 'Milliseconds to spend on the map before giving up',
		wire: { mayBeEmpty: true },
	}),
	booleanField('ignoreCache', 'Ignore Cache', {
		default: true,
		description:
			'Whether to read the sitemap afresh instead of from the cache, which may be 7 days old. Newer services only.',
	}),
	locationField,
	{
		...threatProtection,
		description: `${threatProtection.description} Each page found is checked, up to Limit.`,
	},
	auditUsername,
	splitIntoItems,
];

const NO_PAGE =
	'The service found no page. Check the Site URL in a browser, and the options that leave pages out.';

/** Returns an item per page of a site, with its URL and, if known, its title (api/beyond.openapi.yaml). */
export const map: Operation = {
	name: 'List Pages of Site',
	value: 'map',
	action: 'List pages of site',
	description: 'List the pages of a site without scraping them; 1 credit in all',
	method: 'POST',
	path: '/v2/map',
	fields: [urlField],
	options: settings,
	price: () => 1,
	split: (response) => {
		const found = objectsIn(response, 'links', { textField: 'url' });
		const warning = warningIn(response) || (found.length === 0 && NO_PAGE);
		if (!warning) return found;
		return (found.length === 0 ? [{}] : found).map((page) => ({ ...page, mapWarning: warning }));
	},
};

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../shared/base/text';
import { booleanField, textField, timeField } from '../../shared/form/controls';
import { url } from '../../shared/form/urls';
import type { Field } from '../../shared/form/field';
import { mapFields, withLinks } from '../../shared/fields/map';
import { splitIntoItems } from '../../shared/fields/options';
import { locationField, onlyWith, scrapeTopics } from '../../shared/fields/scrapeOptions';
import { auditUsername, threatProtection } from '../../shared/fields/teamPolicy';
import { warningIn } from '../../shared/client/response';
import { PRICES, credits, mapPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { objectsIn } from '../../shared/run/results/response';

const site = textField('siteUrl', 'Site URL', {
	required: true,
	placeholder: 'e.g. https://example.com',
	hint: `${credits(PRICES.map)} in all, up to 5000 pages`,
	wire: { as: 'url', value: url },
});

const [, browser, cacheAndSafety] = scrapeTopics('');

const settings: Field[] = [
	...mapFields,
	booleanField('ignoreQueryParameters', 'Ignore Query Parameters', {
		description: 'Whether /shop?item=7 becomes /shop, listed once. The service default is on.',
	}),
	timeField('timeout', 'Timeout', 'Seconds', {
		default: 60,
		description: 'How long to try to list the pages',
		wire: { mayBeEmpty: true },
	}),
	onlyWith(browser, [locationField]),
	onlyWith(cacheAndSafety, [threatProtection, auditUsername]),
	splitIntoItems,
];

/** Whether an entry isn't without an address, on which the next node would fail. */
const isPage = (link: IDataObject) => !('url' in link) || textOf(link.url ?? '').trim() !== '';

/** Returns an item per page of a site, with its URL and, if known, its title (api/beyond.openapi.yaml). */
export const map: Operation = {
	name: 'List Pages of Site',
	description: `List the pages of a site without scraping them; ${credits(PRICES.map)} in all`,
	method: 'POST',
	path: '/v2/map',
	fields: [site],
	options: settings,
	price: mapPrice,
	resultsKey: 'links',
	select: withLinks,
	split: (response) => {
		const found = objectsIn(response, 'links', { textField: 'url' }).filter(isPage);
		const warning = warningIn(response);
		return warning ? found.map((page) => ({ ...page, mapWarning: warning })) : found;
	},
	ifNothing: [
		'The service found no page',
		'Check the URL in a browser, and the options that leave pages out.',
	],
};

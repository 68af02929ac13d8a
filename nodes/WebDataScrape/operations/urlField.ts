import { textField } from '../../shared/form/controls';
import { PRICES, credits } from '../../shared/fields/prices';
import { oneUrl } from '../../shared/form/urls';

/** The page to scrape. */
export const pageUrl = textField('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://example.com/article',
	description: 'The page to scrape',
	hint: `${credits(PRICES.page)}, ${PRICES.xPage} on X (Twitter), more with some formats. May be a copy up to 2 days old: see Options → Always Fetch Fresh.`,
	wire: {
		value: (entered, place) =>
			oneUrl(
				entered,
				place,
				'Enter one URL; give others items of their own, or choose Scrape Many Pages and Wait.',
			),
	},
});

/** The site whose pages to list. */
export const siteUrl = textField('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://example.com',
	description: 'The site whose pages to list, or a part of it',
	hint: `${credits(PRICES.map)} in all, up to 5000 pages`,
	wire: {
		value: (entered, place) =>
			oneUrl(entered, place, 'Enter one URL; give others items of their own.'),
	},
});

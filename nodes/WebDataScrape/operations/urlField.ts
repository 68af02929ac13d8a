import { textField } from '../../shared/form/controls';
import { PRICES, credits } from '../../shared/fields/prices';
import { oneUrl } from '../../shared/form/urls';

/** The page to scrape, or the site whose pages to list. */
export const urlField = textField('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://example.com/article',
	description: 'The page to scrape, or the site whose pages to list',
	hint: `Scrape Page: ${credits(PRICES.page)}, ${PRICES.xPage} on X (Twitter), more with some formats; a copy up to 2 days old unless you set Options → Always Fetch Fresh. List Pages of Site: ${credits(PRICES.map)} in all, up to 5000 pages.`,
	wire: {
		value: (entered, place, form) => {
			const many = form?.('operation') === 'map' ? '' : ', or choose Scrape Many Pages and Wait';
			return oneUrl(entered, place, `Enter one URL; give others items of their own${many}.`);
		},
	},
});

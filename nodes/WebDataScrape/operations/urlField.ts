import { textField } from '../../shared/form/controls';
import { PRICES, credits } from '../../shared/fields/prices';
import { url } from '../../shared/form/urls';

/** The page to scrape, or the site to map. */
export const urlField = textField('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://example.com/article',
	description: 'The page to scrape, or the site to map',
	hint: `Scrape Page: ${credits(PRICES.page)}, ${PRICES.xPage} on X (Twitter), more with some formats; a copy up to 2 days old unless you set Cache and Safety → Always Fetch Fresh. List Pages of Site: ${credits(PRICES.page)} in all, up to 5000 pages.`,
	wire: { value: url },
});

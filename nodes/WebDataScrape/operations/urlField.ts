import { textField } from '../../shared/form/controls';
import { PRICES, credits } from '../../shared/fields/prices';
import { url } from '../../shared/form/urls';

/** The page to scrape, or the site to map. */
export const urlField = textField('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://example.com/article',
	description: 'The page to scrape, or the site to map',
	hint: `Scraping a page costs ${credits(PRICES.page)}, or ${PRICES.xPage} on X (Twitter); some formats cost more. Listing a site costs ${PRICES.page} in all, up to 5000 pages. A page may be a copy up to 2 days old, unless you turn on Cache and Safety → Always Fetch Fresh.`,
	wire: { value: url },
});

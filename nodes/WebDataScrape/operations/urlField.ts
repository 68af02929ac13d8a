import { textField } from '../../shared/form/controls';
import { url } from '../../shared/form/urls';

/** The page to scrape, or the site to map. */
export const urlField = textField('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://example.com/article',
	description: 'The page to scrape, or the site to map',
	hint: 'Scrape may return a copy up to 2 days old; for a fresh one, set Max Age in Cache and Safety to 0. Map lists up to 5000 pages. Each costs 1 credit; scraping a page of X (Twitter) costs 30.',
	wire: { value: url },
});

import { PRICES } from '../../nodes/shared/fields/prices';
import type { Table } from './markdown';

/** Returns the table of prices in docs/costs.md: its header and its rows. */
export function priceTable(): Table {
	const page = [
		`${PRICES.page}; up to ${PRICES.enhancedPage} if Proxy Enhanced is used, which Auto does where it is needed (newer services bill ${PRICES.page}); ${PRICES.lockdownPage} with Lockdown, with or without JSON; ${PRICES.xPage} on x.com and twitter.com`,
		`plus ${PRICES.aiFormat} for each of JSON, Question, Highlights, Audio and Video; Change Tracking in JSON mode counts as JSON, and both together once`,
		`plus ${PRICES.redaction} with Redact Personal Data`,
		`plus ${PRICES.threatCheck} with Threat Protection`,
		`plus ${PRICES.zeroDataRetention} with Zero Data Retention (not with Lockdown)`,
	];
	const search = [
		`${PRICES.tenResults} per 10 results (rounded up, all sources together), or ${PRICES.tenResultsZdr} with End-to-End Zero Data Retention`,
		`plus ${2 * PRICES.threatCheck} per result with Threat Protection`,
		`plus each scraped page, ${PRICES.enterprisePage} more in an Enterprise mode`,
	];
	const rows = [
		['A page', page.join('; ')],
		[
			'A PDF',
			`${PRICES.page} for each of its pages, ${PRICES.page + PRICES.redaction} with Redact Personal Data; the rest as for a page`,
		],
		[
			'List Pages of Site',
			`${PRICES.map}; plus ${PRICES.threatCheck} with Threat Protection for each page that it lists. Some sites are billed per listed post, at 1 each`,
		],
		['Search', search.join('; ')],
		['Crawl, Scrape Many Pages', 'Each page'],
		[
			'Interact',
			`${PRICES.promptMinute} for each minute with a prompt, ${PRICES.codeMinute} with code. [What the browser costs](scrape.md#read-pages-behind-a-login)`,
		],
		['Agent', 'Up to Max Credits; most tasks take a few hundred'],
		['Extract', 'Not known'],
	];
	return [['Call', 'Credits'], rows];
}

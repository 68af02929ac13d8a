import type { ErrorText } from './errorTexts';

const TRY_ANOTHER_WAY =
	'Open it in a browser to see whether it works; then try Proxy: Enhanced, or a longer Wait For and Timeout (Ms).';
const NOT_BILLED = 'A page that could not be scraped is not billed.';
const BILLED = 'The service bills 1 credit for such a page.';

interface PageError extends ErrorText {
	/** Whether such a page is billed all the same, also with a 4xx. */
	isBilled?: boolean;
}

/** What kept one page from being scraped, by the service's code. The service itself works. */
export const pageErrors: Array<[RegExp, PageError]> = [
	[
		/^SCRAPE_DNS_RESOLUTION_ERROR$/,
		{
			message: 'The host name of the page could not be found',
			remedy: `Check the spelling of the URL. ${BILLED}`,
			isBilled: true,
		},
	],
	[
		/^SCRAPE_SSL_ERROR$/,
		{
			message: 'The TLS certificate of the page is not valid',
			remedy: `If you trust the site, turn on Scrape Options → Skip TLS Verification. ${NOT_BILLED}`,
		},
	],
	[
		/^SCRAPE_(SITE_ERROR|PROXY_SELECTION_ERROR)$/,
		{
			message: 'The site did not deliver the page',
			remedy: `Check the URL in a browser, and try another Proxy or Location. ${NOT_BILLED}`,
		},
	],
	[
		/^SCRAPE_ACTION(_ERROR|S_NOT_SUPPORTED)$/,
		{
			message: 'An action could not be done on the page',
			remedy: `Check the selectors under Actions, and add a Wait before the action that fails. ${NOT_BILLED}`,
		},
	],
	[
		/^SCRAPE_(PDF|DOCUMENT)_\w+$/,
		{
			message: 'The document behind the URL could not be read',
			remedy: `Raise Timeout (Ms), or lower Max Pages or choose another Mode under PDF Parsing. ${NOT_BILLED}`,
		},
	],
	[
		/^SCRAPE_(UNSUPPORTED_FILE_ERROR|\w+_UNSUPPORTED_URL|BRANDING_NOT_SUPPORTED)$/,
		{
			message: 'The service cannot read this kind of page or file',
			remedy: `Choose other Formats, or leave the URL out. ${NOT_BILLED}`,
		},
	],
	[
		/^(UNSUPPORTED_SITE|SAFE_MODE_BLOCKED|unsafe_domain_blocked|SCRAPE_MEDIA_ACCESS_DENIED)$/,
		{
			message: 'The service does not scrape this site',
			remedy: 'Leave it out, or ask the service to allow it.',
		},
	],
	[
		/^SCRAPE_LOCKDOWN_CACHE_MISS$/,
		{
			message: 'There is no cached copy of the page, and Lockdown allows no other',
			remedy: `Turn Lockdown off to scrape the page. ${BILLED}`,
			isBilled: true,
		},
	],
	[
		/^SCRAPE_(?!TIMEOUT$|NO_CACHED_DATA$)\w+$/,
		{
			message: 'The page could not be scraped',
			remedy: `${TRY_ANOTHER_WAY} ${NOT_BILLED}`,
		},
	],
];

/** The text for a code that tells of one page; undefined for any other code. */
export function pageError(code: unknown): PageError | undefined {
	return pageErrors.find(([pattern]) => typeof code === 'string' && pattern.test(code))?.[1];
}

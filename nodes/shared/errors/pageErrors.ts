import { textOf } from '../text';
import type { ErrorText } from './failure';

const TRY_ANOTHER_WAY =
	'Open it in a browser to see whether it works; then try Proxy: Enhanced, or a longer Wait For and Timeout (Ms).';

interface PageError extends ErrorText {
	/** Says whether such a page is billed, if only by older services; undefined if that isn't known. */
	isBilled?: boolean;
}

type Remedy = Pick<PageError, 'remedy' | 'isBilled'>;

const billed = (price: string, remedy: string): Remedy => ({
	remedy: `${remedy} The service bills ${price} for such a page.`,
	isBilled: true,
});

const notBilled = (remedy: string): Remedy => ({
	remedy: `${remedy} A page that could not be scraped is not billed.`,
	isBilled: false,
});

/** Explains by the service's code why one page could not be scraped. The service itself works. */
export const pageErrors: Array<[RegExp, PageError]> = [
	[
		/^SCRAPE_DNS_RESOLUTION_ERROR$/,
		{
			message: 'The host name of the page could not be found',
			remedy: 'Check the spelling of the URL. Older services bill 1 credit for such a page.',
			isBilled: true,
		},
	],
	[
		/^SCRAPE_SSL_ERROR$/,
		{
			message: 'The TLS certificate of the page is not valid',
			...notBilled('If you trust the site, turn on Scrape Options → Skip TLS Verification.'),
		},
	],
	[
		/^SCRAPE_(SITE_ERROR|PROXY_SELECTION_ERROR)$/,
		{
			message: 'The site did not deliver the page',
			...notBilled('Check the URL in a browser, and try another Proxy or Location.'),
		},
	],
	[
		/^SCRAPE_ACTION(_ERROR|S_NOT_SUPPORTED)$/,
		{
			message: 'An action could not be done on the page',
			...notBilled(
				'Check the selectors under Actions, and add a Wait before the action that fails.',
			),
		},
	],
	[
		/^SCRAPE_(PDF|DOCUMENT)_\w+$/,
		{
			message: 'The document behind the URL could not be read',
			...notBilled(
				'Raise Timeout (Ms), or lower Max Pages or choose another Mode under PDF Parsing.',
			),
		},
	],
	[
		/^SCRAPE_(UNSUPPORTED_FILE_ERROR|\w+_UNSUPPORTED_URL|BRANDING_NOT_SUPPORTED)$/,
		{
			message: 'The service cannot read this kind of page or file',
			...notBilled('Choose other Formats, or leave the URL out.'),
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
		/^CRAWL_DENIAL$/,
		{
			message: 'The page may not be scraped',
			...notBilled('Leave it out: the robots.txt of its site forbids it.'),
		},
	],
	[
		/^SCRAPE_JSON_CONTENT_TOO_LARGE$/,
		{
			message: 'The page is too large for extracting JSON from it',
			...notBilled('Turn on Only Main Content, or name the parts that matter in Include Tags.'),
		},
	],
	[
		/^SCRAPE_PROMPT_INJECTION_DETECTED$/,
		{
			message: 'The page seems to give instructions to AI, so nothing was extracted from it',
			...billed(
				'5 credits',
				'Look at the page. If it is harmless, choose formats that need no AI, such as Markdown, or leave out checkPromptInjection.',
			),
		},
	],
	[
		/^SCRAPE_LOCKDOWN_CACHE_MISS$/,
		{
			message: 'There is no cached copy of the page, and Lockdown allows no other',
			...billed('1 credit', 'Turn Lockdown off to scrape the page.'),
		},
	],
	[
		/^SCRAPE_(?!TIMEOUT$|NO_CACHED_DATA$)\w+$/,
		{
			message: 'The page could not be scraped',
			...notBilled(TRY_ANOTHER_WAY),
		},
	],
];

/** Matches a site that the service turns down without a code. */
const UNSUPPORTED_SITE = /not support this site/i;

/** Gives our text for a service's error about one page; undefined for any other error. */
export function pageErrorOf(body?: { code?: unknown; error?: unknown }): PageError | undefined {
	const { code, error } = body ?? {};
	const isTurnedDown = code === undefined && UNSUPPORTED_SITE.test(textOf(error));
	const known = isTurnedDown ? 'UNSUPPORTED_SITE' : code;
	return pageErrors.find(([pattern]) => typeof known === 'string' && pattern.test(known))?.[1];
}

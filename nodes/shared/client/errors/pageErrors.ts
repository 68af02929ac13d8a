import { LONGEST_SEARCHED, plural, textOf } from '../../base/text';
import type { ErrorText } from './texts';

export interface PageError extends ErrorText {
	codes: RegExp;
	/** Maximum number of credits that any version of the service bills for such a page; undefined if unknown. */
	credits?: number;
}

const unreadable: PageError = {
	codes: /^SCRAPE_(PDF|DOCUMENT)_\w+$/,
	message: 'The document could not be read',
	remedy:
		'Check that it opens without a password; a site may also keep bots away from it. Raise {Timeout (Seconds)}. Lower {Max Pages} or choose another Mode under {PDF Parsing}.',
	credits: 0,
};

/**
 * Why a page could not be scraped although the service itself works: the codes that change what to do or what is
 * billed. The last text is for all others. The service's own words follow the message.
 */
export const pageErrors: PageError[] = [
	unreadable,
	{
		codes: /^SCRAPE_DNS_RESOLUTION_ERROR$/,
		message: 'The host name of the page could not be found',
		remedy: 'Check the spelling of the address.',
		credits: 1,
	},
	{
		codes: /^SCRAPE_SSL_ERROR$/,
		message: 'The TLS certificate of the page is not valid',
		remedy:
			'If you trust the site, turn on {Skip TLS Verification}. If it is on, remove {Headers} and {Actions}, for which some services turn it off.',
		credits: 0,
	},
	{
		codes: /^(NO_ENGINE|SCRAPE_(PROXY_SELECTION_ERROR|ACTIONS_NOT_SUPPORTED))$/,
		message: 'This service has no part that can do what was asked for',
		remedy:
			'Leave out what it may lack: {Actions}, screenshots, {PDF Parsing}, or another {Proxy} than Basic. Or install the part.',
		credits: 0,
	},
	{
		codes: /^(UNSUPPORTED_SITE|SAFE_MODE_BLOCKED|unsafe_domain_blocked|\w+_ACCESS_DENIED)$/,
		message: 'The service does not scrape this site',
		remedy: 'Leave it out, or ask the service to allow it.',
	},
	{
		codes: /^SCRAPE_PROMPT_INJECTION_DETECTED$/,
		message: 'The page seems to give instructions to AI, so nothing was extracted from it',
		remedy:
			'Look at the page. If it is harmless, choose formats that need no AI, such as Markdown, or leave out checkPromptInjection.',
		credits: 5,
	},
	{
		codes: /^SCRAPE_LOCKDOWN_CACHE_MISS$/,
		message: 'There is no cached copy of the page, and Lockdown allows no other',
		remedy: 'Turn {Lockdown} off to scrape the page.',
		credits: 1,
	},
	{
		codes: /^(CRAWL_DENIAL|SCRAPE_(?!TIMEOUT$|NO_CACHED_DATA$)\w+)$/,
		message: 'The page could not be scraped',
		remedy:
			'If the reason does not help, open the page in a browser to see whether it works. If it does, raise {Wait For (Seconds)} and {Timeout (Seconds)}. Or try another {Proxy}: a self-hosted service may only have Basic.',
		credits: 0,
	},
];

/** Returns what a page with an error costs, as a sentence; a response that states it supersedes it. */
export function costOfPage(credits: number): string {
	return credits === 0
		? 'A page that could not be scraped is not billed.'
		: `The service bills at most ${credits} ${plural(credits, 'credit')} for such a page.`;
}

/** Message with which a service refuses a site without sending an error code. */
const UNSUPPORTED_SITE =
	/support this (web)?site|site is no(t| longer) supported|(URL|site) is blocked/i;

/** Returns our text for a service's error about one page or input file; undefined for any other error. */
export function pageErrorOf(
	body?: { code?: unknown; error?: unknown },
	isFile = false,
): PageError | undefined {
	const { code, error } = body ?? {};
	const said = textOf(error).slice(0, LONGEST_SEARCHED);
	const isTurnedDown = code === undefined && UNSUPPORTED_SITE.test(said);
	const hasNoEngine = said.includes('Engines tried: []');
	const known = isTurnedDown ? 'UNSUPPORTED_SITE' : hasNoEngine ? 'NO_ENGINE' : code;
	if (typeof known !== 'string' || known.length > LONGEST_SEARCHED) return undefined;
	const found = pageErrors.find(({ codes }) => codes.test(known));
	return found && isFile ? { ...unreadable, credits: found.credits } : found;
}

import type { IDataObject } from 'n8n-workflow';

import { LONGEST_SEARCHED, plural, textOf } from '../../base/text';
import type { ErrorText } from './failure';

const TRY_ANOTHER_WAY =
	'Open it in a browser to see whether it works. If it does, raise {Wait For (Ms)} and {Timeout (Ms)}. Or try another {Proxy}: a self-hosted service may only have Basic.';

export interface PageError extends ErrorText {
	/** Maximum number of credits that any version of the service bills for such a page; undefined if unknown. */
	credits?: number;
	/** What such a page costs, as a sentence; superseded by a response that states it. */
	cost?: string;
	/** Whether the text also suits input files. */
	suitsFiles?: true;
}

type Remedy = Pick<PageError, 'remedy' | 'credits' | 'cost'>;

const billed = (credits: number, remedy: string): Remedy => ({
	remedy,
	credits,
	cost: `The service bills ${credits} ${plural(credits, 'credit')} for such a page.`,
});

const notBilled = (remedy: string): Remedy => ({
	remedy,
	credits: 0,
	cost: 'A page that could not be scraped is not billed.',
});

/** Why a page could not be scraped although the service itself works, by the service's code. */
export const pageErrors: Array<[RegExp, PageError]> = [
	[
		/^SCRAPE_DNS_RESOLUTION_ERROR$/,
		{
			message: 'The host name of the page could not be found',
			remedy: 'Check the spelling of the address.',
			credits: 1,
			cost: 'Older services bill 1 credit for such a page.',
		},
	],
	[
		/^SCRAPE_SSL_ERROR$/,
		{
			message: 'The TLS certificate of the page is not valid',
			...notBilled(
				'If you trust the site, turn on {Skip TLS Verification}. If it is on, remove {Headers} and {Actions}, for which some services turn it off.',
			),
		},
	],
	[
		/^SCRAPE_SITE_ERROR$/,
		{
			message: 'The site did not deliver the page',
			...notBilled('Check the address in a browser. Try another {Proxy} or {Location}.'),
		},
	],
	[
		/^SCRAPE_PROXY_SELECTION_ERROR$/,
		{
			message: 'The service has no such proxy',
			...notBilled(
				'Choose another {Proxy} or {Location}, or remove both: a self-hosted service may only have Basic.',
			),
		},
	],
	[
		/^SCRAPE_ACTIONS_NOT_SUPPORTED$/,
		{
			message: 'The service has no browser to carry out actions',
			...notBilled('Install the service with its browser. Or leave out {Actions}.'),
		},
	],
	[
		/^SCRAPE_ACTION_ERROR$/,
		{
			message: 'An action could not be carried out on the page',
			...notBilled(
				'Check the selectors under {Actions}, and add a Wait before the action that fails.',
			),
		},
	],
	[
		/^SCRAPE_(PDF|DOCUMENT)_(ANTIBOT_ERROR|PREFETCH_FAILED)$/,
		{
			message: 'The site keeps bots away from the document',
			...notBilled('Download the file in another way. Or try another {Proxy}.'),
		},
	],
	[
		/^SCRAPE_PDF_\w+$/,
		{
			message: 'The PDF could not be read',
			...notBilled(
				'Check that it opens in a browser. Raise {Timeout (Ms)}. Lower {Max Pages} or choose another Mode under {PDF Parsing}.',
			),
		},
	],
	[
		/^SCRAPE_DOCUMENT_\w+$/,
		{
			message: 'The document could not be read',
			...notBilled('Check that it opens in a browser. Raise {Timeout (Ms)}.'),
		},
	],
	[
		/^SCRAPE_UNSUPPORTED_FILE_ERROR$/,
		{
			suitsFiles: true,
			message: 'The service cannot read this kind of file, or one this large',
			...notBilled('Leave it out.'),
		},
	],
	[
		/^SCRAPE_(\w+_UNSUPPORTED_URL|BRANDING_NOT_SUPPORTED)$/,
		{
			message: 'The page does not have what one of the formats asks for',
			...notBilled('Leave the page out. Or choose other {Formats}.'),
		},
	],
	[
		/^SCRAPE_X_TWITTER_CONFIGURATION_ERROR$/,
		{
			message: 'The service is not set up to read X (Twitter)',
			...notBilled('Leave pages of X out, or set the service up for them.'),
		},
	],
	[
		/^SCRAPE_ZDR_VIOLATION_ERROR$/,
		{
			suitsFiles: true,
			message: 'The request asks for something that the service cannot do without keeping data',
			...notBilled(
				'Turn {Zero Data Retention} off. Or remove what has to be kept, such as screenshots and {Actions}.',
			),
		},
	],
	[
		/^NO_ENGINE$/,
		{
			suitsFiles: true,
			message: 'This service has no part that can do what was asked for',
			...notBilled(
				'Leave out what it may lack: {Actions}, screenshots, {PDF Parsing}, or another {Proxy} than Basic. Or install the part.',
			),
		},
	],
	[
		/^SCRAPE_RETRY_LIMIT$/,
		{
			message: 'The service tried the page too often without success',
			...notBilled(
				'Remove what the page may not need, such as {Actions} or {PDF Parsing}. Or try another {Proxy}.',
			),
		},
	],
	[
		/^SCRAPE_JOB_CANCELLED$/,
		{
			message: 'The page was not scraped: its job was cancelled',
			...notBilled('Scrape the pages that are missing in another job.'),
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
			...notBilled(
				'Leave it out: the robots.txt of its site forbids it, or it leads to another site. {Include Paths} or {Exclude Paths} may forbid it, too.',
			),
		},
	],
	[
		/^SCRAPE_JSON_CONTENT_TOO_LARGE$/,
		{
			suitsFiles: true,
			message: 'The page is too large to extract JSON from it',
			...notBilled(
				'Turn on {Only Main Content}, or keep less of the page with {Include Tags} or {Exclude Tags}.',
			),
		},
	],
	[
		/^SCRAPE_PROMPT_INJECTION_DETECTED$/,
		{
			message: 'The page seems to give instructions to AI, so nothing was extracted from it',
			...billed(
				5,
				'Look at the page. If it is harmless, choose formats that need no AI, such as Markdown, or leave out checkPromptInjection.',
			),
		},
	],
	[
		/^SCRAPE_LOCKDOWN_CACHE_MISS$/,
		{
			message: 'There is no cached copy of the page, and Lockdown allows no other',
			...billed(1, 'Turn {Lockdown} off to scrape the page.'),
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

/** The text for an input file, used in place of the one for a page. */
const fileError: PageError = {
	message: 'The file could not be read',
	remedy:
		'Check that it opens on your computer, and needs no password. Raise {Timeout (Ms)}. Lower {Max Pages} or choose another Mode under {PDF Parsing}.',
};

/** Returns the text for an error about a page, or about an input file. */
export function pageWordsOf(body: IDataObject | undefined, isFile = false): PageError | undefined {
	const words = pageErrorOf(body);
	return words === undefined || !isFile || words.suitsFiles ? words : fileError;
}

/** Message with which a service refuses a site without sending an error code. */
const UNSUPPORTED_SITE =
	/not support this (web)?site|(web)?site is (no longer|not) supported|\b(URL|(web)?site) is blocked\b/i;

/** Returns our text for a service's error about one page; undefined for any other error. */
export function pageErrorOf(body?: { code?: unknown; error?: unknown }): PageError | undefined {
	const { code, error } = body ?? {};
	const said = textOf(error).slice(0, LONGEST_SEARCHED);
	const isTurnedDown = code === undefined && UNSUPPORTED_SITE.test(said);
	const hasNoEngine = said.includes('Engines tried: []');
	const known = isTurnedDown ? 'UNSUPPORTED_SITE' : hasNoEngine ? 'NO_ENGINE' : code;
	if (typeof known !== 'string' || known.length > LONGEST_SEARCHED) return undefined;
	return pageErrors.find(([pattern]) => pattern.test(known))?.[1];
}

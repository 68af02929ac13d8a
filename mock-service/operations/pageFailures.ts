import type { ServiceResponse } from '../response';

interface PageFailure {
	status: number;
	code: string;
	error: string;
	credits?: number;
	login_url?: string;
}

/** Ways in which scraping a page can fail, by the first label of its host, so that tests can trigger each of them. */
const BY_LABEL: Record<string, PageFailure> = {
	'dns-error': {
		status: 200,
		code: 'SCRAPE_DNS_RESOLUTION_ERROR',
		error: 'The host name of the page could not be resolved',
		credits: 1,
	},
	'engines-failed': {
		status: 500,
		code: 'SCRAPE_ALL_ENGINES_FAILED',
		error: 'All ways to load the page failed',
	},
	'ssl-error': {
		status: 500,
		code: 'SCRAPE_SSL_ERROR',
		error: 'The TLS certificate of the page is not valid',
	},
	'site-error': {
		status: 500,
		code: 'SCRAPE_SITE_ERROR',
		error: 'The page failed to load: net::ERR_CONNECTION_RESET',
	},
	'action-error': {
		status: 500,
		code: 'SCRAPE_ACTION_ERROR',
		error: 'Element not found',
	},
	'no-browser': {
		status: 400,
		code: 'SCRAPE_ACTIONS_NOT_SUPPORTED',
		error: 'No engine of this service supports actions',
	},
	'retry-limit': {
		status: 500,
		code: 'SCRAPE_RETRY_LIMIT',
		error: 'The page was tried as often as allowed',
	},
	'zdr-violation': {
		status: 400,
		code: 'SCRAPE_ZDR_VIOLATION_ERROR',
		error: 'A feature of this request needs data to be kept',
	},
	'x-twitter': {
		status: 500,
		code: 'SCRAPE_X_TWITTER_CONFIGURATION_ERROR',
		error: 'This service is not set up for posts of this site',
	},
	'job-cancelled': {
		status: 500,
		code: 'SCRAPE_JOB_CANCELLED',
		error: 'The job of this page was cancelled',
	},
	'index-only': {
		status: 403,
		code: 'AGENT_INDEX_ONLY',
		error: 'Without logging in, pages come from the index alone',
		login_url: 'https://service.example/login',
	},
	'too-slow': { status: 408, code: 'SCRAPE_TIMEOUT', error: 'The page took too long' },
	'not-supported': {
		status: 403,
		code: 'UNSUPPORTED_SITE',
		error: 'This site is not supported',
	},
	'service-error': {
		status: 500,
		code: 'UNKNOWN_ERROR',
		error: 'An unexpected error occurred',
	},
};

/** Returns the failure of scraping a page, with the credits billed in spite of it; undefined if scraping succeeds. */
export function pageFailure(
	url: string,
): { response: ServiceResponse; credits: number } | undefined {
	const [label] = new URL(url).hostname.split('.');
	if (!Object.hasOwn(BY_LABEL, label)) return undefined;
	const { status, credits = 0, ...body } = BY_LABEL[label];
	return { response: { status, body: { success: false, ...body } }, credits };
}

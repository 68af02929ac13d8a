import type { ServiceResponse } from '../response';

type PageFailure = [status: number, code: string, error: string];

/** Ways in which scraping a page can fail, by the first label of its host, so that tests can trigger each of them. */
const BY_LABEL: Record<string, PageFailure> = {
	'dns-error': [
		200,
		'SCRAPE_DNS_RESOLUTION_ERROR',
		'The host name of the page could not be resolved',
	],
	'engines-failed': [500, 'SCRAPE_ALL_ENGINES_FAILED', 'All ways to load the page failed'],
	'no-browser': [400, 'SCRAPE_ACTIONS_NOT_SUPPORTED', 'No engine of this service supports actions'],
	'too-slow': [408, 'SCRAPE_TIMEOUT', 'The page took too long'],
	'not-supported': [403, 'UNSUPPORTED_SITE', 'This site is not supported'],
};

/** Returns the failure of scraping a page, with the credits billed in spite of it; undefined if scraping succeeds. */
export function pageFailure(
	url: string,
): { response: ServiceResponse; credits: number } | undefined {
	const [label] = new URL(url).hostname.split('.');
	if (!Object.hasOwn(BY_LABEL, label)) return undefined;
	const [status, code, error] = BY_LABEL[label];
	const body = { success: false, code, error };
	return { response: { status, body }, credits: status === 200 ? 1 : 0 };
}

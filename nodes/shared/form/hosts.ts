import { parsedUrl } from '../base/url';

/** Matches a domain with what may follow it, as in lists of sites: `example.com/a`. */
const SITE = /^[\p{L}\d][^\s/\\?#@:,;|]*\.[\p{L}\d-]+(?::\d+)?(?:[/?#].*)?$/u;

/** Matches a file name, as in relative links: domains never end like that. */
export const FILE_NAME =
	/\.(html?|php|aspx?|jsp|cgi|pdf|xml|json|csv|txt|css|js|jpe?g|png|gif|svg|webp|ico|docx?|xlsx?|pptx?|mp[34]|zip|mov)$/;

/** Matches usual names of files whose endings are also those of domains. */
const COMMON_FILE =
	/^(?:[^.]+\.md|(?:archive|backup|changelog|icon|index|license|logo|main|photo|readme|script|setup|test|vector|video)\.(?:ai|app|pl|ps|py|rs|sh|so))$/;

/** Returns the domain at the beginning of a string, as in lists of sites; empty if there is none. */
export function siteHostOf(text: string): string {
	if (!SITE.test(text)) return '';
	const host = hostOf(`https://${text}`);
	const isFile = FILE_NAME.test(host) || COMMON_FILE.test(host);
	return /\.[a-z][a-z\d-]+$/.test(host) && !isFile ? host : '';
}

/** Returns an address with https:// added if it begins with its domain; any other string stays unchanged. */
export function withScheme(text: string): string {
	const bare = text.replace(/^\/\//, '');
	return siteHostOf(bare) === '' ? text : `https://${bare}`;
}

export const isSite = (text: string): boolean => siteHostOf(text) !== '';

/** Returns a URL's host; empty if invalid. In Node 20, URL.canParse() sometimes rejects international names. */
export function hostOf(text: string): string {
	return parsedUrl(text)?.hostname ?? '';
}

/** Whether a host can exist; an asterisk stands for any string. URL also accepts results of mistakes in expressions. */
export function isHost(host: string): boolean {
	return (
		/^([\w*-]+(\.[\w*-]+)*\.?|\[[\da-f:.]+\])$/.test(host) && !/^(undefined|null|nan)$/.test(host)
	);
}

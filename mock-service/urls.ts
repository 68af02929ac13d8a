/** Returns a URL as the service reads it: with http:// if it has no protocol. */
export const withScheme = (url: string) =>
	/^[a-z][\w+.-]*:\/\//i.test(url) ? url : `http://${url}`;

/** Whether a string is the URL of a web page; it may contain wildcards, as the URLs of an extraction may. */
export function isUrl(text: string): boolean {
	try {
		const { protocol, hostname } = new URL(text);
		const isReachable = /\.[a-z\d-]*[a-z\d]\.?$|^\[.*\]$/i.test(hostname);
		return /^https?:$/.test(protocol) && !/\s/.test(text) && isReachable;
	} catch {
		return false;
	}
}

import { isObject } from '../../base/json';
import { sentences, shortened, textOf, withoutEnd } from '../../base/text';
import { parsedUrl } from '../../base/url';
import type { About } from './about';
import type { Rejected } from './outcome';

/** Shortest wait (ms) worth mentioning. */
const MENTIONED_MS = 1_000;

/** Returns the URLs of a request that the service considered invalid. */
export function urlsLine(urls: unknown): string {
	return Array.isArray(urls) ? `The URLs were ${shortened(urls.map(textOf).join(', '))}.` : '';
}

/** Returns where the service wants something to be done first, such as a login. */
export function actionLine({ body = {} }: Rejected): string {
	const { requiresAction, login_url: login } = body;
	const url = isObject(requiresAction) ? requiresAction.url : login;
	return typeof url === 'string' && url !== '' ? `See ${shortened(url)}.` : '';
}

/** Returns where a response redirects to, and the Base URL that this suggests. */
export function redirectLine(location: string, { path: called, root }: About): string {
	const line = `It redirects to ${shortened(location)}`;
	const [path] = called.split('?');
	const target = parsedUrl(location, root + path);
	const targetPath = target && withoutEnd(target.pathname, '/');
	if (!targetPath?.endsWith(path)) return `${line}.`;
	const base = target!.origin + targetPath.slice(0, -path.length);
	if (base === root) return `${line}.`;
	return `${line}; if that is your service, ${base} is the Base URL to enter.`;
}

/** Returns how long a call has waited for the rate limit, and how much longer it would have had to. */
export function waitLine({ retryAfterMs, isUnsent }: Rejected, { waitedMs, jobId }: About): string {
	const waited = waitedMs < MENTIONED_MS ? '' : `Waited ${Math.ceil(waitedMs / 1_000)} s.`;
	const more = waited === '' ? '' : ' more';
	const named =
		retryAfterMs === undefined ? '' : `${Math.max(1, Math.floor(retryAfterMs / 1_000))} s${more}`;
	if (!isUnsent) return sentences([waited, named && `The service asks you to wait ${named}.`]);
	const wait = named && `, and it would have had to wait ${named}`;
	// The job itself was started; only this request about it wasn't sent.
	const what = jobId === undefined ? 'It' : 'This request about the job';
	return sentences([waited, `${what} was not sent: the account's rate limit was reached${wait}.`]);
}

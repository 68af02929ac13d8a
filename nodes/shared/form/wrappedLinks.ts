import { parsedUrl } from '../base/url';

/** Maximum length of a link that is looked into, in characters. */
const LONGEST_LINK = 8_000;

/** Returns a string with its percent codes decoded; unchanged if one is invalid. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

const LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the address in a link of Proofpoint's version 3: each `*`, and each run that `**` and a letter for its length
 * stand for, are the next characters of the Base64 that follows.
 */
function ofVersion3(link: string): string | undefined {
	const [, address, codes] = /\/v3\/__(.+?)__;([\w-]*)/.exec(link) ?? [];
	if (address === undefined) return undefined;
	const characters = [...Buffer.from(codes, 'base64url').toString()];
	return address
		.replace(/\*(?:\*([\w-]))?/g, (_, length?: string) =>
			characters.splice(0, length === undefined ? 1 : LENGTHS.indexOf(length) + 2).join(''),
		)
		.replace(/^(https?:)\/+/i, '$1//');
}

/** Filters of mail and pages that redirect, by host and path, and how to read the address in their links. */
const WRAPPERS: Array<[link: RegExp, addressIn: (link: URL) => string | null | undefined]> = [
	[/\.safelinks\.protection\.outlook\.com\//, ({ searchParams }) => searchParams.get('url')],
	[
		/^urldefense\.(?:proofpoint\.)?com\/v2\//,
		({ searchParams }) =>
			decoded((searchParams.get('u') ?? '').replaceAll('-', '%').replaceAll('_', '/')),
	],
	[/^urldefense\.(?:us|(?:proofpoint\.)?com)\/v3\//, ({ href }) => ofVersion3(href)],
	[/^urldefense\.proofpoint\.com\/v1\//, ({ searchParams }) => searchParams.get('u')],
	[
		/^www\.google\.[a-z.]{2,6}\/url$/,
		({ searchParams }) => searchParams.get('q') ?? searchParams.get('url'),
	],
];

/** Returns the address that a mail filter or a page of Google put into a link; undefined for any other link. */
export function wrappedAddressOf(link: string): string | undefined {
	if (
		link.length > LONGEST_LINK ||
		!/^https?:\/\/(?:[^/]*\.safelinks|urldefense|www\.google)\./i.test(link)
	) {
		return undefined;
	}
	const url = parsedUrl(link);
	if (url === undefined) return undefined;
	const wrapper = WRAPPERS.find(([place]) => place.test(url.hostname + url.pathname));
	const address = wrapper?.[1](url) ?? '';
	return /^https?:\/\//i.test(address) ? address : undefined;
}

import { NodeOperationError, type INode } from 'n8n-workflow';

import { BLANK } from '../text';

const EXAMPLE = 'Enter it in the credential like this: https://api.example.com';

/** Localhost, private addresses and names of a local network, with the whole host named, so that no other begins like one. */
const LOCAL_HOST =
	/^(?=(localhost|[a-z][\w-]*(?=:\d)|[\w.-]+\.(internal|lan|local)|(10|127)(\.\d+){3}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|192\.168(\.\d+){2}|\[::1\])(:\d+)?(\/|$))/i;

/**
 * What has a dot or a port before its path. Not what may be the API key in the wrong field, which would be looked up: a bare
 * word, a JSON Web Token, or a part between dots that is too long for a host.
 */
const HOST = /^(?!https?:|.*:\/\/|eyJ[\w-]{15,}\.[\w-]+\.|[^/]*[^/.:]{64})(?=[^/]*[.:])/i;

/**
 * What makes the root address of what was entered as Base URL, in this order: a scheme where there is none (a key goes
 * unencrypted only to a local host), and neither /v1, /v2 nor a slash at the end. The credential's test does the same in an expression.
 */
export const ROOT_STEPS: Array<[pattern: RegExp, replacement: string]> = [
	[new RegExp(`^${BLANK}+|${BLANK}+$`, 'g'), ''],
	[LOCAL_HOST, 'http://'],
	[HOST, 'https://'],
	[/[/?#]+$/, ''],
	[/\/v[12]$/, ''],
	[/\/+$/, ''],
];

/**
 * The service's root address (`{base_url}` in api/openapi.yaml), without a slash at the end: what a credential's
 * Base URL means. A missing scheme is added, a pasted /v1 or /v2 and slashes at the end are dropped; a path prefix is kept.
 * Throws NodeOperationError for what is no http(s) address.
 */
export function serviceRoot(baseUrl: unknown, node: INode): string {
	const entered = typeof baseUrl === 'string' ? baseUrl : '';
	const root = ROOT_STEPS.reduce((text, step) => text.replace(...step), entered);
	if (root === '') throw wrong(node, 'The Base URL of the credential is empty', EXAMPLE);
	if (!/^https?:/i.test(root)) {
		throw wrong(
			node,
			'The Base URL of the credential has to start with https:// or http://',
			// What has nothing of an address in it may be the key in the wrong field, with dots and slashes, too.
			root.includes('://') ? `It is “${withoutUser(root)}”. ${EXAMPLE}` : EXAMPLE,
		);
	}
	const url = parsedUrl(root);
	if (url === undefined) {
		throw wrong(node, 'The Base URL of the credential is not a valid address', EXAMPLE);
	}
	if (url.username !== '' || url.password !== '') {
		throw wrong(
			node,
			'The Base URL of the credential contains a user name or password',
			`Remove everything between “//” and “@”; the key goes into API Key. ${EXAMPLE}`,
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw wrong(
			node,
			'The Base URL of the credential contains a “?” or “#”',
			`Remove it and all that follows. ${EXAMPLE}`,
		);
	}
	return url.origin + url.pathname.replace(/\/$/, '');
}

/** A text as a URL, relative to `base` if given; undefined where it is none. */
export function parsedUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

function withoutUser(entered: string): string {
	return entered.replace(/^.*@/, '').slice(0, 100);
}

function wrong(node: INode, message: string, description: string): NodeOperationError {
	return new NodeOperationError(node, message, { description, level: 'warning' });
}

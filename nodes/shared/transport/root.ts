import { NodeOperationError, type INode } from 'n8n-workflow';

const EXAMPLE = 'Enter it in the credential like this: https://api.example.com';

/**
 * The service's root address (the document's `{base_url}`), without a slash at the end: what a credential's
 * Base URL means. A pasted /v1 or /v2 and slashes at the end are dropped; a path prefix is kept.
 * Throws NodeOperationError for what is no http(s) address.
 */
export function serviceRoot(baseUrl: unknown, node: INode): string {
	const entered = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (entered === '') throw wrong(node, 'The Base URL of the credential is empty', EXAMPLE);
	if (!/^https?:\/\//i.test(entered)) {
		throw wrong(
			node,
			'The Base URL of the credential has to start with https:// or http://',
			`It is “${withoutUser(entered)}”. ${EXAMPLE}`,
		);
	}
	const url = parsedUrl(entered);
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
	const path = url.pathname.replace(/\/+$/, '').replace(/\/v[12]$/, '');
	return url.origin + path.replace(/\/+$/, '');
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

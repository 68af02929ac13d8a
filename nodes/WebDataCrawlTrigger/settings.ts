import type { INode, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { CREDENTIAL_TYPE, pathSegment } from '../shared/transport';
import type { CrawlEvent, WatchSettings } from './crawlWatch';

/**
 * What the node's parameters say. Throws a NodeOperationError where there is no crawl or no event to
 * watch for, or an id can't be one.
 */
export function readSettings(context: IPollFunctions): WatchSettings {
	const node = context.getNode();
	const watch = context.getNodeParameter('watch') as string;
	const events = context.getNodeParameter('events') as CrawlEvent[];
	if (events.length === 0) {
		throw new NodeOperationError(node, 'Events is empty', {
			description: 'Choose at least one way a crawl can end.',
		});
	}
	const scope = `${watch}:${node.credentials?.[CREDENTIAL_TYPE]?.id ?? ''}`;
	if (watch === 'any') {
		return { scope, events, urlPatterns: linesOf(context.getNodeParameter('urlPattern', '')) };
	}
	const ids = linesOf(context.getNodeParameter('crawls')).map((entry) => crawlIdOf(entry, node));
	if (ids.length === 0) {
		throw new NodeOperationError(node, 'Crawls is empty', {
			description: 'Enter the ID or the status URL of at least one crawl, one per line.',
		});
	}
	return { scope, events, urlPatterns: [], ids: [...new Set(ids)] };
}

/** One entry per line, or the entries of an array that an expression gave. */
function linesOf(value: unknown): string[] {
	const entries = Array.isArray(value) ? value : String(value ?? '').split(/\r?\n/);
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

/** The id of a crawl given by its id or by the URL of its status; the URL's host is of no account. */
export function crawlIdOf(entry: string, node: INode): string {
	let id = entry;
	if (/^https?:\/\//i.test(entry)) {
		const path = entry.replace(/[?#].*$/, '').replace(/\/+$/, '');
		const found = /\/crawl\/([^/]+)$/.exec(path)?.[1];
		if (found === undefined || found === 'active') {
			throw new NodeOperationError(node, `Crawls has a URL that is not a crawl's: "${entry}"`, {
				description: 'The URL of a crawl ends in /crawl/ and its ID.',
			});
		}
		id = found;
	}
	pathSegment(id, 'Crawls', node);
	return id;
}

import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { missing } from '../shared/form/checks';
import { crawlIdOf } from '../shared/fields/crawlId';
import type { Place } from '../shared/form/field';
import { lines } from '../shared/form/values';
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
		const patterns = context.getNodeParameter('urlPattern', '');
		const urlPatterns = lines(patterns, { node, labels: ['URL Pattern'] }) ?? [];
		return { scope, events, urlPatterns };
	}
	const place: Place = { node, labels: ['Crawls'] };
	const crawls = lines(context.getNodeParameter('crawls'), place);
	if (crawls === undefined) throw missing(place);
	const ids = crawls.map((entry) => crawlIdOf(entry, place));
	for (const id of ids) pathSegment(id, 'Crawls', node);
	return { scope, events, urlPatterns: [], ids: [...new Set(ids)] };
}

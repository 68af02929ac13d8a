import type { INode } from 'n8n-workflow';

/**
 * Whether what is sent and what comes out must stay as it was: workflows of version 1 send and get what they did. Not so
 * the triggers, which have no items: what the crawl trigger of 0.1.0 gives is held by test/upgrade.
 */
export function isFrozen({
	node,
	itemIndex,
}: {
	node: Pick<INode, 'typeVersion'>;
	itemIndex?: number;
}): boolean {
	return node.typeVersion === 1 && itemIndex !== undefined;
}

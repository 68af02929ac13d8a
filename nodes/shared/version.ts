import type { INode } from 'n8n-workflow';

/**
 * Whether what is sent and what comes out must stay as it was: workflows of version 1 send and get what they did. The
 * triggers, without items, are newer.
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

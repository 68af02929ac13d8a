import type { NodeHint } from 'n8n-workflow';

/** Number of items from which the advice is shown. */
const MANY_ITEMS = 300;

/**
 * Advice to set Batching for many items: n8n prepares all of them in one go and doesn't respond to anybody meanwhile. A
 * default in the description would do nothing, because n8n replaces the whole field.
 */
export const batchingHint: NodeHint = {
	message:
		'n8n prepares all these items in one go and may freeze meanwhile. To let it pause, add Settings → Request Options → Batching: 20 items per batch, 1 ms apart.',
	displayCondition: `={{ $input.all().length >= ${MANY_ITEMS} && !$parameter["requestOptions"]?.["batching"] }}`,
	location: 'outputPane',
};

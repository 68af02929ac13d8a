import type { NodeHint } from 'n8n-workflow';

/** Number of items from which the advice shows. */
const MANY_ITEMS = 300;

/**
 * The advice to set Batching for many items: n8n prepares all of them in one go and responds to nobody meanwhile. A
 * default in the description would do nothing, as n8n replaces the whole field.
 */
export const batchingHint: NodeHint = {
	message:
		'n8n prepares all these items in one go, and can stand still meanwhile. To let it pause, add Settings → Request Options → Batching: 50 items per batch, 1 ms apart.',
	displayCondition: `={{ $input.all().length >= ${MANY_ITEMS} && !$parameter["requestOptions"]?.["batching"] }}`,
	location: 'outputPane',
};

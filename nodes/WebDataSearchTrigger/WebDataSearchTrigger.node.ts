import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { SUBJECT, iconOf } from '../shared/run/description';
import { propertyOf } from '../shared/form/properties';
import { runPoll } from '../shared/trigger/runPoll';
import { placeLists } from '../shared/fields/places';
import { testCredential } from '../shared/client/credentialTest';
import { costs, fields } from './fields';
import { pollSearch } from './poll';
import { watchedSearch } from './searchService';

const NOTHING_FOUND =
	'The search has no results right now. Once published, this trigger fires when it has some.';

export class WebDataSearchTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Search Trigger',
		name: 'webDataSearchTrigger',
		icon: iconOf('webDataSearch'),
		group: ['trigger'],
		version: 1,
		subtitle: `=new results${SUBJECT}`,
		// n8n's node panel shows it for Web Data Search as well, because it merges a node and its trigger into one entry.
		description:
			'Start the workflow when a search has new results; Web Data Search searches the web, news or images',
		defaults: { name: 'Web Data Search Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataServiceApi', required: true, testedBy: 'testCredential' }],
		properties: [...costs, ...fields.map(propertyOf)],
	};

	methods = { credentialTest: { testCredential }, loadOptions: placeLists };

	/** Polls once; the first poll of a published workflow sets the baseline. Its errors have a `failure`. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await runPoll(this, {
			stateKey: 'seenResults',
			task: watchedSearch,
			test: async ({ search }) => {
				const found = await search(false);
				if (found.length === 0) return [{ json: { message: NOTHING_FOUND } }];
				return found.map(({ result }) => ({ json: { ...result, event: 'new' } }));
			},
			poll: async (search) => (await pollSearch(search)).map((json) => ({ json })),
		});
	}
}

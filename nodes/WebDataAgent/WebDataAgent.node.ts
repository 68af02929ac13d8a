import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { batchingHint, builderHint, iconOf, operationSubtitle } from '../shared/run/description';
import { searchJobsOf } from '../shared/jobs/jobLists';
import { operationsPart } from '../shared/run/properties';
import { testCredential } from '../shared/client/credentialTest';
import { cancel } from './operations/cancel';
import { get } from './operations/get';
import { start } from './operations/start';
import { startAndWait } from './operations/startAndWait';

const operations = { startAndWait, start, get, cancel };

export class WebDataAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Agent',
		name: 'webDataAgent',
		icon: iconOf('webDataAgent'),
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle(operations),
		description: 'Have an agent gather web data for your prompt, in the shape you want',
		defaults: { name: 'Web Data Agent' },
		usableAsTool: true,
		...builderHint(
			'Have an agent find and extract data from the web by a prompt, when it is not known on which pages the data is. maxCredits (default 500) limits the credits of each task, options.creditBudget (500 once added) those of a run.',
			{
				webDataScrape:
					'Its format Fields (JSON) extracts data from pages that are known, at a known price',
				webDataSearch: 'Finds pages at a lower price',
			},
		),
		hints: [batchingHint],
		...operationsPart(operations),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchJobs: searchJobsOf('agent') },
	};
}

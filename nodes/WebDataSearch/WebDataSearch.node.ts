import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { batchingHint, builderHint, iconOf, operationSubtitle } from '../shared/run/description';
import { operationsPart } from '../shared/run/properties';
import { placeLists } from '../shared/fields/places';
import { testCredential } from '../shared/client/credentialTest';
import { search } from './operations/search';
import { searchAndScrape } from './operations/searchAndScrape';

const operations = { search, searchAndScrape };

export class WebDataSearch implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Search',
		name: 'webDataSearch',
		icon: iconOf('webDataSearch'),
		group: ['input'],
		version: 1,
		subtitle: operationSubtitle(operations),
		description:
			'Search the web, news or images, and get the content of each page found if you like',
		defaults: { name: 'Web Data Search' },
		usableAsTool: true,
		...builderHint(
			'Search the web, news or images. Use Search Web and Scrape Results to get the content of each result page too, e.g. for research or a briefing. limit (default 5) is how many results each query gives; options.creditBudget (500 once added) limits the credits of a run.',
			{
				webDataScrape: 'Gets the content of pages that a search found',
				webDataSearchTrigger: 'Starts the workflow when a search has new results',
				'n8n-nodes-base.removeDuplicates': 'Keeps only results that earlier runs did not have',
			},
		),
		hints: [batchingHint],
		...operationsPart(operations),
	};

	methods = { credentialTest: { testCredential }, loadOptions: placeLists };
}

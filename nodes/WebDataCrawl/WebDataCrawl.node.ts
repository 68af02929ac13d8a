import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { batchingHint, builderHint, iconOf, operationSubtitle } from '../shared/run/description';
import { searchActiveCrawls } from '../shared/jobs/jobLists';
import { operationsPart } from '../shared/run/properties';
import { placeLists } from '../shared/fields/places';
import { testCredential } from '../shared/client/credentialTest';
import { cancel } from './operations/cancel';
import { getErrors } from './operations/getErrors';
import { getPages } from './operations/getPages';
import { getStatus } from './operations/getStatus';
import { listActive } from './operations/listActive';
import { previewSettings } from './operations/previewSettings';
import { start } from './operations/start';
import { startAndWait } from './operations/startAndWait';

const operations = {
	startAndWait,
	start,
	previewSettings,
	getPages,
	getStatus,
	listActive,
	getErrors,
	cancel,
};

export class WebDataCrawl implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Crawl',
		name: 'webDataCrawl',
		icon: iconOf('webDataCrawl'),
		group: ['input'],
		version: 1,
		subtitle: operationSubtitle(operations),
		description: 'Crawl whole sites, see how far along they are, and get their pages',
		defaults: { name: 'Web Data Crawl' },
		usableAsTool: true,
		...builderHint(
			'Crawl a whole site and get its pages. Crawl Site and Get Pages is for small sites; for large ones use Start Crawl and let the Web Data Crawl Trigger begin another workflow when it ends. maxPages (default 100), not limit, is how many pages are crawled; options.creditBudget (500 once added) limits the credits of a run.',
			{
				webDataCrawlTrigger: 'Starts a workflow when a crawl ends',
				webDataScrape: 'Gets single pages, or lists the pages of a site without crawling it',
				'@n8n/n8n-nodes-langchain.vectorStoreInMemory':
					'Stores the pages for questions of an AI agent',
			},
		),
		hints: [batchingHint],
		...operationsPart(operations),
	};

	methods = {
		credentialTest: { testCredential },
		loadOptions: placeLists,
		listSearch: { searchActiveCrawls },
	};
}

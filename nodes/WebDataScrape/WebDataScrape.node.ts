import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { batchingHint, builderHint, iconOf, operationSubtitle } from '../shared/run/description';
import { searchJobsOf } from '../shared/jobs/jobLists';
import { operationsPart } from '../shared/run/properties';
import { placeLists } from '../shared/fields/places';
import { testCredential } from '../shared/client/credentialTest';
import { batchCancel } from './operations/batchCancel';
import { batchGetPages } from './operations/batchGetPages';
import { batchStart } from './operations/batchStart';
import { batchStartAndWait } from './operations/batchStartAndWait';
import { getScrape } from './operations/getScrape';
import { interact } from './operations/interact';
import { map } from './operations/map';
import { parseFile } from './operations/parseFile';
import { scrape } from './operations/scrape';
import { stopInteraction } from './operations/stopInteraction';

const operations = {
	scrape,
	map,
	parseFile,
	getScrape,
	interact,
	stopInteraction,
	batchStartAndWait,
	batchStart,
	batchGetPages,
	batchCancel,
};

export class WebDataScrape implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Scrape',
		name: 'webDataScrape',
		icon: iconOf('webDataScrape'),
		group: ['input'],
		version: 1,
		subtitle: operationSubtitle(operations),
		description: 'Get the content of one or many pages, or list all pages of a site',
		defaults: { name: 'Web Data Scrape' },
		usableAsTool: true,
		...builderHint(
			'Get the content of web pages as markdown, HTML, JSON or a screenshot. For the URLs of many items use Scrape Many Pages and Wait instead of a loop; to list the pages of a site use List Pages of Site; to click or sign in use Interact with Scraped Page after Scrape Page, then Stop Interaction. options.creditBudget (500 once added) limits the credits of a run.',
			{
				webDataCrawl: 'Gets all pages of a site, following its links',
				webDataPageTrigger: 'Starts the workflow when a page changes',
				'n8n-nodes-base.splitOut': 'Turns lists in extracted JSON into items',
			},
		),
		hints: [batchingHint],
		...operationsPart(operations),
	};

	methods = {
		credentialTest: { testCredential },
		loadOptions: placeLists,
		listSearch: { searchJobs: searchJobsOf('batch_scrape') },
	};
}

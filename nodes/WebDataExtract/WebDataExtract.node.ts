import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { batchingHint, builderHint, iconOf, operationSubtitle } from '../shared/run/description';
import { searchJobsOf } from '../shared/jobs/jobLists';
import { operationsPart } from '../shared/run/properties';
import { placeLists } from '../shared/fields/places';
import { testCredential } from '../shared/client/credentialTest';
import { get } from './operations/get';
import { start } from './operations/start';
import { startAndWait } from './operations/startAndWait';

const operations = { startAndWait, start, get };

export class WebDataExtract implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Extract',
		name: 'webDataExtract',
		icon: iconOf('webDataExtract'),
		group: ['transform'],
		version: 1,
		subtitle: operationSubtitle(operations),
		description:
			'Extract structured data from pages. The public service ends it on December 10, 2026: use Scrape with the format Fields (JSON).',
		defaults: { name: 'Web Data Extract' },
		usableAsTool: true,
		...builderHint(
			'Do not use it in new workflows: the public service ends it on December 10, 2026. Extract structured data from given pages in the shape of a schema.',
			{
				webDataScrape:
					'Its formats Fields (JSON) and Attributes get fields from pages, at a known price',
				webDataCrawl: 'Its format Fields (JSON) gets fields from all pages of a site (/*)',
				webDataAgent: 'Finds the pages by itself',
			},
		),
		hints: [batchingHint],
		...operationsPart(operations),
	};

	methods = {
		credentialTest: { testCredential },
		loadOptions: placeLists,
		listSearch: { searchJobs: searchJobsOf('extract') },
	};
}

import { crawlIdOf, jobLocator } from '../../shared/fields/jobLocator';

/** The crawl, from a list of the active ones, by its ID, or by the URL of its status. */
export const crawlField = jobLocator('crawlId', 'Crawl', {
	what: 'crawl',
	listed: 'running',
	hint: 'The list has running crawls only; for others, choose By ID or By URL',
	searchListMethod: 'searchActiveCrawls',
	modes: [
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://api.example.com/v2/crawl/5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c',
			hint: 'Returned when the crawl was started',
		},
	],
	idOf: crawlIdOf,
});

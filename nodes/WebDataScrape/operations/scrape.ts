import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../shared/form/field';
import { formatFields } from '../../shared/fields/formats';
import { downloadFiles, failOnPageErrors } from '../../shared/fields/options';
import { scrapeOptionFields, scrapeOptionsField } from '../../shared/fields/scrapeOptions';
import { url } from '../../shared/form/values';
import { pageShape } from '../../shared/fields/results';
import type { Operation } from '../../shared/operation';

const page: Field = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/article',
	description: 'The page to scrape',
	wire: { value: url },
};

/** POST /v2/scrape (beyond the document): one page, every ScrapeOptions field at the top of the body. */
export const scrape: Operation = {
	name: 'Scrape',
	value: 'scrape',
	action: 'Scrape a page',
	description: 'Get the content of one page',
	method: 'POST',
	path: '/v2/scrape',
	fields: [
		page,
		...formatFields('formats'),
		{
			...scrapeOptionsField(scrapeOptionFields, 'How the page is scraped'),
			wire: { spread: true },
		},
	],
	options: [failOnPageErrors, downloadFiles],
	results: pageShape,
	split: (answer) => [(answer.data ?? answer) as IDataObject],
};

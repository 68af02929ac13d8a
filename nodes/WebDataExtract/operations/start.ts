import { optionsField } from '../../shared/form/options';
import { scrapeOptionFieldsV1, scrapeOptionsField } from '../../shared/form/scrapeOptions';
import type { Operation } from '../../shared/operation';
import { startFields, startSettings } from './fields';

/** POST /v1/extract: starts an extraction and gives its job id and `invalidURLs` at once. */
export const start: Operation = {
	name: 'Start',
	value: 'start',
	action: 'Start an extraction',
	description: 'Start extracting structured data from pages, and get the job ID',
	method: 'POST',
	path: '/v1/extract',
	fields: [
		...startFields,
		scrapeOptionsField(scrapeOptionFieldsV1, 'How the pages are read'),
		optionsField(startSettings, { body: true }),
	],
};

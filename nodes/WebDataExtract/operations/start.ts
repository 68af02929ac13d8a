import { UNKNOWN_PRICE } from '../../shared/fields/prices';
import type { UrlEntry } from '../../shared/form/urls';
import type { Operation } from '../../shared/run/operation';
import { startOnly } from '../../shared/jobs/startJob';
import { checkStart, startFields, startSettings, startingAll } from './fields';
import { extractJob } from './job';

/** Starts an extraction and returns its job ID and `invalidURLs` immediately. */
export const start: Operation<UrlEntry[]> = {
	name: 'Start Extraction',
	description: 'Start extracting structured data from pages, and get the job ID',
	method: 'POST',
	path: '/v1/extract',
	fields: startFields,
	options: startSettings,
	price: () => UNKNOWN_PRICE,
	check: checkStart,
	execute: startingAll(startOnly(extractJob)),
};

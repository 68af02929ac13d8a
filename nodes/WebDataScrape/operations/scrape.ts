import type { IDataObject } from 'n8n-workflow';

import { downloadFiles, failOnPageErrors } from '../../shared/fields/options';
import { pageFields } from '../../shared/fields/pageFields';
import { zeroDataRetention } from '../../shared/fields/teamPolicy';
import { scrapedPageShape } from '../../shared/fields/shapes';
import type { Operation } from '../../shared/run/operation';
import { isObject, warningIn } from '../../shared/base/json';
import { markedIfEmpty } from '../../shared/run/results/pageFailure';
import { checkResult } from '../../shared/run/results/required';
import { urlField } from './urlField';

/** Scrapes one page (api/beyond.openapi.yaml). All ScrapeOptions fields are at the top of the body. */
export const scrape: Operation = {
	name: 'Scrape Page',
	value: 'scrape',
	action: 'Scrape page',
	description: 'Get the content of one page, or the fields you name; from 1 credit',
	method: 'POST',
	path: '/v2/scrape',
	fields: [urlField, ...pageFields({ in: 'body' })],
	options: [failOnPageErrors, downloadFiles, zeroDataRetention],
	results: scrapedPageShape,
	price: () => 1,
	split: pageIn,
};

/** Returns the page of a response as the only result. Throws ServiceError if there is none. */
export function pageIn(response: IDataObject): IDataObject[] {
	checkResult('page', response);
	if (!isObject(response.data)) return [response];
	const data = markedIfEmpty(response.data);
	const warning = warningIn(response);
	if (!warning || data.warning) return [data];
	return [{ ...data, warning }];
}

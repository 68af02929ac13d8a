import { crawlPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { startOnly } from '../../shared/jobs/startJob';
import { crawlJob } from '../../shared/jobs/crawlJob';
import { startFields, startOptions, startSettings } from './startFields';

/** Starts a crawl and returns its ID immediately (api/beyond.openapi.yaml). */
export const start: Operation = {
	name: 'Start Crawl',
	description: 'Start a crawl and get its ID; the Web Data Crawl Trigger fires when it ends',
	method: 'POST',
	path: '/v2/crawl',
	fields: startFields,
	options: [...startOptions, ...startSettings],
	price: crawlPrice,
	execute: startOnly(crawlJob),
};

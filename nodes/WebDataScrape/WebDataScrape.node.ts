import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { propertiesOf } from '../shared/engine/properties';
import { batchCancel } from './operations/batchCancel';
import { batchGetPages } from './operations/batchGetPages';
import { batchStart } from './operations/batchStart';
import { batchStartAndWait } from './operations/batchStartAndWait';
import { map } from './operations/map';
import { scrape } from './operations/scrape';

/** One page, or the list of all pages of a site (beyond the document). */
export class WebDataScrape implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Scrape',
		name: 'webDataScrape',
		icon: {
			light: 'file:../../icons/webDataScrape.svg',
			dark: 'file:../../icons/webDataScrape.dark.svg',
		},
		group: ['input'],
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: '={{ $parameter.operation }}',
		description: 'Get the content of a page or of many, or list all pages of a site',
		defaults: { name: 'Web Data Scrape' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataServiceApi', required: true }],
		requestDefaults: {},
		properties: propertiesOf([
			scrape,
			map,
			batchStartAndWait,
			batchStart,
			batchGetPages,
			batchCancel,
		]),
	};
}

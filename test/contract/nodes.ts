import type { INodeType } from 'n8n-workflow';

import { WebDataAgent } from '../../nodes/WebDataAgent/WebDataAgent.node';
import { WebDataCrawl } from '../../nodes/WebDataCrawl/WebDataCrawl.node';
import { WebDataExtract } from '../../nodes/WebDataExtract/WebDataExtract.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { WebDataSearch } from '../../nodes/WebDataSearch/WebDataSearch.node';
import { WebDataUsage } from '../../nodes/WebDataUsage/WebDataUsage.node';

/** Every action node of the package. */
export const nodes: INodeType[] = [
	new WebDataSearch(),
	new WebDataAgent(),
	new WebDataCrawl(),
	new WebDataExtract(),
	new WebDataUsage(),
	new WebDataScrape(),
];

import { WebDataAgent } from '../../nodes/WebDataAgent/WebDataAgent.node';
import { WebDataCrawl } from '../../nodes/WebDataCrawl/WebDataCrawl.node';
import { WebDataExtract } from '../../nodes/WebDataExtract/WebDataExtract.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { WebDataSearch } from '../../nodes/WebDataSearch/WebDataSearch.node';
import { WebDataUsage } from '../../nodes/WebDataUsage/WebDataUsage.node';

export const agent = new WebDataAgent();
export const crawl = new WebDataCrawl();
export const extract = new WebDataExtract();
export const scrape = new WebDataScrape();
export const search = new WebDataSearch();
export const usage = new WebDataUsage();

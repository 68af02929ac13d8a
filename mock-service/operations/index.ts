import { exampleResponse } from '../../api/example';
import type { Entry } from '../entry';
import { ok } from '../response';
import * as agent from './agent';
import * as batch from './batch';
import type { Handler } from './context';
import * as crawl from './crawl';
import { extractGet, extractStart } from './extract';
import * as interaction from './interact';
import { map } from './map';
import * as monitor from './monitor';
import { parseFile } from './parse';
import * as scraping from './scrape';
import { search } from './search';
import * as usage from './usage';

/** The operations by their ID in the contract, without a version at its end. */
export const handlers: Record<string, Handler> = {
	search,
	map,
	parseFile,
	extractStart,
	extractGet,
	...agent,
	...batch,
	...crawl,
	...interaction,
	...monitor,
	...scraping,
	...usage,
};

/** Responds with the contract's example, for operations without their own handler. Bills nothing. */
export const exampleHandler =
	(operationId: string): Handler =>
	() =>
		ok(exampleResponse(operationId) as Entry);

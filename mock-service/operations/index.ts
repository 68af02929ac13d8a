import { exampleResponse } from '../../api/example';
import type { Entry } from '../entry';
import { ok } from '../response';
import { agentCancel, agentGet, agentStart } from './agent';
import { batchCancel, batchErrors, batchStart, batchStatus } from './batch';
import type { Handler } from './context';
import {
	crawlCancel,
	crawlErrors,
	crawlListActive,
	crawlParamsPreview,
	crawlStart,
	crawlStatus,
} from './crawl';
import { extractGet, extractStart } from './extract';
import { interact, stopInteraction } from './interact';
import { map } from './map';
import { parseFile } from './parse';
import { scrape, scrapeGet } from './scrape';
import { search } from './search';
import {
	needsDatabase,
	usageActivity,
	usageHistorical,
	usageQueueStatus,
	usageRemaining,
} from './usage';

/** The operations by their ID in the contract. */
export const handlers: Record<string, Handler> = {
	search,
	agentStart,
	agentGet,
	agentCancel,
	extractStart,
	extractStartV2: extractStart,
	extractGet,
	extractGetV1: extractGet,
	crawlListActive,
	crawlListActiveV1: crawlListActive,
	crawlStatusV1: crawlStatus,
	crawlStatus,
	crawlParamsPreview,
	crawlStart,
	crawlCancel,
	crawlErrors,
	scrape,
	scrapeGet: needsDatabase(scrapeGet),
	interact,
	stopInteraction,
	batchStart,
	batchStatus,
	batchCancel,
	batchErrors,
	map,
	parseFile,
	usageHistorical: needsDatabase(usageHistorical),
	usageRemaining: needsDatabase(usageRemaining),
	usageQueueStatus,
	usageActivity: needsDatabase(usageActivity),
};

/** Responds with the contract's example, for operations without their own handler. Bills nothing. */
export const exampleHandler =
	(operationId: string): Handler =>
	() =>
		ok(exampleResponse(operationId) as Entry);

import { maxWaitMinutes } from '../../shared/fields/jobOptions';
import { resultEntries } from '../../shared/fields/schema';
import { startAndWaitFor } from '../../shared/jobs/waitForJob';
import { UNKNOWN_PRICE } from '../../shared/fields/prices';
import type { UrlEntry } from '../../shared/form/urls';
import type { Operation } from '../../shared/run/operation';
import { checkStart, startFields, startSettings, startingAll } from './fields';
import { jobResultShape } from '../../shared/fields/jobShapes';
import { extractJob } from './job';

/** Starts an extraction, then polls its status until it ends (api/beyond.openapi.yaml). */
export const startAndWait: Operation<UrlEntry[]> = {
	name: 'Extract Data From Pages',
	description: 'Extract structured data from pages, and wait for the result',
	method: 'POST',
	path: '/v1/extract',
	fields: [...startFields, resultEntries],
	options: [maxWaitMinutes, ...startSettings],
	results: jobResultShape,
	price: () => UNKNOWN_PRICE,
	check: checkStart,
	execute: startingAll(startAndWaitFor(extractJob)),
};

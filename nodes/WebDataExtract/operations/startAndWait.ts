import { maxWaitMinutes } from '../../shared/fields/jobOptions';
import { startAndWaitFor } from '../../shared/jobs/waitForJob';
import type { Operation } from '../../shared/run/operation';
import { checkStart, startFields, startSettings, withEntriesLeftOut } from './fields';
import { jobShape } from '../../shared/fields/shapes';
import { extractJob, extractPath } from './job';

/** Starts an extraction, then polls its status until it ends (api/beyond.openapi.yaml). */
export const startAndWait: Operation = {
	name: 'Extract Data From Pages',
	value: 'startAndWait',
	action: 'Extract data from pages',
	description: 'Extract structured data from pages, and wait for the result',
	method: 'POST',
	path: extractPath,
	fields: startFields,
	options: [maxWaitMinutes, ...startSettings],
	results: jobShape,
	price: () => undefined,
	check: checkStart,
	execute: withEntriesLeftOut(startAndWaitFor(extractJob)),
};

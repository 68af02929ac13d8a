import { maxWaitMinutes } from '../../shared/fields/jobOptions';
import { startAndWaitFor } from '../../shared/jobs/waitForJob';
import type { Operation } from '../../shared/operation';
import { withInvalidUrls } from '../../shared/url';
import { checkStart, entriesLeftOut, startFields, startSettings } from './fields';
import { jobShape } from '../../shared/results/shapes';
import { extractJob, extractPath } from './job';

/** Starts an extraction, then asks for its status until it has ended (api/beyond.openapi.yaml). */
export const startAndWait: Operation = {
	name: 'Start and Wait',
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
	execute: async (task) => {
		const done = await startAndWaitFor(extractJob)(task);
		const left = entriesLeftOut(task.form);
		return {
			...done,
			items: done.items.map(({ json }) => ({ json: withInvalidUrls(json, left) })),
		};
	},
};

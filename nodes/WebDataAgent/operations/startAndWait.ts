import { maxWaitMinutes } from '../../shared/fields/jobOptions';
import { resultEntries } from '../../shared/fields/schema';
import { startAndWaitFor } from '../../shared/jobs/waitForJob';
import { taskPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { startFields, startSettings } from './fields';
import { jobResultShape } from '../../shared/fields/jobShapes';
import { agentJob } from './job';

/** Starts a task, then polls its status until it ends. */
export const startAndWait: Operation = {
	name: 'Run Agent Task and Get Result',
	description: 'Start a task that finds and extracts data from the web, and wait for the result',
	method: 'POST',
	path: '/v2/agent',
	fields: [...startFields, resultEntries],
	options: [maxWaitMinutes, ...startSettings],
	results: jobResultShape,
	price: taskPrice,
	execute: startAndWaitFor(agentJob),
};

import { taskPrice } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { startOnly } from '../../shared/jobs/startJob';
import { startFields, startSettings } from './fields';
import { agentJob } from './job';

/** Starts a task and returns its job ID immediately. */
export const start: Operation = {
	name: 'Start Agent Task',
	description: 'Start a task that finds and extracts data from the web, and get its job ID',
	method: 'POST',
	path: '/v2/agent',
	fields: startFields,
	options: startSettings,
	price: taskPrice,
	execute: startOnly(agentJob),
};

import type { Operation } from '../../shared/operation';
import { jobId } from './fields';

/** GET /v2/agent/{jobId} (beyond the document): status, and the result once it is there. */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get an agent task',
	description: 'Get the status of an agent task and, once it has ended, its result',
	method: 'GET',
	path: '/v2/agent/{jobId}',
	fields: [jobId],
	split: (response, form) => [{ id: form.need(jobId), ...response }],
};

import type { Operation } from '../../shared/run/operation';
import { jobShape } from '../../shared/fields/jobShapes';
import { withId } from '../../shared/jobs/job';
import { withEmptyNote } from '../../shared/jobs/emptyResult';
import { jobId } from './fields';

/** Returns a task's status, with its result once there is one (api/beyond.openapi.yaml). */
export const get: Operation = {
	name: 'Get Agent Task',
	description: 'Get the status of an agent task and, when finished, its result',
	method: 'GET',
	path: '/v2/agent/{jobId}',
	fields: [jobId],
	results: jobShape,
	split: (response, form) => [withId(form.value(jobId), withEmptyNote(response))],
};

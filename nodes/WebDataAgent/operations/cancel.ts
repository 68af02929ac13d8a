import { withId } from '../../shared/jobs/job';
import type { Operation } from '../../shared/run/operation';
import { jobId } from './fields';

export const cancel: Operation = {
	name: 'Cancel Agent Task',
	description: 'Stop a running agent task; a step that has begun may still spend credits',
	method: 'DELETE',
	path: '/v2/agent/{jobId}',
	fields: [jobId],
	split: (response, { value }) => [withId(value(jobId), response)],
};

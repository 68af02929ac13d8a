import type { Operation } from '../../shared/run/operation';
import { jobId } from './fields';
import { jobShape } from '../../shared/fields/jobShapes';
import { withEmptyNote } from '../../shared/jobs/emptyResult';
import { withId } from '../../shared/jobs/job';

/** Returns an extraction's status, with its result once there is one (api/beyond.openapi.yaml). */
export const get: Operation = {
	name: 'Get Extraction',
	description: 'Get the status of an extraction and, when finished, its result',
	method: 'GET',
	path: '/v1/extract/{jobId}',
	fields: [jobId],
	results: jobShape,
	split: (response, form) => [withId(form.value(jobId), withEmptyNote(response))],
};

import { withId } from '../../shared/jobs/job';
import type { Operation } from '../../shared/run/operation';
import { jobId } from './batchJob';

export const batchCancel: Operation = {
	name: 'Cancel Batch',
	description: 'Stop a running batch; pages already scraped stay available',
	method: 'DELETE',
	path: '/v2/batch/scrape/{jobId}',
	fields: [jobId],
	split: (response, form) => [withId(form.value(jobId), response)],
};

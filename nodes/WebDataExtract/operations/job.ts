import type { Job } from '../../shared/jobs/job';

/** The job of an extraction (api/beyond.openapi.yaml). */
export const extractJob: Job = {
	what: 'extraction',
	paths: ['/v1/extract/'],
	getBy: 'Get Extraction',
	mayEndAtOnce: true,
};

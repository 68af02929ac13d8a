import type { Job } from '../../shared/jobs/job';
import type { Form } from '../../shared/form/form';
import { apiVersion } from './fields';

/** Returns /v1/extract, or /v2/extract if that was chosen (api/beyond.openapi.yaml). */
export function extractPath({ get }: Form): string {
	return `/${get(apiVersion) ?? 'v1'}/extract`;
}

/** Returns the job of an extraction, whose status comes from the same version (api/beyond.openapi.yaml). */
export const extractJob = (form: Form): Job => ({
	what: 'extraction',
	paths: [`${extractPath(form)}/`],
	getBy: 'Get Extraction',
	mayEndAtOnce: true,
});

import type { Job } from '../../shared/jobs/waitForJob';
import type { Form } from '../../shared/operation';
import { apiVersion } from './fields';

/** POST /v1/extract, or /v2/extract if chosen (api/beyond.openapi.yaml). */
export function extractPath({ get }: Form): string {
	return `/${get(apiVersion) ?? 'v1'}/extract`;
}

/** GET /v1/extract/{id} or /v2/extract/{id} (api/beyond.openapi.yaml) tells how an extraction stands. */
export const extractJob = (form: Form): Job => ({
	what: 'extraction',
	path: `${extractPath(form)}/`,
	getBy: 'Get',
});

import type { Job } from '../../shared/jobs';
import type { Form } from '../../shared/operation';

/** POST /v1/extract, or /v2/extract if chosen (beyond the document). */
export function extractPath({ setting }: Form): string {
	return `/${setting<string>('apiVersion') ?? 'v1'}/extract`;
}

/** GET /v1/extract/{id} or /v2/extract/{id} (beyond the document) tells how an extraction stands. */
export const extractJob = (form: Form): Job => ({
	what: 'extraction',
	path: `${extractPath(form)}/`,
});

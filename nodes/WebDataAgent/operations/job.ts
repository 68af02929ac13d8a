import type { Job } from '../../shared/jobs/waitForJob';
import { maxCredits } from './fields';

/** GET /v2/agent/{id} (api/beyond.openapi.yaml) tells how a task stands. */
export const agentJob: Job = {
	what: 'agent task',
	path: '/v2/agent/',
	getBy: 'Get',
	budgetLabel: maxCredits.displayName,
};

import type { Job } from '../../shared/jobs/job';
import { maxCredits } from './fields';

/** Reads a task's status from GET /v2/agent/{id} (api/beyond.openapi.yaml). */
export const agentJob: Job = {
	what: 'agent task',
	paths: ['/v2/agent/'],
	getBy: 'Get',
	budgetLabel: maxCredits.displayName,
};

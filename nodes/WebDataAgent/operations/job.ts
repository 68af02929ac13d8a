import type { Job } from '../../shared/jobs/job';
import { maxCredits } from './fields';

/** An agent task; its status comes from GET /v2/agent/{id} (api/beyond.openapi.yaml). */
export const agentJob: Job = {
	what: 'agent task',
	paths: ['/v2/agent/'],
	getBy: 'Get Agent Task',
	budgetLabel: `${maxCredits.displayName}, or Credit Budget if less was left of it`,
};

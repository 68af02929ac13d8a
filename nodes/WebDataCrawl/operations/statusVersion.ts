import { choiceField } from '../../shared/form/controls';
import { crawlJob, crawlJobV1 } from '../../shared/jobs/crawlJob';
import type { PagedJob } from '../../shared/jobs/readJob';
import type { Form } from '../../shared/form/form';

export const statusVersion = choiceField<'v1' | 'v2'>('apiVersion', 'API Version', {
	default: 'v1',
	description: 'If the service lacks it, the other one is used',
	choices: [
		['v2', 'V2 (Current)', 'This is the default'],
		['v1', 'V1 (Older)', 'For crawls that were started by it'],
	],
	wire: { in: 'settings' },
});

export function crawlJobOf({ get }: Form): PagedJob {
	return get(statusVersion) === 'v1' ? crawlJobV1 : crawlJob;
}

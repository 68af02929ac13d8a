import { withId } from '../../shared/jobs/job';
import type { Operation } from '../../shared/run/operation';
import { crawlField } from './crawlField';

export const cancel: Operation = {
	name: 'Cancel Crawl',
	description: 'Stop a running crawl; pages already crawled stay available',
	method: 'DELETE',
	path: '/v2/crawl/{crawlId}',
	fields: [crawlField],
	split: (response, form) => [withId(form.value(crawlField), response)],
};

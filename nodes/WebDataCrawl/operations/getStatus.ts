import { booleanField } from '../../shared/form/controls';
import type { Operation } from '../../shared/run/operation';
import { jobShape } from '../../shared/fields/jobShapes';
import { readStatus, withId } from '../../shared/jobs/job';
import { withDoubt } from '../../shared/jobs/jobEnd';
import { crawlField } from './crawlField';
import { crawlJobOf, statusVersion } from './statusVersion';

const includePages = booleanField('includePages', 'Include First Pages', {
	description: 'Whether to add the first pages, up to 10 MB. Get Pages of Crawl returns all.',
	wire: { mayBeEmpty: true, in: 'settings' },
});

/** Returns a crawl's progress, without its pages unless asked for. */
export const getStatus: Operation = {
	name: 'Get Crawl Status',
	description: 'See how far along a crawl is and what it has cost so far',
	method: 'GET',
	path: '/v2/crawl/{crawlId}',
	fields: [crawlField],
	options: [includePages, statusVersion],
	results: jobShape,
	send: async (task) => {
		const id = task.form.value(crawlField);
		return await readStatus({ task, job: crawlJobOf(task.form), id });
	},
	split: ({ data, next, ...status }, form) => {
		const pages = form.get(includePages) ? { next, data } : {};
		return [withId(form.value(crawlField), { ...withDoubt(status), ...pages })];
	},
};

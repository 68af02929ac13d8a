import type { IDataObject, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Field } from '../../shared/form/field';
import { downloadFiles, failOnPageErrors, splitIntoItems } from '../../shared/fields/options';
import { limitField, returnAllField } from '../../shared/fields/returnAll';
import { maxWaitMinutes, waitForJob } from '../../shared/jobs/waitForJob';
import type { Operation, Task } from '../../shared/operation';
import { followPages } from '../../shared/jobs/pages';
import { callService } from '../../shared/transport';
import { crawlField } from './crawlField';
import { crawlPageShape } from '../../shared/fields/results';
import { crawlJob } from './job';

const ifRunning: Field<'soFar' | 'wait'> = {
	displayName: 'If Still Running',
	name: 'ifRunning',
	type: 'options',
	default: 'wait',
	description: 'What to do with a crawl that has not ended',
	options: [
		{
			name: 'Return the Pages So Far',
			value: 'soFar',
			description: 'Once, as they are now; this is the default',
		},
		{ name: 'Wait Until It Ends', value: 'wait' },
	],
	wire: { in: 'settings' },
};

const ifPartFails: Field<'fail' | 'return'> = {
	displayName: 'If a Later Part Fails',
	name: 'ifPartFails',
	type: 'options',
	default: 'return',
	description: 'Large crawls come in parts of 10 MB, and a part may fail even after retries',
	options: [
		{ name: 'Fail', value: 'fail', description: 'This is the default' },
		{
			name: 'Return the Pages So Far',
			value: 'return',
			description: 'Each with a field crawlWarning that says what is missing',
		},
	],
	wire: { in: 'settings' },
};

/** The settings of every operation that gives the pages of a crawl. */
export const pageSettings: Field[] = [ifPartFails, failOnPageErrors, downloadFiles, splitIntoItems];

/** GET /v1/crawl/{id} and every `next`: an item per page. */
export const getPages: Operation = {
	name: 'Get Pages',
	value: 'getPages',
	action: 'Get the pages of a crawl',
	description: 'Get the content of all pages of a crawl, however large it is',
	method: 'GET',
	path: '/v1/crawl/{crawlId}',
	fields: [crawlField, returnAllField, limitField],
	options: [ifRunning, maxWaitMinutes, ...pageSettings],
	results: crawlPageShape,
	execute: async (task) => {
		const crawlId = task.form.need(crawlField);
		if (task.form.get(ifRunning) === 'wait') await waitForJob(task, crawlJob, crawlId);
		return await pagesOf(task, crawlId);
	},
};

/**
 * The pages of a crawl up to the limit, each once and in their order; one item with all of them where splitting is
 * off. A failed crawl gives the pages it has. Throws NodeApiError when a part can't be had.
 */
export async function pagesOf(task: Task, crawlId: string): Promise<INodeExecutionData[]> {
	const { settings, form } = task;
	const call = { method: 'GET' as const, path: `${crawlJob.path}${crawlId}` };
	const callSettings = { ...settings, jobId: crawlId };
	const first = await callService(task, call, callSettings);
	const { data: _data, next: _next, ...status } = first.body;

	const pages: IDataObject[] = [];
	let warning: string | undefined;
	try {
		const limit = form.get(limitField);
		for await (const part of followPages(task, call, first, {
			...callSettings,
			limit,
			whileRunning: true,
		})) {
			for (const page of part) pages.push(page);
		}
	} catch (error) {
		const failure = new NodeApiError(task.run.node, error as JsonObject);
		if (form.get(ifPartFails) !== 'return') throw failure;
		warning = `Pages are missing after ${pages.length}: ${failure.message}`;
	}

	const extra = warning === undefined ? {} : { crawlWarning: warning };
	if (form.get(splitIntoItems) === false) {
		return [{ json: { id: crawlId, ...status, ...extra, data: pages } }];
	}
	return pages.map((page) => ({
		json: { ...page, crawlId, crawlStatus: status.status, ...extra },
	}));
}

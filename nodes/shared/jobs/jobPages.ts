import type { IDataObject, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Field } from '../form/field';
import { downloadFiles, failOnPageErrors, splitIntoItems } from '../fields/options';
import { limitField } from '../fields/returnAll';
import type { Task } from '../operation';
import { callService, type ServiceResponse } from '../transport';
import { followPages } from './pages';
import type { Job } from './waitForJob';

/** A kind of job that has pages. */
export interface PagedJob extends Job {
	/** What the fields that say which job a page is from begin with, e.g. `crawl` of `crawlId`. */
	prefix: string;
}

export const ifRunning: Field<'soFar' | 'wait'> = {
	displayName: 'If Still Running',
	name: 'ifRunning',
	type: 'options',
	default: 'wait',
	description: 'What to do with a job that has not ended',
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
	description: 'Large jobs come in parts of 10 MB, and a part may fail even after retries',
	options: [
		{ name: 'Fail', value: 'fail', description: 'This is the default' },
		{
			name: 'Return the Pages So Far',
			value: 'return',
			description: 'Each with a warning that says what is missing',
		},
	],
	wire: { in: 'settings' },
};

/** The settings of every operation that gives the pages of a job. */
export const pageSettings: Field[] = [ifPartFails, failOnPageErrors, downloadFiles, splitIntoItems];

/** The pages of a job, chunk by chunk, up to the form's limit. Throws NodeApiError when a chunk can't be had. */
export async function* readPages(
	task: Task,
	job: PagedJob,
	id: string,
	first?: ServiceResponse,
): AsyncGenerator<IDataObject[]> {
	const call = { method: 'GET' as const, path: `${job.path}${id}` };
	const settings = { ...task.settings, jobId: id };
	yield* followPages(task, call, first ?? (await callService(task, call, settings)), {
		...settings,
		limit: task.form.get(limitField),
		whileRunning: true,
	});
}

/**
 * The pages of a job up to the limit, each once and in their order; one item with all of them where splitting is
 * off. A failed job gives the pages it has. Throws NodeApiError when a part can't be had.
 */
export async function pagesOf(
	task: Task,
	job: PagedJob,
	id: string,
): Promise<INodeExecutionData[]> {
	const { settings, form, run } = task;
	const call = { method: 'GET' as const, path: `${job.path}${id}` };
	const first = await callService(task, call, { ...settings, jobId: id });
	const { data: _data, next: _next, ...status } = first.body;

	const pages: IDataObject[] = [];
	let warning: string | undefined;
	try {
		for await (const part of readPages(task, job, id, first)) {
			for (const page of part) pages.push(page);
		}
	} catch (error) {
		const failure = new NodeApiError(run.node, error as JsonObject);
		if (form.get(ifPartFails) !== 'return') throw failure;
		warning = `Pages are missing after ${pages.length}: ${failure.message}`;
	}

	const { prefix } = job;
	const extra = warning === undefined ? {} : { [`${prefix}Warning`]: warning };
	if (form.get(splitIntoItems) === false) {
		return [{ json: { id, ...status, ...extra, data: pages } }];
	}
	return pages.map((page) => ({
		json: { ...page, [`${prefix}Id`]: id, [`${prefix}Status`]: status.status, ...extra },
	}));
}

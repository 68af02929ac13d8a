import type { IDataObject, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Field } from '../form/field';
import { downloadFiles, failOnPageErrors, splitIntoItems } from '../fields/options';
import { limitField } from '../fields/returnAll';
import type { Task } from '../operation';
import { callService, type ServiceResponse } from '../transport';
import { CollectedPages } from './collectedPages';
import { jobStateOf } from './jobState';
import { followPages } from './pages';
import { endedError, type Job } from './waitForJob';

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
	description: 'What to do with a job that is still running',
	options: [
		{
			name: 'Return Available Pages',
			value: 'soFar',
			description: 'Without waiting; this is the default',
		},
		{ name: 'Wait Until It Ends', value: 'wait' },
	],
	wire: { in: 'settings' },
};

const ifPartFails: Field<'fail' | 'return'> = {
	displayName: 'If a Later Chunk Fails',
	name: 'ifPartFails',
	type: 'options',
	default: 'return',
	description: 'Large jobs come in chunks of 10 MB, and one may fail even after retries',
	options: [
		{ name: 'Fail', value: 'fail', description: 'This is the default' },
		{
			name: 'Return Available Pages',
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
 * off. A job that failed or was cancelled gives the pages it has, with a warning where something is odd about them.
 * Throws NodeApiError when a chunk can't be had, and when the job failed without a page.
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
	const state = jobStateOf(status.status);

	const collected = new CollectedPages();
	const warnings: string[] = typeof status.warning === 'string' ? [status.warning] : [];
	try {
		for await (const chunk of readPages(task, job, id, first)) collected.add(chunk);
		const isWhole = collected.pages.length < (form.get(limitField) ?? Infinity);
		warnings.push(...collected.warnings(isWhole && status.completed));
	} catch (error) {
		const failure = new NodeApiError(run.node, error as JsonObject);
		if (form.get(ifPartFails) !== 'return') throw failure;
		warnings.push(`Pages are missing after ${collected.pages.length}: ${failure.message}`);
	}
	const { pages } = collected;
	if (state === 'failed' && pages.length === 0) throw endedError(task, job, id, first.body);

	const { prefix } = job;
	const extra = warnings.length === 0 ? {} : { [`${prefix}Warning`]: warnings.join(' ') };
	if (form.get(splitIntoItems) === false) {
		return [{ json: { id, ...status, ...extra, data: pages } }];
	}
	return pages.map((page) => ({
		json: { ...page, [`${prefix}Id`]: id, [`${prefix}Status`]: status.status, ...extra },
	}));
}

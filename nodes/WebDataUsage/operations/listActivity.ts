import type { IDataObject } from 'n8n-workflow';

import { choiceField } from '../../shared/form/controls';
import { limitField, returnAllField } from '../../shared/fields/options';
import { ServiceError } from '../../shared/client/errors/serviceError';
import type { Operation } from '../../shared/run/operation';
import { breathing, isoOf, madeOf } from '../../shared/base/time';
import { ACTIVITY_PAGE_SIZE, activityOf } from '../../shared/jobs/jobLists';
import { MAX_HELD_BYTES, MAX_ITEMS } from '../../shared/base/limits';
import { MOST_IDLE_CHUNKS } from '../../shared/jobs/followPages';
import { logWarning, objectsIn, withRest } from '../../shared/run/results/response';
import { without } from '../../shared/base/json';
import { callService } from '../../shared/client/call';

const endpoint = choiceField('endpoint', 'Kind of Job', {
	description: 'Only jobs of this kind',
	default: 'crawl',
	choices: [
		['agent', 'Agent'],
		['batch_scrape', 'Batch Scrape'],
		['browser', 'Browser'],
		['crawl', 'Crawl'],
		['deep_research', 'Deep Research'],
		['extract', 'Extract'],
		['interact', 'Interact'],
		['llmstxt', 'LLMs.txt'],
		['map', 'Map'],
		['scrape', 'Scrape'],
		['search', 'Search'],
	],
	wire: { in: 'query', open: true },
});

/** Returns the jobs of the last 24 hours, newest first, following the cursor (api/beyond.openapi.yaml). */
export const listActivity: Operation = {
	name: 'List Recent Activity',
	description: 'List the jobs of the last 24 hours, newest first',
	method: 'GET',
	path: '/v2/team/activity',
	fields: [returnAllField, limitField],
	options: [endpoint],
	execute: async (task) => {
		const { call, settings, form, run } = task;
		const wanted = form.get(limitField) ?? Infinity;
		// By their JSON, so that each counts once.
		const jobs = new Map<string, IDataObject>();
		let idleChunks = 0;
		let last: IDataObject = {};
		const ask = async (query: IDataObject) => {
			const limit = Math.min(ACTIVITY_PAGE_SIZE, wanted - jobs.size);
			return (await callService(task, { ...call, query: { ...query, limit } }, settings)).body;
		};
		for await (const { body } of activityOf(ask, call.query ?? {})) {
			last = without(body, 'cursor', 'has_more');
			const before = jobs.size;
			for await (const job of breathing(objectsIn(body, 'data', { what: 'jobs' }))) {
				const text = JSON.stringify(job);
				jobs.set(text, job);
				run.held.bytes += text.length;
			}
			if (jobs.size > MAX_ITEMS || run.held.bytes > MAX_HELD_BYTES) throw tooLong();
			idleChunks = jobs.size === before ? idleChunks + 1 : 0;
			// Otherwise, a cursor that yields nothing new would be followed forever.
			if (jobs.size >= wanted || idleChunks >= MOST_IDLE_CHUNKS) break;
		}
		const listed = [...jobs.values()].slice(0, wanted);
		const dated = await madeOf(
			listed,
			({ api_version: apiVersion, created_at: created, ...job }) => ({
				...job,
				...(apiVersion !== undefined && { apiVersion }),
				...(created !== undefined && { createdAt: isoOf(created) ?? created }),
			}),
		);
		const found = withRest(dated, last, 'data', form);
		if (found.length === 0) logWarning(task, last);
		return { items: found.map((json) => ({ json })), isCounted: true };
	},
};

/** Returns the error for lists with more jobs than n8n accepts. */
function tooLong(): ServiceError {
	return new ServiceError('The list of jobs is too long, or never ends', {
		description: `Turn ${returnAllField.displayName} off, and set a ${limitField.displayName}. Or send fewer items at a time, e.g. with Loop Over Items.`,
	});
}

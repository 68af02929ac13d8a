import type { IDataObject } from 'n8n-workflow';

import { choiceField } from '../../shared/form/controls';
import { limitField, returnAllField } from '../../shared/fields/options';
import { ServiceError } from '../../shared/client/errors/serviceError';
import type { Operation } from '../../shared/run/operation';
import { breathing, isoOf, madeOf } from '../../shared/base/time';
import { ACTIVITY_PAGE_SIZE, activityOf } from '../../shared/jobs/activity';
import { mbOf } from '../../shared/jobs/collectedPages';
import { MAX_HELD_BYTES, MAX_ITEMS } from '../../shared/base/limits';
import { MOST_IDLE_CHUNKS } from '../../shared/jobs/followPages';
import { objectsIn } from '../../shared/run/results/required';
import { logWarning } from '../../shared/run/results/nothing';
import { withRest } from '../../shared/run/results/rest';
import { without } from '../../shared/base/json';
import { callService } from '../../shared/client';

const endpoint = choiceField('endpoint', 'Kind of Job', {
	default: 'crawl',
	description: 'Only jobs of this kind',
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
	value: 'listActivity',
	action: 'List recent activity',
	description: 'List the jobs of the last 24 hours, newest first',
	method: 'GET',
	path: '/v2/team/activity',
	fields: [returnAllField, limitField],
	options: [endpoint],
	execute: async (task) => {
		const { call, settings, form } = task;
		const wanted = form.get(limitField) ?? Infinity;
		const jobs: IDataObject[] = [];
		const known = new Set<string>();
		let idleChunks = 0;
		let own = 0;
		let last: IDataObject = {};
		const ask = async (query: IDataObject) => {
			const limit = Math.min(ACTIVITY_PAGE_SIZE, wanted - jobs.length);
			return (await callService(task, { ...call, query: { ...query, limit } }, settings)).body;
		};
		for await (const { body } of activityOf(ask, call.query ?? {})) {
			last = without(body, 'cursor', 'has_more');
			const before = known.size;
			for await (const job of breathing(objectsIn(body, 'data', { what: 'jobs' }))) {
				const text = JSON.stringify(job);
				if (!known.has(text)) jobs.push(job);
				known.add(text);
				task.run.held.bytes += text.length;
				own += text.length;
			}
			if (jobs.length > MAX_ITEMS || own > MAX_HELD_BYTES) throw endless();
			if (task.run.held.bytes > MAX_HELD_BYTES) throw tooLong();
			idleChunks = known.size === before ? idleChunks + 1 : 0;
			// Otherwise, a cursor that yields nothing new would be followed forever.
			if (jobs.length >= wanted || idleChunks >= MOST_IDLE_CHUNKS) break;
		}
		const dated = await madeOf(jobs.slice(0, wanted), ({ created_at: created, ...job }) => ({
			...job,
			...(created !== undefined && { created_at: isoOf(created) ?? created }),
		}));
		const found = withRest(dated, last, 'data', form);
		if (found.length === 0) logWarning(task, last);
		return { items: found.map((json) => ({ json })) };
	},
};

const LESS = `Turn ${returnAllField.displayName} off, and set a ${limitField.displayName}.`;

/** Returns the error for a list with more jobs than n8n accepts. */
const endless = (): ServiceError =>
	new ServiceError('The list of jobs is too long, or never ends', { description: LESS });

/** Returns the error for lists that together are too long. */
function tooLong(): ServiceError {
	return new ServiceError(
		`The lists of all items of this run together exceed ${mbOf(MAX_HELD_BYTES)}`,
		{
			description: `${LESS} Or send fewer items at a time, e.g. with Loop Over Items.`,
		},
	);
}

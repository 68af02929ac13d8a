import type { IDataObject } from 'n8n-workflow';

import { choiceField } from '../../shared/form/controls';
import { limitField, returnAllField } from '../../shared/fields/options';
import { ServiceError } from '../../shared/client/errors/serviceError';
import type { Operation } from '../../shared/run/operation';
import { MAX_HELD_BYTES } from '../../shared/jobs/collectedPages';
import { MOST_IDLE_CHUNKS } from '../../shared/jobs/followPages';
import { nextCursorOf, objectsIn } from '../../shared/run/results/required';
import { callService } from '../../shared/client';

const PAGE_SIZE = 100;

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
	wire: { mayBeEmpty: true, in: 'query', open: true },
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
		const seen = new Set<string>();
		const known = new Set<string>();
		let idleChunks = 0;
		let cursor: string | undefined;
		do {
			const { body } = await callService(
				task,
				{
					...call,
					query: {
						...call.query,
						limit: Math.min(PAGE_SIZE, wanted - jobs.length),
						...(cursor ? { cursor } : {}),
					},
				},
				settings,
			);
			const before = known.size;
			for (const job of objectsIn(body, 'data', { what: 'jobs', textField: 'id' })) {
				const text = JSON.stringify(job);
				if (!known.has(text)) jobs.push(job);
				known.add(text);
				task.run.held.bytes += text.length;
			}
			if (task.run.held.bytes > MAX_HELD_BYTES) throw tooLong();
			idleChunks = known.size === before ? idleChunks + 1 : 0;
			cursor = nextCursorOf(body);
			// A cursor that repeats, or brings nothing new, would be followed forever.
			if (cursor !== undefined && (seen.has(cursor) || idleChunks >= MOST_IDLE_CHUNKS)) break;
			seen.add(cursor ?? '');
		} while (cursor !== undefined && jobs.length < wanted);
		return { items: jobs.slice(0, wanted).map((json) => ({ json })) };
	},
};

function tooLong(): ServiceError {
	const description = `Turn ${returnAllField.displayName} off, and set a ${limitField.displayName}.`;
	return new ServiceError('The list of jobs never ends', { description });
}

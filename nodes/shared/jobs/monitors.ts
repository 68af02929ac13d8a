import type { IDataObject } from 'n8n-workflow';

import { valueAt, without } from '../base/json';
import { callService } from '../client/call';
import type { ServiceCall, ServiceResponse } from '../client/types';
import { limitField } from '../fields/options';
import type { Done } from '../run/nodeRun';
import type { Task } from '../run/operation';
import { askForList } from '../run/requestOptions';
import { logWarning, objectsIn, withRest } from '../run/results/response';
import { checkedNext, nextOf } from './followPages';
import { type ListSearch, matching } from './jobLists';

export const MONITORS = '/v2/monitor';

/** Maximum number of entries in a part of a list. */
const PART_SIZE = 100;

export type Ask = (call: ServiceCall) => Promise<Pick<ServiceResponse, 'body'>>;

interface ListOf {
	path: string;
	place?: 'data' | 'data.pages';
	query?: IDataObject;
	/** Maximum number of entries to read. */
	most?: number;
}

/**
 * Yields the parts of a list of monitors or checks, of which the number of entries leads on, or of a check's pages
 * (`data.pages`), of which `next` does, as for crawls. A part that brings nothing new is the end. Throws `ask`'s
 * errors, and ServiceError for a `next` that leads elsewhere.
 */
export async function* partsOf(
	ask: Ask,
	{ path, place = 'data', query = {}, most = Infinity }: ListOf,
): AsyncGenerator<IDataObject[]> {
	const seen = new Set<unknown>();
	let followed: string | undefined;
	for (let read = 0; read < most;) {
		const limit = Math.min(PART_SIZE, most - read);
		const asked = { ...query, limit, ...(read > 0 && { offset: read }) };
		const { body } = await ask({
			method: 'GET',
			...(followed === undefined ? { path, query: asked } : { path: followed }),
		});
		const part = objectsIn({ ...body, [place]: valueAt(body, place) as IDataObject[] }, place, {
			what: place === 'data' ? 'monitors or checks' : 'pages',
		});
		const fresh = part.filter(({ id, url }) => !seen.has(id ?? url));
		if (fresh.length === 0) return;
		for (const { id, url } of part) seen.add(id ?? url);
		yield fresh.slice(0, most - read);
		read += part.length;
		if (place === 'data') continue;
		const next = nextOf({ ...body, ...(body.data as IDataObject) });
		if (next === undefined) return;
		followed = checkedNext(next, path, { count: read });
	}
}

export async function allOf(ask: Ask, list: ListOf): Promise<IDataObject[]> {
	const all: IDataObject[] = [];
	for await (const part of partsOf(ask, list)) all.push(...part);
	return all;
}

/** Finds the team's monitors by any part of their name or ID. */
export const searchMonitors: ListSearch = async function (filter) {
	const ask: Ask = async ({ path, query }) => ({ body: await askForList(this, path, query) });
	const monitors = await allOf(ask, { path: MONITORS });
	return { results: matching(monitors, filter, ({ name }) => name) };
};

/** Returns the entries of the list that an item asks for, as many as it wants. */
export async function listedBy(
	task: Task,
	place?: ListOf['place'],
	made = (entry: IDataObject) => entry,
): Promise<Done> {
	const { call, form, settings } = task;
	let last: IDataObject = {};
	const ask: Ask = async (part) => {
		const response = await callService(task, part, settings);
		last = response.body;
		return response;
	};
	const most = form.get(limitField) ?? Infinity;
	const found = await allOf(ask, { path: call.path, query: call.query, place, most });
	const [around, name] = place === undefined ? [last, 'data'] : [last.data as IDataObject, 'pages'];
	const results = withRest(found.map(made), without(around, 'next'), name, form);
	if (results.length === 0) logWarning(task, around);
	return { items: results.map((json) => ({ json })) };
}

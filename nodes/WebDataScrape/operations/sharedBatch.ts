import type { IDataObject } from 'n8n-workflow';

import { pagePrice } from '../../shared/fields/prices';
import { below, isEmpty, missing } from '../../shared/form/checks';
import { urlLines } from '../../shared/form/values';
import { textOf } from '../../shared/json';
import type { Form, Task } from '../../shared/operation';
import type { NodeRun } from '../../shared/transport';
import { oneJobFor, urlList } from './batchFields';

/** A batch job of a node run and the items that share it. */
export interface SharedBatch<Outcome = unknown> {
	/** What tells a URL apart → the URL as it is sent; a page that several items ask for is scraped once. */
	urls: Map<string, string>;
	items: number[];
	/** What the job gave, once an item has begun it. */
	outcome?: Promise<Outcome>;
}

/** The batches of a node run by what they have in common. */
const batchesOf = new WeakMap<NodeRun, Map<string, SharedBatch>>();

/** Adds an item's URLs to the batch that it shares. To be called for all items before the first is sent. */
export function shareBatch(run: NodeRun, form: Form): void {
	const urls = urlsOf(form);
	const batches = batchesOf.get(run) ?? new Map<string, SharedBatch>();
	batchesOf.set(run, batches);
	const key = keyOfBatch(form);
	const batch = batches.get(key) ?? { urls: new Map<string, string>(), items: [] };
	batches.set(key, batch);
	batch.items.push(form.place.itemIndex);
	for (const url of urls) {
		if (!batch.urls.has(keyOfUrl(url))) batch.urls.set(keyOfUrl(url), url);
	}
}

/** An item's URLs, also where Additional Body Fields gave them. Throws NodeOperationError. */
export function urlsOf({ body, place }: Form): string[] {
	const at = below(place, urlList.displayName);
	const urls = isEmpty(body.urls) ? undefined : urlLines(body.urls, at);
	if (urls === undefined) throw missing(at);
	return urls;
}

/** The batch that an item shares. */
export function sharedBatchOf<Outcome>({ run, form }: Task): SharedBatch<Outcome> {
	return batchesOf.get(run)?.get(keyOfBatch(form)) as SharedBatch<Outcome>;
}

/** The task with the URLs of all items that share its batch. */
export function taskForAll(task: Task): Task {
	const urls = [...sharedBatchOf(task).urls.values()];
	return { ...task, call: { ...task.call, body: { ...task.call.body, urls } } };
}

/** What the batch that an item shares costs at most, in credits. */
export function batchPrice(task: Task): number {
	const { body } = task.form;
	const prices = [...sharedBatchOf(task).urls.values()].map((url) => pagePrice({ ...body, url }));
	return prices.reduce((sum, price) => sum + price, 0);
}

/** Items share a job whose forms differ in nothing but the URLs: the first one's settings hold for the whole job. */
function keyOfBatch({ get, body, settings, place }: Form): string {
	const { urls: _urls, ...options } = body;
	const owner = get(oneJobFor) === 'item' ? place.itemIndex : 'all';
	return `${owner} ${JSON.stringify([options, settings])}`;
}

/** What two ways to write one URL have in common. A service puts http:// in front of a URL without a protocol. */
export function keyOfUrl(url: unknown): string {
	const text = textOf(url).trim();
	const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
	try {
		return new URL(whole).href;
	} catch {
		return text;
	}
}

/** The keys of the URLs that a page may have been asked for by, the likeliest first. */
export function keysOfPage({ metadata }: IDataObject): string[] {
	const { sourceURL, url } = (metadata ?? {}) as IDataObject;
	return [sourceURL, url].filter((one) => typeof one === 'string').map(keyOfUrl);
}

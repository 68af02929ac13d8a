import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { brief } from '../../shared/client/errors/serviceError';
import { spend } from '../../shared/run/creditBudget';
import { atControl } from '../../shared/form/checks';
import { type UrlEntry, checkedEntries } from '../../shared/form/urls';
import { without } from '../../shared/base/json';
import { breathing } from '../../shared/base/time';
import { keyOfUrl } from '../../shared/base/url';
import type { Form } from '../../shared/form/form';
import type { Task } from '../../shared/run/operation';
import { batchPrice } from '../../shared/fields/prices';
import type { Account } from '../../shared/client/account';
import type { NodeRun } from '../../shared/run/nodeRun';
import type { Round } from '../../shared/run/round';
import { jobPerItem, urlList } from './batchFields';

/** A batch job of a round, and the items that share it because they have the same settings and account. */
export interface SharedBatch<Outcome = unknown> {
	/** The URLs to send, by key; a page that several items ask for is scraped once. */
	urls: Map<string, string>;
	/** Why entries aren't URLs and therefore aren't sent, by entry. */
	others: Map<string, string>;
	/** The URLs of each item, by item index and then by key. */
	items: Map<number, Map<string, string>>;
	/** The context of the first item: the job is started on its behalf, so that Retry On Fail finds it again. */
	context: IExecutePaginationFunctions;
	/** The job's outcome, once an item has started it. */
	outcome?: Promise<Outcome>;
	/** The same for all items but the first: a long error is reported once. */
	ofOthers?: Promise<Outcome>;
}

/** The items of a round that have the same settings. */
interface Gathered {
	items: Array<{ context: IExecutePaginationFunctions; index: number; entries: UrlEntry[] }>;
	/** Their batches, once an item has asked for its own. */
	batches?: Promise<Map<string, SharedBatch>>;
}

class GatheredItems extends Map<string, Gathered> {}

/** Adds an item's URLs to those of the items with the same settings. Call it for all items before the first is sent. */
export function shareBatch(
	form: Form,
	context: IExecutePaginationFunctions,
	round: Round,
	entries: UrlEntry[],
): void {
	const all = round.part(GatheredItems);
	const gathered = all.get(keyOfBatch(form)) ?? { items: [] };
	all.set(keyOfBatch(form), gathered);
	gathered.items.push({ context, index: form.place.itemIndex, entries });
}

/** Returns the entries of an item's URLs, including those from Additional Body Fields. Throws NodeOperationError. */
export const checkUrls = ({ body, place }: Form): UrlEntry[] =>
	checkedEntries(body, atControl(place, urlList), body.ignoreInvalidURLs !== false);

/** Returns the batch that an item shares. Throws NodeOperationError if its credential can't be used. */
export async function sharedBatchOf<Outcome>(task: Task): Promise<SharedBatch<Outcome>> {
	const { run, round, form, context } = task;
	const account = keyOfAccount(await run.account(context));
	const gathered = round.part(GatheredItems).get(keyOfBatch(form))!;
	gathered.batches ??= batchesOf(run, gathered);
	return (await gathered.batches).get(account) as SharedBatch<Outcome>;
}

/** Returns a key of an account, the same in each try of Retry On Fail, so that its items share the same job again. */
const keyOfAccount = ({ root, credential }: Account) => `${root} ${credential.apiKey}`;

/**
 * Splits items with the same settings by account, since a credential with expressions may have a different one for
 * each.
 */
async function batchesOf(run: NodeRun, { items }: Gathered): Promise<Map<string, SharedBatch>> {
	const reads = items.map(async ({ context }) => await run.account(context));
	const accounts = await Promise.allSettled(reads);
	const batches = new Map<string, SharedBatch>();
	for (const [at, { context, index, entries }] of items.entries()) {
		const account = accounts[at];
		// The item will ask for its account again later, and fail by itself.
		if (account.status === 'rejected') continue;
		const owner = keyOfAccount(account.value);
		const none = { urls: new Map(), others: new Map(), items: new Map() };
		const batch: SharedBatch = batches.get(owner) ?? { context, ...none };
		batches.set(owner, batch);
		const own = new Map<string, string>();
		batch.items.set(index, own);
		for await (const { url, reason } of breathing(entries)) {
			const key = keyOfUrl(url);
			if (!own.has(key)) own.set(key, url);
			if (reason !== undefined) batch.others.set(url, `This is ${reason}, so it was not sent`);
			else if (!batch.urls.has(key)) batch.urls.set(key, url);
		}
	}
	return batches;
}

export const isOfFirst = ({ context }: Task, batch: SharedBatch): boolean =>
	context === batch.context;

/**
 * Returns a batch's outcome. The first item that asks does the work for all, within the Credit Budget. If `work`
 * throws, it throws the same for every item; what the service said at length is in the error of the first.
 */
export async function onceForAll<Outcome extends { credits?: number }>(
	task: Task,
	batch: SharedBatch<Outcome>,
	work: (whole: Task) => Promise<Outcome>,
): Promise<Outcome> {
	const begin = async () => {
		for (const itemIndex of batch.items.keys()) task.round.shared.add(itemIndex);
		const whole = await taskForAll(task, batch);
		return await spend(whole, batchPrice(whole.call.body!), async () => await work(whole));
	};
	const outcome = (batch.outcome ??= begin());
	if (isOfFirst(task, batch)) return await outcome;
	return await (batch.ofOthers ??= outcome.catch((error) => {
		throw brief(error);
	}));
}

/**
 * Returns the task for a whole batch: it has the URLs of all items that share it, and runs on behalf of the first one,
 * whichever item asks.
 */
async function taskForAll(task: Task, { urls, context }: SharedBatch): Promise<Task> {
	const call = { ...task.call, body: { ...task.call.body, urls: [...urls.values()] } };
	const { account, once } = await task.run.callerFor(context);
	return { ...task, account, once, context, call };
}

/** Returns a key for all settings except the URLs: items with the same key share a job. */
function keyOfBatch({ get, body, settings, place }: Form): string {
	const options = without(body, 'urls');
	const owner = get(jobPerItem) === true ? place.itemIndex : 'all';
	return `${owner} ${JSON.stringify([options, settings])}`;
}

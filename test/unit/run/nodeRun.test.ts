/* eslint-disable @n8n/community-nodes/no-restricted-globals, @typescript-eslint/no-unused-vars */
import {
	NodeApiError,
	type NodeOperationError,
	type IExecuteData,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Stopped } from '../../../nodes/shared/client/errors/serviceError';
import { NodeRun, nodeRunOf } from '../../../nodes/shared/run/nodeRun';
import type { ServiceCall } from '../../../nodes/shared/client/types';

const NODE = { name: 'Search', type: 'webDataSearch', parameters: {}, retryOnFail: true };

type Work = (run: NodeRun) => Promise<INodeExecutionData[]>;

interface Options {
	items?: number;
	retryOnFail?: boolean;
}

/** One execution of a node, whose items n8n starts one after the other without waiting for any. */
class Execution {
	readonly controller = new AbortController();

	readonly data: IExecuteData;

	readonly warned: string[] = [];

	constructor(private readonly options: Options = {}) {
		const items = Array.from({ length: options.items ?? 1 }, (_, n) => ({ json: { n } }));
		this.data = {
			data: { main: [items] },
			node: NODE,
		} as unknown as IExecuteData;
	}

	/** Returns a context like n8n's: the item is a property, which contexts derived from it may override. */
	context(itemIndex: number, name = NODE.name): IExecutePaginationFunctions {
		const items = this.data.data.main[0] ?? [];
		return {
			itemIndex,
			getNode: () => ({ ...NODE, name, retryOnFail: this.options.retryOnFail ?? true }),
			getExecutionCancelSignal: () => this.controller.signal,
			getExecuteData: () => this.data,
			logger: { warn: (text: string) => this.warned.push(text) },
			getNodeParameter: (_name: string, otherwise: unknown) => otherwise,
			getItemIndex(this: { itemIndex: number }) {
				return this.itemIndex;
			},
			getInputData(this: { itemIndex: number }, _index = 0, type = 'main') {
				return (type === 'main' ? items[this.itemIndex] : undefined) ?? { json: {} };
			},
			getCredentials: async () => ({ baseUrl: 'https://api.example.com/v2', apiKey: 'key' }),
			continueOnFail: () => false,
		} as unknown as IExecutePaginationFunctions;
	}

	/** Starts an item as the nodes do; returns its items, or the error it throws. */
	async item(
		itemIndex: number,
		work: Work = good,
		check: (itemIndex: number) => void = () => {},
	): Promise<INodeExecutionData[] | NodeApiError | NodeOperationError> {
		const context = this.context(itemIndex);
		const run = nodeRunOf(context);
		try {
			return await run.perform(
				itemIndex,
				() => check(itemIndex),
				async () => ({ items: await work(run) }),
			);
		} catch (error) {
			return error as NodeApiError;
		}
	}
}

const runOf = (context: IExecutePaginationFunctions, tries?: NodeRun['tries']) =>
	new NodeRun(context.getNode(), context, tries);

const results: INodeExecutionData[] = [{ json: { found: 1 } }];

const good: Work = async () => results;

function failure(message = 'No credits', description?: string) {
	return new NodeApiError(NODE as never, {}, { message, description });
}

function failing(error: Error): Work {
	return async () => {
		throw error;
	};
}

/** Returns work that fails after the items behind it have gone on as well. */
function failingLater(error: Error): Work {
	return async () => {
		await meanwhile();
		throw error;
	};
}

/** Ends like a call that was not sent because the run had stopped. */
const notSent: Work = async () => {
	throw new Stopped();
};

/** Lets promises settle, but no timers fire, as between the items that n8n starts. */
async function meanwhile(): Promise<void> {
	for (let turns = 0; turns < 50; turns++) await Promise.resolve();
}

/** Keeps n8n from being held up for long enough to need a break, however busy the machine is. */
function timeStandsStill(): void {
	beforeEach(() => {
		jest.spyOn(performance, 'now').mockReturnValue(0);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});
}

describe('nothing is sent before all items are checked', () => {
	it('of a batch, where n8n starts them batch by batch; those after the mistake are not sent', async () => {
		const execution = new Execution({ items: 4 });
		const work = jest.fn(good);
		const check = (item: number) => {
			if (item === 2) throw failure('The item is invalid');
		};
		const batch = async (...items: number[]) =>
			await Promise.all(items.map((item) => execution.item(item, work, check)));
		expect(await batch(0)).toEqual([results]);
		expect(await batch(1, 2)).toMatchObject([[], { message: 'The item is invalid' }]);
		expect(await batch(3)).toEqual([[]]);
		expect(work).toHaveBeenCalledTimes(1);
	});
});

describe('when an item fails and the workflow stops', () => {
	timeStandsStill();

	it('counts each of the items that fail together, as in a job they share', async () => {
		const execution = new Execution();
		const shared = failure('No credits', 'Buy some.');
		let begun = 0;
		let fail = () => {};
		const failed = new Promise<never>((_resolve, reject) => {
			fail = () => reject(shared);
		});
		const work = async () => {
			begun++;
			if (begun === 3) fail();
			return await failed;
		};
		await Promise.all([0, 1, 2].map((index) => execution.item(index, work)));
		expect(shared.description).toBe('Buy some. Of 3 items, 0 had finished and 3 failed.');
	});

	it('gives the count to every error, once the last item is through', async () => {
		const execution = new Execution();
		const errors = [failure('One', 'First.'), failure('Two')];
		let end = (_items: INodeExecutionData[]) => {};
		const last = execution.item(
			0,
			async () => await new Promise<INodeExecutionData[]>((resolve) => (end = resolve)),
		);
		const ended = await Promise.all([
			execution.item(1, failingLater(errors[0])),
			execution.item(2, failingLater(errors[1])),
		]);
		expect(ended).toEqual(errors);
		expect(errors[0].description).toBe('First.');
		end(results);
		await last;
		expect(errors[0].description).toMatch(/^First\. Of 3 items, 1 had finished and 2 failed\./);
		expect(errors[1].description).toMatch(/^Of 3 items, 1 had finished and 2 failed\./);
	});
});

describe('jobs whose results n8n does not get', () => {
	timeStandsStill();

	const jobs = (count: number) =>
		Array.from({ length: count }, (_, n) => ({ id: `job-${n}`, getBy: 'Get' }));

	it.each([
		[1, '1 goes', 'the other job', 'job-0.'],
		[3, '3 go', 'the other jobs', 'job-0, job-1, job-2.'],
		[12, '12 go', 'the other jobs', 'job-8, job-9 and 2 more, which n8n’s log names.'],
	])(
		'are named in the error and all of them in the log, where %i go on',
		async (count, go, what, end) => {
			const execution = new Execution({ items: count + 1 });
			const error = failure();
			await Promise.all(
				[failingLater(error), ...jobs(count).map((job) => failing(new Stopped(job)))].map(
					async (work, n) => await execution.item(n, work),
				),
			);
			const counts = `Of ${count + 1} items, 0 had finished, 1 failed and ${go} on at the service.`;
			expect(error.description).toContain(
				`${counts} “Get” gives the results of ${what} without paying again: job-0`,
			);
			expect(error.description?.replace("n8n's", 'n8n’s')).toMatch(
				new RegExp(`${end.replace('.', '\\.')}$`),
			);
			expect(execution.warned).toHaveLength(1);
			for (const { id } of jobs(count)) expect(execution.warned[0]).toContain(id);
		},
	);

	it('of a cancelled execution count as running, and its other items as what they are', async () => {
		const execution = new Execution({ items: 6 });
		const cancelledMeanwhile: Work = async () => {
			await meanwhile();
			execution.controller.abort();
			throw new Stopped();
		};
		const ends: Work[] = [
			cancelledMeanwhile,
			good,
			failingLater(new Stopped(jobs(1)[0])),
			failingLater(new Stopped(undefined, true)),
			failingLater(new Stopped(undefined, true)),
			failingLater(new Stopped()),
		];
		const ended = await Promise.all(ends.map((work, n) => execution.item(n, work)));
		expect((ended[0] as NodeApiError).description).toContain(
			'Of 6 items, 1 had finished, 0 failed, 1 goes on at the service, 2 may have been billed and 2 were not sent.',
		);
	});
});

describe('a run is shared', () => {
	it('by the items of one try alone: those of Retry On Fail start afresh', async () => {
		const execution = new Execution({ items: 2 });
		await Promise.all([execution.item(0, failing(failure())), execution.item(1, notSent)]);
		const error = failure();
		const ended = await Promise.all([
			execution.item(0, failing(error)),
			execution.item(1, notSent),
		]);
		expect(ended).toEqual([error, []]);
		expect(error.description).toBe('Of 2 items, 0 had finished, 1 failed and 1 was not sent.');
	});
});

describe('the credential of a run is read', () => {
	type Watched = 'watched' | 'unknown' | 'private';

	/**
	 * Returns a context whose credential is resolved as by n8n: by the context's workflow. A context with private fields
	 * can't be read by way of another object.
	 */
	function reading(stored: Record<string, string>, log: number[], watched: Watched = 'watched') {
		const expression = {
			secret: 'of n8n',
			getParameterValue(value: Record<string, string>, itemIndex: number) {
				expect(this).toBe(expression);
				const resolve = (text: string) => text.replace('={{ $itemIndex }}', `key-${itemIndex}`);
				return Object.fromEntries(
					Object.entries(value).map(([name, text]) => [name, resolve(text)]),
				);
			},
		};
		return (itemIndex: number) => {
			const context = {
				workflow: watched === 'unknown' ? undefined : { expression },
				getNode: () => NODE,
				getItemIndex: () => itemIndex,
				getExecutionCancelSignal: () => undefined,
				continueOnFail: () => false,
				getNodeParameter: (_name: string, otherwise: unknown) => otherwise,
				async getCredentials(this: { workflow?: { expression: typeof expression } }) {
					if (watched === 'private' && this !== context) throw new TypeError('private member');
					log.push(itemIndex);
					await Promise.resolve();
					return (this.workflow?.expression ?? expression).getParameterValue(stored, itemIndex);
				},
			};
			return context as unknown as IExecutePaginationFunctions;
		};
	}

	const baseUrl = 'https://api.example.com';

	it('once for all items where no expression is in it, also when they all ask at once', async () => {
		const log: number[] = [];
		const context = reading({ baseUrl, apiKey: 'key' }, log);
		const run = runOf(context(0));
		const read = await Promise.all([0, 1, 2, 3].map(async (n) => await run.account(context(n))));
		expect(log).toEqual([0]);
		expect(new Set(read).size).toBe(1);
		expect(read[3].credential.apiKey).toBe('key');
	});

	it.each<[string, string, Watched]>([
		['where an expression is in it', '={{ $itemIndex }}', 'watched'],
		['where n8n can’t be watched', '={{ $itemIndex }}', 'unknown'],
		['where a private field of n8n’s class forbids it', '={{ $itemIndex }}', 'private'],
		['though no expression is in it where that can’t be seen', 'key', 'private'],
	])('once per item %s', async (_name, apiKey, watched) => {
		const log: number[] = [];
		const context = reading({ baseUrl, apiKey }, log, watched);
		const run = runOf(context(0));
		const read = await Promise.all([0, 1, 2].map(async (n) => await run.account(context(n))));
		expect(log).toEqual([0, 1, 2]);
		const keys = [0, 1, 2].map((n) => apiKey.replace('={{ $itemIndex }}', `key-${n}`));
		expect(read.map(({ credential }) => credential.apiKey)).toEqual(keys);
	});

	it('again for the others when the first read fails', async () => {
		const log: number[] = [];
		const context = reading({ baseUrl, apiKey: 'key' }, log);
		const failing = {
			...context(0),
			getCredentials: async () => await Promise.reject(new Error('No such credential')),
		};
		const run = runOf(context(0));
		await expect(run.account(failing)).rejects.toThrow('No such credential');
		expect((await run.account(context(1))).root).toBe(baseUrl);
		expect(log).toEqual([1]);
	});
});

describe('a call that may cost credits', () => {
	const post: ServiceCall = { method: 'POST', path: '/v2/search' };
	const never = () => false;

	/** Sends a call for an item in one more try of the run; returns what `send` returned, now or before. */
	async function tried(
		execution: Execution,
		send: () => Promise<unknown>,
		{ item = 0, call = post, isFree = never, name = NODE.name, times = 1 } = {},
	) {
		const context = execution.context(item, name);
		const run = nodeRunOf(context);
		const ended: unknown[] = [];
		await run.perform(
			item,
			() => {},
			async () => {
				const { once } = await run.callerFor(context);
				for (let n = 0; n < times; n++) {
					ended.push(await once(call, send, isFree).catch((error) => error.message));
				}
				return { items: [] };
			},
		);
		return ended;
	}

	/** Returns a function that returns another value each time. */
	function counter() {
		let sent = 0;
		return jest.fn(async () => ++sent);
	}

	it('is sent once in all tries, whatever the form says by then', async () => {
		const execution = new Execution({ items: 2 });
		const send = counter();
		expect(await tried(execution, send)).toEqual([1]);
		expect(await tried(execution, send, { call: { ...post, body: { query: 'changed' } } })).toEqual(
			[1],
		);
		expect(send).toHaveBeenCalledTimes(1);
	});

	it.each<[string, Parameters<typeof tried>[2]]>([
		['of another item', { item: 1 }],
		['to another path', { call: { method: 'POST', path: '/v2/map' } }],
		['of another node, as two tools of one agent', { name: 'Search 2' }],
	])('is sent for itself where it is one %s', async (_name, options) => {
		const execution = new Execution({ items: 2 });
		const send = counter();
		expect(await tried(execution, send)).toEqual([1]);
		expect(await tried(execution, send, options)).toEqual([2]);
	});

	it('is sent for itself where an item sends several', async () => {
		const execution = new Execution();
		const send = counter();
		expect(await tried(execution, send, { times: 2 })).toEqual([1, 2]);
		expect(await tried(execution, send, { times: 3 })).toEqual([1, 2, 3]);
	});

	it('is sent again where it cost nothing or was not sent', async () => {
		const execution = new Execution();
		const send = counter();
		const failed = jest.fn().mockRejectedValueOnce(new Error('Not sent'));
		expect(await tried(execution, failed)).toEqual(['Not sent']);
		expect(await tried(execution, send, { isFree: () => true })).toEqual([1]);
		expect(await tried(execution, send)).toEqual([2]);
		expect(await tried(execution, send)).toEqual([2]);
	});

	it('is not sent again where nobody can tell whether it cost anything', async () => {
		const execution = new Execution();
		const send = counter();
		const isFree = () => {
			throw new TypeError('Cannot tell');
		};
		for (let count = 0; count < 2; count++) {
			expect(await tried(execution, send, { isFree })).toEqual([1]);
		}
	});

	it('is sent for each use of an agent’s tool, but once in the tries of one use', async () => {
		const agent = new Execution();
		const send = counter();
		const use = async (json: object) => {
			const context = {
				...agent.context(0),
				getInputData: (_index?: number, type?: string) => ({
					json: type === 'ai_tool' ? json : {},
				}),
			} as unknown as IExecutePaginationFunctions;
			const run = nodeRunOf(context);
			const work = async () => {
				const { once } = await run.callerFor(context);
				return { items: [{ json: { n: await once(post, send, never) } }] };
			};
			const [item] = await run.perform(0, () => {}, work);
			return item.json.n;
		};
		const [first, second] = [{ query: 'a' }, { query: 'a' }];
		expect([await use(first), await use(second), await use(first)]).toEqual([1, 2, 1]);
	});

	it.each<[string, Options, ServiceCall]>([
		['free', {}, { method: 'GET', path: '/v2/crawl/active' }],
		['for a node without Retry On Fail', { retryOnFail: false }, post],
	])('is not kept when it is %s', async (_name, options, call) => {
		const execution = new Execution(options);
		const send = counter();
		expect(await tried(execution, send, { call, times: 2 })).toEqual([1, 2]);
		expect(await tried(execution, send, { call })).toEqual([3]);
	});

	it('is known to have been sent, in the next try and for the same call only', async () => {
		const execution = new Execution({ items: 2 });
		const context = execution.context(0);
		const before = nodeRunOf(context);
		expect(before.calls.keeps(context, post)).toBe(false);
		await tried(execution, counter());
		expect(before.calls.keeps(context, post)).toBe(false);
		await meanwhile();
		const run = runOf(context, before.tries);
		expect(run.calls.keeps(context, post)).toBe(true);
		expect(run.calls.keeps(context, { method: 'POST', path: '/v2/map' })).toBe(false);
		expect(run.calls.keeps(execution.context(1), post)).toBe(false);
		await (await run.callerFor(context)).once(post, counter(), never);
		expect(run.calls.keeps(context, post)).toBe(false);
	});
});

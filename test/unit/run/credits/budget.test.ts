/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { type IDataObject, sleep } from 'n8n-workflow';

import { type Price, UNKNOWN_PRICE, fixedPrice } from '../../../../nodes/shared/fields/prices';
import { spend } from '../../../../nodes/shared/run/creditBudget';
import { serviceErrorOf } from '../../../../nodes/shared/client/errors/describe';
import {
	ServiceError,
	Stopped,
	naming,
	withJob,
} from '../../../../nodes/shared/client/errors/serviceError';
import { ScriptedTask } from '../../../support/task';

// Time stands still, so n8n is never held up for long enough to need a break.
beforeEach(() => {
	jest.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** The price of a call that may cost more than usual. */
const PLAIN: Price = { usual: 1, most: 5 };

/** Lets promises settle. */
const meanwhile = async () => await new Promise((done) => setImmediate(done));

/** The paid calls of a node run, each of which a test ends. */
class Run {
	private readonly first: ScriptedTask;

	readonly started: number[] = [];

	readonly ended: Array<{ item: number; error?: string }> = [];

	/** The items whose error says that they were not sent. */
	readonly unsent: number[] = [];

	private readonly calls = new Map<
		number,
		{ resolve: (done: { credits?: number }) => void; reject: (error: Error) => void }
	>();

	constructor(private readonly values: IDataObject = {}) {
		this.first = this.task(0);
	}

	task(itemIndex: number, path = '/v2/scrape'): ScriptedTask {
		const call = { method: 'POST' as const, path };
		const task = new ScriptedTask([], { values: this.values, itemIndex, call, of: this.first });
		return Object.assign(task, this.first && { account: this.first.account });
	}

	stop(): void {
		this.first.controller.abort();
	}

	async begin(item: number, price: Price = PLAIN, path?: string): Promise<void> {
		const task = this.task(item, path);
		const work = async () =>
			await new Promise<{ credits?: number }>((resolve, reject) => {
				this.started.push(item);
				this.calls.set(item, { resolve, reject });
			});
		void spend(task, price, work).then(
			() => this.ended.push({ item }),
			(error: Error) => {
				this.ended.push({ item, error: error.message });
				if (error instanceof ServiceError && error.details.isUnsent) this.unsent.push(item);
			},
		);
		await meanwhile();
	}

	async end(item: number, result: number | Error | undefined): Promise<void> {
		const { resolve, reject } = this.calls.get(item)!;
		if (result instanceof Error) reject(result);
		else resolve({ credits: result });
		await meanwhile();
	}
}

/** Returns the error of a POST that was rejected with a status, or got no response for the reason in a code. */
function callError(end: number | string) {
	const outcome =
		typeof end === 'number'
			? ({ kind: 'rejected', status: end, excerpt: '' } as const)
			: ({ kind: 'noResponse', code: end, reason: '' } as const);
	const about = { method: 'POST', path: '/v2/scrape', root: 'https://a.example', waitedMs: 0 };
	return serviceErrorOf(outcome, about as never);
}

const EXHAUSTED = 'Not enough Credit Budget left for this item';

describe('Credit Budget', () => {
	it('lets the first call go alone, and then as many as are sure to fit', async () => {
		const run = new Run({ creditBudget: 91 });
		for (let item = 0; item < 9; item++) await run.begin(item);
		expect(run.started).toEqual([0]);
		await run.end(0, 1);
		// 90 are left, and any page may turn out to be one of X.
		expect(run.started).toEqual([0, 1, 2, 3]);
		const dear = new Run({ creditBudget: 81 });
		for (let item = 0; item < 9; item++) await dear.begin(item, { usual: 10, most: 40 });
		await dear.end(0, 1);
		expect(dear.started).toEqual([0, 1, 2]);
	});

	it('lets a call whose highest price does not fit go alone, if its usual one does', async () => {
		const run = new Run({ creditBudget: 20 });
		for (let item = 0; item < 3; item++) await run.begin(item, { usual: 10, most: 50 });
		await run.end(0, 10);
		expect(run.started).toEqual([0, 1]);
		await run.end(1, 50);
		expect(run.ended).toContainEqual({ item: 2, error: EXHAUSTED });
	});

	it('lets calls go one at a time whose highest price is not known', async () => {
		const run = new Run({ creditBudget: 1_000 });
		for (let item = 0; item < 9; item++) await run.begin(item, UNKNOWN_PRICE);
		for (let item = 0; item < 3; item++) {
			expect(run.started).toHaveLength(item + 1);
			await run.end(item, 1);
		}
	});

	it.each([
		['cost the same', [1], 150],
		['cost less than usual', [0, 1], 150],
		['need the enhanced proxy now and then', [1, 1, 1, 5], 100],
		['cost little, and then the most that is foreseen', [...Array<number>(40).fill(1), 5], 130],
		[
			'cost little at first, and then as much as pages of X',
			[...Array<number>(20).fill(1), ...Array<number>(40).fill(30)],
			100,
		],
		['cost more than anybody foresees, from the first on', [70], 400],
	])('is passed by one call’s difference at most where calls %s', async (_name, costs, budget) => {
		const run = new Run({ creditBudget: budget });
		let spent = 0;
		for (let item = 0; item < 200; item++) await run.begin(item);
		const costOf = (n: number) => costs[Math.min(n, costs.length - 1)];
		for (let n = 0; n < run.started.length; n++) {
			spent += costOf(n);
			await run.end(run.started[n], costOf(n));
		}
		expect(spent).toBeLessThanOrEqual(budget + Math.max(...costs) - 1);
		expect(run.ended).toHaveLength(200);
		expect(spent).toBeGreaterThan(budget - 2 * Math.max(...costs));
	});

	it('counts nothing for a call that failed before it was sent', async () => {
		const run = new Run({ creditBudget: 1 });
		await run.begin(0);
		await run.end(0, new TypeError('odd'));
		await run.begin(1);
		expect(run.started).toEqual([0, 1]);
	});

	const LIMITED = callError(429);
	it.each([
		['fails those that wait', LIMITED, [0, 3]],
		['lets others go on after a job', withJob(LIMITED, { id: 'a', getBy: 'b' }), [0, 1, 2, 3]],
	])('%s once a rate limit has failed one, and tries those that come later', async (...row) => {
		const [, failure, started] = row;
		const run = new Run({ creditBudget: 100 });
		for (const item of [0, 1, 2]) await run.begin(item);
		await run.end(0, failure);
		await sleep(5);
		await run.begin(3);
		expect(run.started).toEqual(started);
		expect(run.unsent).toEqual([1, 2].filter((item) => !run.started.includes(item)));
	});

	it('lets a call through where n8n keeps nothing for the node, as behind an MCP Server Trigger', async () => {
		const task = new Run({ creditBudget: 3 }).task(0);
		Object.assign(task.context, { getContext: undefined });
		expect(await spend(task, fixedPrice(1), async () => ({ credits: 1 }))).toEqual({ credits: 1 });
	});

	it('counts the uses of a tool together for ten minutes where n8n runs it outside of an execution', async () => {
		const use = async (name: string) => {
			const task = new Run({ creditBudget: 3 }).task(0);
			const getNode = () => ({ ...task.context.getNode(), name });
			const node = getNode();
			Object.assign(task.context, {
				getExecutionId: () => undefined,
				// Each use gets a new context, and a node with a new ID.
				getNode: () => ({ ...node, id: String(Math.random()) }),
			});
			return await spend(task, fixedPrice(2), async () => ({ credits: 2 })).catch(
				(error: Error) => error.message,
			);
		};
		expect(await use('Tool A')).toEqual({ credits: 2 });
		expect(await use('Tool A')).toBe(EXHAUSTED);
		expect(await use('Tool B')).toEqual({ credits: 2 });
		jest.spyOn(performance, 'now').mockReturnValue(599_000);
		expect(await use('Tool A')).toBe(EXHAUSTED);
		jest.spyOn(performance, 'now').mockReturnValue(600_000);
		expect(await use('Tool A')).toEqual({ credits: 2 });
	});

	it('goes on in a copy of what n8n kept, and begins anew in another execution', async () => {
		const used = new Run({ creditBudget: 3 }).task(0);
		await spend(used, fixedPrice(1), async () => ({ credits: 3 }));
		const later = (executionId: string) => {
			const { task } = { task: new Run({ creditBudget: 3 }).task(0) };
			Object.assign(task.kept, JSON.parse(JSON.stringify(used.kept)));
			Object.assign(task.context, { getExecutionId: () => executionId });
			return spend(task, fixedPrice(1), async () => ({ credits: 1 })).catch(
				(error: Error) => error.message,
			);
		};
		expect(await later('execution-1')).toBe(EXHAUSTED);
		expect(await later('execution-2')).toEqual({ credits: 1 });
	});

	it('says what was used and what to do, and that the item was not sent', async () => {
		const task = new Run({ creditBudget: 3 }).task(0);
		const of = async (price: number) =>
			await spend(task, fixedPrice(price), async () => ({ credits: 2 })).catch(
				(error: ServiceError) => error,
			);
		await of(2);
		expect(await of(7)).toMatchObject({
			message: EXHAUSTED,
			details: {
				isUnsent: true,
				description:
					'This execution has used up to 2 of 3 credits, and this request may cost 7, so it was not sent. Raise Credit Budget to at least 9, or ask for fewer pages or results.',
			},
		});
		expect(await of(3)).toMatchObject({
			details: { description: expect.stringContaining('with the items that are left') },
		});
	});

	it('tells a call that can be told what it may spend, if less is left, and sums up what is known', async () => {
		const run = new Run({ creditBudget: 45 });
		const told = async (price: Price, credits?: number) => {
			const task = run.task(0);
			await spend(task, price, async () => ({ credits }));
			return [task.call.body, { ...task.run.tries.spent }];
		};
		const task = { ...fixedPrice(30), cap: 'maxCredits' };
		expect(await told(task, 10)).toEqual([undefined, { credits: 10, isUnsure: false }]);
		expect(await told(UNKNOWN_PRICE, 10)).toEqual([undefined, { credits: 20, isUnsure: false }]);
		expect(await told(task)).toEqual([{ maxCredits: 25 }, { credits: 20, isUnsure: true }]);
	});

	it('without one, all calls go at once', async () => {
		const run = new Run();
		for (const [item, price] of [PLAIN, UNKNOWN_PRICE, fixedPrice(1_000)].entries()) {
			await run.begin(item, price);
		}
		expect(run.started).toEqual([0, 1, 2]);
	});

	it('lets nobody wait on once the run has stopped', async () => {
		const run = new Run({ creditBudget: 3 });
		for (const item of [0, 1, 2, 3]) await run.begin(item);
		run.stop();
		await run.end(0, 1);
		expect(run.ended).toEqual([
			{ item: 0 },
			...[1, 2, 3].map((item) => ({ item, error: 'stopped' })),
		]);
	});
});

describe('what fails once a job was started', () => {
	const job = { id: 'job-7', getBy: 'Get' };
	const failed = async (error: Error) => {
		const task = new Run({ creditBudget: 5 }).task(3);
		const work = async () => await naming(job, async () => await Promise.reject(error));
		const failure = await spend(task, fixedPrice(5), work).catch((thrown: ServiceError) => thrown);
		// The budget is used up.
		const next = await spend(task, fixedPrice(1), async () => ({})).catch(
			(thrown: Error) => thrown,
		);
		expect(next).toMatchObject({ message: EXHAUSTED });
		return failure as ServiceError;
	};

	it('names the job, whatever it is, and has cost what it may', async () => {
		const { message, description, details } = await failed(new TypeError('No space left'));
		expect([message, description]).toEqual(['No space left', 'Job: job-7.']);
		expect(details).toMatchObject({ jobId: 'job-7', getBy: 'Get' });
		expect((await failed(callError(500))).description).toMatch(/ Job: job-7\.$/);
		expect(await failed(new Stopped())).toEqual(new Stopped(job));
	});

	it('says no more where it names the job already', async () => {
		const error = new ServiceError('No', { description: 'Job: job-7.', jobId: 'job-7' });
		expect((await failed(error)).description).toBe('Job: job-7.');
	});
});

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { spend, summed } from '../../../nodes/shared/engine/spending';
import { errorOf } from '../../../nodes/shared/transport/errors';
import type { ServiceCall } from '../../../nodes/shared/transport';
import { node } from '../../support/form';
import { ScriptedTask } from '../../support/task';

/** Lets promises go on, also those that let n8n have a turn. */
const meanwhile = async () => await new Promise((done) => setTimeout(done, 5));

/** The paid calls of a node run, each of which a test ends. */
class Run {
	private readonly first: ScriptedTask;

	readonly started: number[] = [];

	readonly ended: Array<{ item: number; error?: string }> = [];

	private readonly calls = new Map<
		number,
		{ task: ScriptedTask; resolve: () => void; reject: (error: Error) => void }
	>();

	constructor(private readonly values: IDataObject = {}) {
		this.first = this.task(0);
	}

	task(itemIndex: number, path = '/v2/scrape'): ScriptedTask {
		const call = { method: 'POST' as const, path };
		return new ScriptedTask([], { values: this.values, itemIndex, call, of: this.first });
	}

	get run() {
		return this.first.run;
	}

	async begin(item: number, price: number | undefined, path?: string): Promise<void> {
		const task = this.task(item, path);
		const work = async () =>
			await new Promise<void>((resolve, reject) => {
				this.started.push(item);
				this.calls.set(item, { task, resolve, reject });
			});
		void spend(task, price, work).then(
			() => this.ended.push({ item }),
			(error: Error) => this.ended.push({ item, error: error.message }),
		);
		await meanwhile();
	}

	async end(item: number, result: number | Error | undefined): Promise<void> {
		const { task, resolve, reject } = this.calls.get(item)!;
		if (typeof result === 'number') task.used.credits = result;
		if (result instanceof Error) reject(result);
		else resolve();
		await meanwhile();
	}
}

/** The error of a call that got a rejection of a status, or no response for the reason of a code. */
function callError(end: number | string, method: ServiceCall['method'] = 'POST') {
	const outcome =
		typeof end === 'number'
			? ({ kind: 'rejected', status: end, excerpt: '' } as const)
			: ({ kind: 'noResponse', code: end, reason: '' } as const);
	const call = { method, path: '/v2/scrape' };
	return errorOf(outcome, { node, call, settings: {}, root: 'https://a.example', waitedMs: 0 });
}

describe('what fails once a job was started', () => {
	const failed = async (error: Error) => {
		const task = new Run({ creditBudget: 5 }).task(3);
		task.used.jobId = 'job-7';
		const work = async () => await Promise.reject(error);
		const failure = (await spend(task, 5, work).catch((thrown: Error) => thrown)) as NodeApiError;
		// The budget is used up.
		const next = await spend(task, 1, async () => {}).catch((thrown: Error) => thrown);
		expect(next).toMatchObject({ message: 'Not enough Credit Budget left for this item' });
		return failure;
	};

	it('names the job, whatever it is, and has cost what it may', async () => {
		const failure = await failed(new TypeError('No space left'));
		expect(failure).toBeInstanceOf(NodeOperationError);
		expect(failure).toMatchObject({ message: 'No space left', description: 'Job: job-7.' });
		expect(failure.context).toMatchObject({ itemIndex: 3, service: { jobId: 'job-7' } });
		const ofCall = await failed(callError(500, 'GET'));
		expect(ofCall.description).toMatch(/ Job: job-7\.$/);
	});

	it('is left as it is where it names the job already', async () => {
		const error = callError(500, 'GET');
		error.context.service = { jobId: 'job-7' };
		const { description } = error;
		expect((await failed(error)).description).toBe(description);
	});
});

describe('a budget', () => {
	it('lets all go at once where there is none', async () => {
		const run = new Run();
		for (const [item, price] of [1, undefined, 1_000].entries()) await run.begin(item, price);
		expect(run.started).toEqual([0, 1, 2]);
	});

	it('lets the first call go alone, and then as many as fit', async () => {
		const run = new Run({ creditBudget: 5 });
		for (let item = 0; item < 4; item++) await run.begin(item, 2);
		expect(run.started).toEqual([0]);
		await run.end(0, 2);
		expect(run.started).toEqual([0, 1]);
		await run.end(1, 1);
		// 2 are left, and the dearest cost 2.
		expect(run.started).toEqual([0, 1, 2]);
		await run.end(2, 2);
		expect(run.started).toEqual([0, 1, 2]);
		expect(run.ended).toContainEqual({
			item: 3,
			error: 'Not enough Credit Budget left for this item',
		});
	});

	it('lets all go at once after the first call that fit', async () => {
		const run = new Run({ creditBudget: 10 });
		for (let item = 0; item < 3; item++) await run.begin(item, 2);
		await run.end(0, 2);
		expect(run.started).toEqual([0, 1, 2]);
	});

	it('may be used to its last credit', async () => {
		const run = new Run({ creditBudget: 4 });
		await run.begin(0, 2);
		await run.end(0, 2);
		await run.begin(1, 2);
		expect(run.started).toEqual([0, 1]);
	});

	it('takes the dearest call for the price of the next, of the same path', async () => {
		const run = new Run({ creditBudget: 12 });
		await run.begin(0, 1);
		await run.end(0, 7);
		await run.begin(1, 1);
		expect(run.ended.at(-1)).toMatchObject({ item: 1, error: expect.any(String) as string });
		await run.begin(2, 5, '/v2/map');
		await run.end(2, 0);
		await run.begin(3, 5, '/v2/map');
		expect(run.started).toEqual([0, 2, 3]);
	});

	it('takes no call for dearer than its known price because another was known to be dear', async () => {
		const run = new Run({ creditBudget: 35 });
		await run.begin(0, 30);
		await run.end(0, 30);
		for (let item = 1; item <= 5; item++) await run.begin(item, 1);
		expect(run.started).toEqual([0, 1, 2, 3, 4, 5]);
	});

	it('gives what is known to be dearer than before its own price', async () => {
		const run = new Run({ creditBudget: 12 });
		await run.begin(0, 1);
		await run.end(0, 1);
		await run.begin(1, 12);
		expect(run.started).toEqual([0]);
	});

	it('is all set aside for a call that nobody knows the price of', async () => {
		const run = new Run({ creditBudget: 10 });
		await run.begin(0, undefined);
		await run.begin(1, undefined);
		expect(run.started).toEqual([0]);
		await run.end(0, 4);
		expect(run.started).toEqual([0, 1]);
		await run.begin(2, undefined);
		await run.end(1, 4);
		expect(run.started).toEqual([0, 1]);
		expect(run.ended).toContainEqual({
			item: 2,
			error: 'Not enough Credit Budget left for this item',
		});
	});

	it('that is used up lets nothing go, not even what is free so far', async () => {
		const run = new Run({ creditBudget: 2 });
		await run.begin(0, undefined);
		await run.end(0, 0);
		await run.begin(1, 2, '/v2/map');
		await run.end(1, 2);
		await run.begin(2, undefined);
		expect(run.started).toEqual([0, 1]);
	});

	it('lets those that wait go on in their order, also one that costs more than those behind it', async () => {
		const run = new Run({ creditBudget: 10 });
		await run.begin(0, 4);
		await run.begin(1, 9);
		await run.begin(2, 4);
		await run.end(0, 1);
		expect(run.started).toEqual([0, 1]);
		await run.end(1, 1);
		expect(run.started).toEqual([0, 1, 2]);
	});

	it('says what was used, what there was, and what the request may cost', async () => {
		const run = new Run({ creditBudget: 9 });
		await run.begin(0, 3);
		await run.end(0, 3);
		const error = await spend(run.task(5), 7, async () => {}).catch((thrown: Error) => thrown);
		expect(error).toMatchObject({
			message: 'Not enough Credit Budget left for this item',
			level: 'warning',
			context: { itemIndex: 5 },
		});
		expect((error as NodeApiError).description).toMatch(
			/^This execution has used 3 of 9 credits, and this request may cost 7, so it was not sent\. Raise Credit Budget, or run/,
		);
	});

	it('says what to raise it to where it is too small for the item alone, with what came before it', async () => {
		const run = new Run({ creditBudget: 100 });
		await run.begin(0, 5);
		await run.end(0, 5);
		const error = await spend(run.task(1), 500, async () => {}).catch((thrown: Error) => thrown);
		expect((error as NodeApiError).description).toBe(
			'This execution has used 5 of 100 credits, and this request may cost 500, so it was not sent. Raise Credit Budget to at least 505, or ask for fewer pages or results.',
		);
	});
});

describe('what a call is taken to have cost', () => {
	it.each<[string, (run: Run) => number | Error | undefined, number]>([
		['what the service says', () => 3, 3],
		['its price, where the service says nothing', () => undefined, 5],
		['nothing where it was rejected', () => callError(402), 0],
		['its price where it may have been billed', () => callError(408), 5],
		['its price after a 500', () => callError(500), 5],
		['its price after a 504', () => callError(504), 5],
		['its price where no response came', () => callError('ECONNRESET'), 5],
		['nothing where there was no connection', () => callError('ECONNREFUSED'), 0],
		['its price where a job was started and its poll fails', () => callError(404, 'GET'), 5],
		['its price where a job failed', () => new NodeApiError(node, {}, { message: 'No' }), 5],
		['nothing where it was not sent', ({ run }) => run.notSent, 0],
		['nothing where something else went wrong', () => new Error('odd'), 0],
	])('is %s', async (_name, resultOf, billed) => {
		const run = new Run({ creditBudget: 100 });
		const json: IDataObject = {};
		await run.begin(0, 5);
		await run.end(0, resultOf(run));
		await summed(run.run, async () => [{ json }]);
		expect(json.runCreditsUsed).toBe(billed);
	});

	it('is what the service said before the call failed', async () => {
		const run = new Run();
		const json: IDataObject = {};
		await spend(run.task(1), 5, async () => {
			throw callError(500);
		}).catch(() => undefined);
		const task = run.task(2);
		task.used.credits = 2;
		await spend(task, 5, async () => {
			throw callError(500);
		}).catch(() => undefined);
		await summed(run.run, async () => [{ json }]);
		expect(json.runCreditsUsed).toBe(7);
	});

	it('is nothing again for what was sent in an earlier try', async () => {
		const run = new Run({ creditBudget: 5 });
		jest.spyOn(run.run, 'keeps').mockReturnValue(true);
		for (let item = 0; item < 3; item++) await run.begin(item, 5);
		expect(run.started).toEqual([0, 1, 2]);
	});
});

describe('a node that an execution runs several times', () => {
	/** One more run of it. */
	const runOf = (type: string, cancel: AbortController, name?: string) =>
		new ScriptedTask([], { values: { creditBudget: 3 }, type, cancel, name });

	/** What that ends with: `true`, or the message of its error. */
	const use = async (...of: Parameters<typeof runOf>) =>
		await spend(runOf(...of), 2, async () => true).catch((error: Error) => error.message);

	it.each([
		['in a loop', 'webDataScrape'],
		['as a tool of an AI agent', 'webDataScrapeTool'],
	])('has one budget for all of them, %s', async (_where, type) => {
		const execution = new AbortController();
		expect(await use(type, execution)).toBe(true);
		expect(await use(type, execution)).toBe('Not enough Credit Budget left for this item');
		expect(await use(type, execution, 'Another node')).toBe(true);
		expect(await use(type, new AbortController())).toBe(true);
	});

	it('says in its results what each of them has used', async () => {
		const execution = new AbortController();
		for (const price of [2, 1]) {
			const task = runOf('webDataScrape', execution);
			const json: IDataObject = {};
			await summed(task.run, async () => await spend(task, price, async () => [{ json }]));
			expect(json).toEqual({ runCreditsUsed: price });
		}
	});
});

describe('the sum of a run', () => {
	it('is in each result, once all items are through, and in no error', async () => {
		const run = new Run();
		const items: INodeExecutionData[] = [{ json: {} }, { json: { error: {} } }, { json: {} }];
		let end = () => {};
		const open = summed(run.run, async () => {
			await new Promise<void>((resolve) => (end = resolve));
			await spend(run.task(1), 4, async () => {});
			return [items[2]];
		});
		await summed(run.run, async () => {
			await spend(run.task(0), 3, async () => {});
			return items.slice(0, 2);
		});
		expect(items[0].json).toEqual({});
		end();
		await open;
		expect(items.map(({ json }) => json)).toEqual([
			{ runCreditsUsed: 7 },
			{ error: {} },
			{ runCreditsUsed: 7 },
		]);
	});

	it('is in none where nobody knows what a call cost', async () => {
		for (const creditBudget of [undefined, 500]) {
			const run = new Run({ creditBudget });
			const json: IDataObject = {};
			await summed(run.run, async () => {
				await spend(run.task(0), undefined, async () => {});
				return [{ json }];
			});
			expect(json).toEqual({});
		}
	});

	it('is there also when an item fails', async () => {
		const run = new Run();
		const json: IDataObject = {};
		let end = () => {};
		const open = summed(run.run, async () => {
			await new Promise<void>((resolve) => (end = resolve));
			throw new Error('odd');
		}).catch(() => undefined);
		await summed(run.run, async () => [{ json }]);
		end();
		await open;
		expect(json).toEqual({ runCreditsUsed: 0 });
	});
});

import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';

import { NotSent, runOf, type ItemRun } from '../../../nodes/shared/transport/run';
import type { ServiceContext } from '../../../nodes/shared/transport/types';

const NODE = { name: 'Search', type: 'webDataSearch', parameters: {} };

type Work = (run: ItemRun) => Promise<INodeExecutionData[]>;

/** One execution of a node, whose items n8n starts one after the other without waiting for any. */
class Execution {
	readonly controller = new AbortController();

	constructor(private readonly continueOnFail = false) {}

	context(itemIndex: number, name = NODE.name): ServiceContext {
		return {
			getNode: () => ({ ...NODE, name }),
			getExecutionCancelSignal: () => this.controller.signal,
			getItemIndex: () => itemIndex,
			continueOnFail: () => this.continueOnFail,
		} as unknown as ServiceContext;
	}

	/** Starts an item as the nodes do: what it gives, or the error it throws. */
	async item(
		itemIndex: number,
		work: Work,
		prepare: () => void = () => {},
	): Promise<INodeExecutionData[] | NodeApiError | NodeOperationError> {
		const run = runOf(this.context(itemIndex));
		try {
			run.check(prepare);
			return await run.perform(itemIndex, async () => await work(run));
		} catch (error) {
			return error as NodeApiError;
		}
	}
}

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

/** As a call ends that was not sent because the run had stopped. */
const notSent: Work = failing(new NotSent(NODE as never, {}, { message: 'Not sent' }));

/** Lets promises go on, but no timers fire, as between the items that n8n starts. */
async function meanwhile(): Promise<void> {
	for (let turns = 0; turns < 50; turns++) await Promise.resolve();
}

describe('nothing is sent before all items are checked', () => {
	it.each([
		['one after the other', async () => {}],
		['with other work in between', meanwhile],
	])('when n8n starts them %s', async (_name, between) => {
		const execution = new Execution();
		const work = jest.fn(good);
		const started: Array<ReturnType<Execution['item']>> = [];
		for (let index = 0; index < 5; index++) {
			const prepare = () => {
				if (index === 4) throw failure('The item is invalid');
			};
			started.push(execution.item(index, work, prepare));
			await between();
		}
		const ended = await Promise.all(started);
		expect(work).not.toHaveBeenCalled();
		expect(ended.slice(0, 4)).toEqual([[], [], [], []]);
		expect(ended[4]).toMatchObject({
			message: 'The item is invalid',
			description: 'Of 5 items, 0 had finished, 1 failed and 4 were not sent.',
		});
	});

	it('nor is there any more waiting when they were', async () => {
		const execution = new Execution();
		await execution.item(0, good);
		const work = jest.fn(good);
		const later = execution.item(1, work);
		await meanwhile();
		expect(work).toHaveBeenCalledTimes(1);
		expect(await later).toBe(results);
	});
});

describe('when an item fails and the workflow stops', () => {
	it('says how many items finished, failed and were not sent, after what the error said', async () => {
		const execution = new Execution();
		const ended = await Promise.all([
			execution.item(0, good),
			execution.item(1, good),
			execution.item(2, failing(failure('No credits', 'Buy some.'))),
			execution.item(3, notSent),
			execution.item(4, notSent),
			execution.item(5, notSent),
		]);
		expect(ended[0]).toBe(results);
		expect(ended.slice(3)).toEqual([[], [], []]);
		expect(ended[2]).toMatchObject({ message: 'No credits' });
		const { description } = ended[2] as NodeApiError;
		expect(description).toMatch(
			/^Buy some\. Of 6 items, 2 had finished, 1 failed and 3 were not sent\. What finished is not/,
		);
		expect(description).toContain('set On Error to “Continue (using error output)” to keep it');
		expect(description).toContain('Retry On Fail does not pay again');
	});

	it('lets those finish that are under way, and starts no other', async () => {
		const execution = new Execution();
		const ended = await Promise.all([
			execution.item(0, failing(failure())),
			execution.item(1, async () => {
				await meanwhile();
				return results;
			}),
		]);
		expect(ended[1]).toBe(results);
		const work = jest.fn(good);
		const late = runOf(execution.context(2));
		expect(late.isStopped).toBe(true);
		expect(await late.perform(2, async () => await work(late))).toEqual([]);
		expect(work).not.toHaveBeenCalled();
	});

	it('refuses the calls that wait for their turn, of this run only', async () => {
		const execution = new Execution();
		const refused: string[] = [];
		const [first, second] = [runOf(execution.context(0)), runOf(execution.context(1))];
		expect(second.limiter).toBe(first.limiter);
		expect(second.owner).toBe(first.owner);
		for (let n = 0; n < 5; n++) await first.limiter.acquire(first.owner, 50, false);
		second.limiter.acquire(second.owner, 50, false).catch(() => refused.push('own'));
		first.limiter.acquire('another', 50, false).catch(() => refused.push('another'));
		await expect(first.perform(0, async () => await failing(failure())(first))).rejects.toThrow();
		expect(refused).toEqual(['own']);
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
			execution.item(1, failing(errors[0])),
			execution.item(2, failing(errors[1])),
		]);
		expect(ended).toEqual(errors);
		expect(errors[0].description).toBe('First.');
		end(results);
		await last;
		const count = /Of 3 items, 1 had finished, 2 failed and 0 were not sent\./;
		expect(errors[0].description).toMatch(/^First\. Of 3 items/);
		expect(errors[0].description).toMatch(count);
		expect(errors[1].description).toMatch(/^Of 3 items/);
		expect(errors[1].description).toMatch(count);
	});

	it('counts an item once, however often its calls ask for its part', async () => {
		const execution = new Execution();
		const context = execution.context(0);
		const run = runOf(context);
		expect(runOf(context)).toBe(run);
		const other = execution.item(1, notSent);
		const error = failure();
		await expect(run.perform(0, async () => await failing(error)(run))).rejects.toBe(error);
		await other;
		expect(error.description).toMatch(/^Of 2 items, 0 had finished, 1 failed/);
	});

	it('counts nothing where there is but one item', async () => {
		const error = failure('No credits', 'Buy some.');
		expect(await new Execution().item(0, failing(error))).toBe(error);
		expect(error.description).toBe('Buy some.');
	});

	it('makes an error of n8n’s of any other, naming the item', async () => {
		const cause = new TypeError('x is not a function');
		for (const error of [
			await new Execution().item(3, failing(cause)),
			await new Execution().item(0, good, () => {
				throw cause;
			}),
		]) {
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error).toMatchObject({ message: 'x is not a function', node: { name: 'Search' } });
		}
		const error = await new Execution().item(3, failing(cause));
		expect((error as NodeOperationError).context).toMatchObject({ itemIndex: 3 });
	});

	it.each([
		['NodeApiError', failure()],
		['NodeOperationError', new NodeOperationError(NODE as never, 'Not possible')],
	])('leaves a %s as it is', async (_name, error) => {
		expect(await new Execution().item(0, failing(error))).toBe(error);
	});
});

describe('when errors continue', () => {
	it('the others go on, and the error says nothing of them', async () => {
		const execution = new Execution(true);
		const error = failure('No credits', 'Buy some.');
		const invalid = failure('The item is invalid');
		const ended = await Promise.all([
			execution.item(0, failing(error)),
			execution.item(1, good, () => {
				throw invalid;
			}),
			execution.item(2, good),
		]);
		expect(ended).toEqual([error, invalid, results]);
		expect(error.description).toBe('Buy some.');
		expect(invalid.description).toBeFalsy();
		expect(runOf(execution.context(3)).isStopped).toBe(false);
	});

	it('also where n8n does not say so, the error is thrown as it is', async () => {
		const context = { getNode: () => NODE } as unknown as ServiceContext;
		const error = failure();
		const run = runOf(context);
		await expect(run.perform(0, async () => await failing(error)(run))).rejects.toBe(error);
		expect(run.isStopped).toBe(true);
	});
});

describe('who shares a run', () => {
	it('all items of a node in an execution', () => {
		const execution = new Execution();
		const owner = runOf(execution.context(0)).owner;
		expect(runOf(execution.context(1)).owner).toBe(owner);
		expect(runOf(execution.context(7)).owner).toBe(owner);
		expect(runOf(execution.context(8, 'Scrape')).owner).not.toBe(owner);
		expect(runOf(new Execution().context(8)).owner).not.toBe(owner);
	});

	it('not those of Retry On Fail: they start afresh, at the pace known by then', async () => {
		const execution = new Execution();
		await Promise.all([execution.item(0, failing(failure())), execution.item(1, notSent)]);
		const [first, second] = [runOf(execution.context(0)), runOf(execution.context(1))];
		expect(first.isStopped).toBe(false);
		expect(second.owner).toBe(first.owner);
		const error = failure();
		await expect(first.perform(0, async () => await failing(error)(first))).rejects.toBe(error);
		expect(await second.perform(1, async () => results)).toEqual([]);
		expect(error.description).toBe('Of 2 items, 0 had finished, 1 failed and 1 were not sent.');
	});

	it('not a single item’s either', async () => {
		const execution = new Execution();
		const failed = runOf(execution.context(0));
		await expect(failed.perform(0, async () => await failing(failure())(failed))).rejects.toThrow();
		const again = runOf(execution.context(0));
		expect(again.isStopped).toBe(false);
		expect(again.limiter).toBe(failed.limiter);
		expect(await again.perform(0, async () => results)).toBe(results);
	});

	it('nobody where n8n gives no cancel signal', () => {
		const context = () => ({ getNode: () => NODE }) as unknown as ServiceContext;
		expect(runOf(context()).owner).not.toBe(runOf(context()).owner);
	});
});

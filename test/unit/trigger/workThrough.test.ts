/* eslint-disable @n8n/community-nodes/no-restricted-globals, @typescript-eslint/no-unused-vars */
import { recalled, save } from '../../../nodes/shared/trigger/memory';
import { type JobRound, workThrough } from '../../../nodes/shared/trigger/workThrough';

const never = async () => await new Promise<never>(() => undefined);

function setup() {
	/** Ends the wait for the given time (ms) early. */
	const waits = new Map<number, () => void>();
	const signals: AbortSignal[] = [];
	const taken: string[] = [];
	const tools = {
		now: () => 1_000,
		wait: async (ms: number, signal: AbortSignal) => {
			signals.push(signal);
			await new Promise<void>((resolve) => waits.set(ms, resolve));
		},
	};
	const round = (
		work: JobRound<string, string>['work'],
		more: Partial<JobRound<string, string>> = {},
	) =>
		workThrough<string, string>(
			{
				jobs: ['a', 'b', 'c', 'd'],
				work,
				take: (job, result) => taken.push(`${job}: ${result}`),
				atOnce: 2,
				beginBy: 2_000,
				finishBy: 3_000,
				...more,
			},
			tools,
		);
	return { waits, signals, taken, round };
}
/** Lets everything proceed that can. */
const quiet = async () => await new Promise((resolve) => setImmediate(resolve));

describe('the work of a poll of a trigger', () => {
	it('ends in time whatever a job does', async () => {
		const { round, waits, taken } = setup();
		const running = round(async (job) => (job === 'b' ? await never() : job));
		await quiet();
		waits.get(2_000)!();
		expect(await running).toEqual({ late: ['b'] });
		expect(taken).toEqual(['a: a', 'c: c', 'd: d']);
	});

	it('takes nothing from a job that ends later, not even its error', async () => {
		const { round, waits, taken } = setup();
		const ends: Array<(result: string | Promise<string>) => void> = [];
		const running = round(async () => await new Promise((resolve) => ends.push(resolve)));
		await quiet();
		waits.get(2_000)!();
		const result = await running;
		ends[0]('late');
		ends[1](Promise.reject(new Error('late')));
		await quiet();
		expect(taken).toEqual([]);
		expect(result).toEqual({ late: ['a', 'b'] });
	});

	it('begins nothing more once a job has thrown, and lets the others end', async () => {
		const { round, waits, taken } = setup();
		const begun: string[] = [];
		let end = (_result: string) => {};
		const running = round(
			async (job) => {
				begun.push(job);
				if (job === 'b') throw new Error('HTTP 429');
				return await new Promise((resolve) => {
					if (job === 'a') end = resolve;
				});
			},
			{ atOnce: 3 },
		);
		await quiet();
		end('A');
		await quiet();
		waits.get(2_000)!();
		expect(await running).toEqual({
			failure: { job: 'b', error: new Error('HTTP 429') },
			late: ['c'],
		});
		expect([begun, taken]).toEqual([['a', 'b', 'c'], ['a: A']]);
	});

	it('begins nothing when it is too late, or told not to', async () => {
		const { round, taken } = setup();
		await round(async (job) => job, { beginBy: 1_000 });
		expect(taken).toEqual([]);
		const mayBegin = () => taken.length < 2;
		await round(async (job) => job, { atOnce: 1, mayBegin });
		expect(taken).toEqual(['a: a', 'b: b']);
	});
});

describe('what a trigger remembers', () => {
	const own = { version: 1, scope: 'a', seen: ['b'], pages: {} };
	const EMPTY = { version: 1, seen: [], pages: {} };

	it.each<[unknown, string[]]>([
		[undefined, []],
		[null, []],
		[{ ...own, scope: 'b' }, ['info: What this trigger watches has changed']],
		[{ ...own, version: 2 }, ['warn: What this trigger remembered is unreadable']],
		['text', ['warn: What this trigger remembered is unreadable']],
		[{ ...own, seen: {} }, ['warn: What this trigger remembered is unreadable']],
		[{ ...own, pages: null }, ['warn: What this trigger remembered is unreadable']],
	])('is none if it is %j, which the log says', (stored, said) => {
		const lines: string[] = [];
		const log = {
			info: (text: string) => lines.push(`info: ${text}`),
			warn: (text: string) => lines.push(`warn: ${text}`),
		};
		const store = { read: () => stored, write: () => {} };
		expect(recalled({ store, log }, EMPTY, 'a')).toBeUndefined();
		expect(lines).toEqual(said.map((text) => expect.stringMatching(`^${text}.*starts over`)));
	});
});

describe('saving what a trigger remembers', () => {
	it('writes what has changed, and nothing else: n8n saves what is written', () => {
		const stored = { version: 1, scope: 'a' };
		const write = jest.fn();
		const store = { read: () => stored, write };
		save(store, { ...stored });
		expect(write).not.toHaveBeenCalled();
		save(store, { ...stored, scope: 'b' });
		expect(write.mock.calls).toEqual([[{ version: 1, scope: 'b' }]]);
	});
});

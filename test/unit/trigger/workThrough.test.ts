import { save } from '../../../nodes/shared/trigger/memory';
import { sayNewStart } from '../../../nodes/shared/trigger/pollTools';
import { type Round, workThrough } from '../../../nodes/shared/trigger/workThrough';

const never = async () => await new Promise<never>(() => undefined);

function setup() {
	/** Ends the wait for the given time (ms) early. */
	const waits = new Map<number, () => void>();
	const signals: AbortSignal[] = [];
	const tools = {
		now: () => 1_000,
		wait: async (ms: number, signal: AbortSignal) => {
			signals.push(signal);
			await new Promise<void>((resolve) => waits.set(ms, resolve));
		},
	};
	const round = (work: Round<string, string>['work'], more: Partial<Round<string, string>> = {}) =>
		workThrough<string, string>(
			{
				jobs: ['a', 'b', 'c', 'd'],
				work,
				atOnce: 2,
				beginBy: 2_000,
				finishBy: 3_000,
				graceMs: 5_000,
				...more,
			},
			tools,
		);
	return { waits, signals, round };
}
const settle = async () => await new Promise((resolve) => setTimeout(resolve, 5));

describe('workThrough', () => {
	it('does all jobs, some at a time, and gives back its timer', async () => {
		const { round, signals } = setup();
		const { done, late, failure } = await round(async (job) => job.toUpperCase());
		expect([...done.values()]).toEqual(['A', 'B', 'C', 'D']);
		expect([late, failure]).toEqual([[], undefined]);
		expect(signals.every(({ aborted }) => aborted)).toBe(true);
	});

	it('ends in time whatever a job does', async () => {
		const { round, waits } = setup();
		const running = round(async (job) => (job === 'b' ? await never() : job));
		await settle();
		waits.get(2_000)!();
		const { done, late } = await running;
		expect([...done.keys()]).toEqual(['a', 'c', 'd']);
		expect(late).toEqual(['b']);
	});

	it('takes nothing from a job that ends later', async () => {
		const { round, waits } = setup();
		let end = (_result: string) => {};
		const running = round(async () => await new Promise((resolve) => (end = resolve)), {
			jobs: ['a'],
		});
		await settle();
		waits.get(2_000)!();
		const { done } = await running;
		end('late');
		await settle();
		expect(done.size).toBe(0);
	});

	it('begins nothing more once a job has thrown, and waits for the others but a moment', async () => {
		const { round, waits } = setup();
		const begun: string[] = [];
		const running = round(async (job) => {
			begun.push(job);
			if (job === 'b') throw new Error('HTTP 429');
			return await never();
		});
		await settle();
		waits.get(5_000)!();
		const { failure, late } = await running;
		expect(failure).toEqual({ job: 'b', error: new Error('HTTP 429') });
		expect([begun, late]).toEqual([['a', 'b'], ['a']]);
	});

	it('begins nothing when it is too late, or told not to', async () => {
		const { round } = setup();
		expect((await round(async (job) => job, { beginBy: 1_000 })).done.size).toBe(0);
		const begun: string[] = [];
		const mayBegin = () => begun.length < 2;
		await round(async (job) => String(begun.push(job)), { atOnce: 1, mayBegin });
		expect(begun).toEqual(['a', 'b']);
	});
});

describe('a new start', () => {
	it.each<[Parameters<typeof sayNewStart>[0], string[]]>([
		[undefined, []],
		['first', []],
		['otherScope', ['info: What this trigger watches has changed']],
		['unreadable', ['warn: What this trigger remembered is unreadable']],
	])('is said in the log, but not the very first one: %s', (newStart, said) => {
		const lines: string[] = [];
		sayNewStart(newStart, {
			info: (text) => lines.push(`info: ${text}`),
			warn: (text) => lines.push(`warn: ${text}`),
		});
		expect(lines).toEqual(said.map((text) => expect.stringMatching(`^${text}.*starts over`)));
	});
});

describe('save', () => {
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

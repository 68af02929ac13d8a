import { VirtualClock } from '../../../bench/limits/clock';
import { AccountLimiter } from '../../../nodes/shared/limiter/accountLimiter';
import type {
	LimitedCall,
	Denial,
	Pacing,
	Pause,
	Permit,
	Verdict,
} from '../../../nodes/shared/limiter/types';

/** A pace set by a test: nothing is sent before `from`. */
class SetPace implements Pacing {
	from = -Infinity;

	pause?: Pause;

	/** How often it was asked when the next call may be sent. */
	asked = 0;

	earliest(): number {
		this.asked++;
		return this.from;
	}

	sent(): void {}

	accepted(_sentAt: number, now: number): void {
		if (this.pause) Object.assign(this.pause, { endedAt: now });
		this.pause = undefined;
	}

	limited(_sentAt: number, now: number, waitMs = 0): void {
		this.from = now + waitMs;
		this.pause ??= { since: now };
	}
}

const AT_FIRST = 500;

/** Calls to a limiter on a clock of its own, by name, and their results. */
class Bench {
	readonly clock = new VirtualClock();

	/** In the order in which their groups were first used. */
	readonly paces: SetPace[] = [];

	readonly limiter = new AccountLimiter(this.clock, () => {
		const pace = new SetPace();
		this.paces.push(pace);
		return pace;
	});

	readonly sent: string[] = [];

	readonly denied: Record<string, Denial> = {};

	readonly permits: Record<string, Permit> = {};

	ask(name: string, options: Partial<LimitedCall> = {}): LimitedCall {
		const usual = { run: this, group: 'POST', maxConcurrent: 1_000, maxWaitMs: 60_000 };
		return this.askAgain(name, { ...usual, ...options });
	}

	askAgain(name: string, call: LimitedCall): LimitedCall {
		void this.limiter.acquire(call).then((result) => {
			if ('denied' in result) {
				this.denied[name] = result;
				return;
			}
			this.sent.push(name);
			this.permits[name] = result;
		});
		return call;
	}

	async askMany(count: number, name: string, call: Partial<LimitedCall> = {}): Promise<void> {
		for (let n = 0; n < count; n++) this.ask(`${name}${n}`, call);
		await this.until(this.clock.now());
	}

	release(name: string, verdict: Verdict = { kind: 'accepted' }): void {
		this.limiter.release(this.permits[name], verdict);
	}

	limit(name: string, waitMs?: number): void {
		this.release(name, { kind: 'limited', waitMs });
	}

	async until(ms: number): Promise<void> {
		this.clock.at(ms, () => undefined);
		await this.clock.run(ms);
	}

	sentOf(word: string): string[] {
		return this.sent.filter((name) => name.startsWith(word));
	}
}

let bench: Bench;

beforeEach(() => {
	bench = new Bench();
});

describe('the turns of runs at an account', () => {
	it('go round, so that a run of one call does not wait for a run of a thousand', async () => {
		await bench.askMany(1_000, 'large', { run: { large: true } });
		await bench.askMany(1, 'small', { run: { small: true } });
		bench.release('large0', { kind: 'failed' });
		bench.release('large1', { kind: 'failed' });
		await bench.until(0);
		expect(bench.sent.slice(AT_FIRST).sort()).toEqual([`large${AT_FIRST}`, 'small0']);
	});

	it('come for runs without a call in flight though another holds all places, up to a tenth more', async () => {
		await bench.askMany(2 * AT_FIRST, 'endless', { run: { endless: true } });
		for (let n = 0; n < 60; n++) await bench.askMany(5, `run${n}-`, { run: { n } });
		expect(bench.sentOf('endless')).toHaveLength(AT_FIRST);
		expect(bench.sentOf('run')).toEqual(
			Array.from({ length: AT_FIRST / 10 }, (_, n) => `run${n}-0`),
		);
		bench.release('run3-0', { kind: 'failed' });
		await bench.until(0);
		expect(bench.sentOf('run')).toHaveLength(AT_FIRST / 10 + 1);
	});

	it('cost little for each of 10,000 calls that come at once, of one run or of as many', async () => {
		await bench.askMany(AT_FIRST, 'call');
		const { asked } = bench.paces[0];
		await bench.askMany(10_000, 'waiting', { run: {} });
		for (let n = 0; n < 10_000; n++) bench.ask(`${n}`, { run: {} });
		expect(bench.paces[0].asked - asked).toBeLessThan(5 * 20_000);
	});
});

describe('how many calls an account has in flight', () => {
	it('is 500 from the first call on, so that nobody waits for a service that has not complained', async () => {
		await bench.askMany(AT_FIRST + 100, 'call');
		expect(bench.sent).toHaveLength(AT_FIRST);
		for (let n = 0; n < 50; n++) bench.release(`call${n}`);
		await bench.until(0);
		expect(bench.sent).toHaveLength(AT_FIRST + 50);
	});

	it('is halved by a 503, once for all that were in flight then, and grows slowly after it', async () => {
		await bench.askMany(2 * AT_FIRST, 'call');
		await bench.until(10);
		for (let n = 0; n < 200; n++) bench.release(`call${n}`, { kind: 'overloaded' });
		await bench.until(20);
		expect(bench.sent).toHaveLength(AT_FIRST);
		for (let n = 200; n < 261; n++) bench.release(`call${n}`);
		await bench.until(20);
		// 239 were in flight, and 61 accepted ones added 6 to the half.
		expect(bench.sent).toHaveLength(AT_FIRST + 17);
		bench.release(`call${AT_FIRST}`, { kind: 'overloaded' });
		for (let n = 261; n < 401; n++) bench.release(`call${n}`, { kind: 'failed' });
		await bench.until(20);
		// 115 were in flight, and half of 256 are 128.
		expect(bench.sent).toHaveLength(AT_FIRST + 17 + 13);
	});
});

describe('the pace of an account', () => {
	it('is another one for each kind of calls', async () => {
		await bench.askMany(1, 'post');
		bench.ask('get', { group: 'GET' });
		await bench.until(0);
		bench.limit('post0', 1_000);
		await bench.askMany(1, 'post');
		await bench.askMany(3, 'get', { group: 'GET' });
		expect(bench.sent).toEqual(['post0', 'get', 'get0', 'get1', 'get2']);
	});

	it('holds back a new run while others that met it go on', async () => {
		await bench.askMany(2, 'old', { run: { old: true } });
		bench.limit('old0', 10_000);
		await bench.askMany(1, 'new', { run: { new: true } });
		expect(bench.sentOf('new')).toEqual([]);
		await bench.until(10_000);
		expect(bench.sentOf('new')).toEqual(['new0']);
	});

	it('wakes the process four times a second while calls wait, and not at all when none does', async () => {
		const sleep = jest.spyOn(bench.clock, 'sleep');
		await bench.askMany(2, 'call', { maxWaitMs: Infinity });
		bench.limit('call0', 10_000);
		await bench.clock.run();
		expect(sleep).not.toHaveBeenCalled();
		await bench.askMany(50, 'waiting', { maxWaitMs: Infinity });
		await bench.until(9_999);
		expect(sleep.mock.calls.length).toBeLessThanOrEqual(41);
		expect(Math.max(...sleep.mock.calls.map(([ms]) => ms))).toBe(250);
	});
});

describe('Rate Limit Wait', () => {
	it('denies what waits as soon as a 429 names a longer wait', async () => {
		const call = bench.ask('first', { maxWaitMs: 1_000 });
		await bench.until(0);
		bench.paces[0].from = 10;
		await bench.askMany(2, 'waiting', { maxWaitMs: 1_000 });
		await bench.askMany(1, 'patient', { run: {}, maxWaitMs: 3_600_000 });
		bench.limit('first', 3_600_000);
		bench.askAgain('again', call);
		await bench.until(0);
		expect(Object.keys(bench.denied)).toEqual(['again', 'waiting0', 'waiting1']);
		expect(bench.denied.again).toEqual({ denied: 'tooLong', waitedMs: 0, waitMs: 3_600_000 });
		await bench.until(3_600_000);
		expect(bench.sentOf('patient')).toEqual(['patient0']);
	});

	it('counts no pause in which a call waits in line, once others are accepted again', async () => {
		await bench.askMany(1, 'first');
		bench.ask('holder');
		await bench.until(0);
		bench.paces[0].from = Infinity;
		bench.ask('inLine', { maxWaitMs: 1_500 });
		for (let second = 1; second < 9; second++) {
			await bench.until(second * 1_000);
			Object.assign(bench.paces[0], { pause: { since: second * 1_000 }, from: Infinity });
			bench.paces[0].accepted(0, second * 1_000 + 900);
		}
		bench.paces[0].from = 0;
		bench.release('holder');
		await bench.until(9_000);
		expect(bench.sent).toContain('inLine');
	});

	it('does not count the time that a call waits for its turn', async () => {
		await bench.askMany(AT_FIRST, 'slow');
		await bench.askMany(1, 'patient', { maxWaitMs: 1_000 });
		await bench.until(60_000);
		bench.limit('slow0', 1_000);
		await bench.until(61_000);
		expect(bench.sent).toContain('patient0');
	});
});

it('the end of a run denies its waiting and later calls at once, and nobody else’s', async () => {
	const controller = new AbortController();
	const run = { run: {}, signal: controller.signal };
	bench.ask('first', run);
	await bench.until(0);
	bench.paces[0].from = 1_000;
	await bench.askMany(2, 'waiting', run);
	await bench.askMany(1, 'other', { run: { other: true } });
	controller.abort();
	bench.ask('later', run);
	await bench.until(0);
	const stopped = { denied: 'stopped' };
	expect(bench.denied).toEqual({ later: stopped, waiting0: stopped, waiting1: stopped });
	await bench.until(1_000);
	expect(bench.sent).toEqual(['first', 'other0']);
	for (const name of ['first', 'other0']) bench.release(name);
	expect(bench.limiter.idleMs).toBe(0);
	await bench.until(1_030);
	expect(bench.limiter.idleMs).toBe(30);
});

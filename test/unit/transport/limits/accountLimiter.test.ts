import { VirtualClock } from '../../../../bench/limits/clock';
import { randomOf } from '../../../../mock-service/random';
import { counterOf } from '../../../../mock-service/rateLimit';
import { AccountLimiter } from '../../../../nodes/shared/transport/limits/accountLimiter';
import { CONCURRENCY, Concurrency } from '../../../../nodes/shared/transport/limits/concurrency';
import type {
	Call,
	Denial,
	Pacing,
	Permit,
	Verdict,
} from '../../../../nodes/shared/transport/limits/types';

/** A pace that a test sets: nothing leaves before `from`, and then one call each `gapMs`. */
class SetPace implements Pacing {
	from = -Infinity;

	gapMs = 0;

	readonly limits: Array<[number, number | undefined]> = [];

	/** How often it was asked when the next call may leave. */
	asked = 0;

	earliest(): number {
		this.asked++;
		return this.from;
	}

	sent(now: number): void {
		if (this.gapMs > 0) this.from = now + this.gapMs;
	}

	accepted(): void {}

	readonly failures: number[] = [];

	failed(sentAt: number): void {
		this.failures.push(sentAt);
	}

	limited(sentAt: number, now: number, waitMs?: number): void {
		this.limits.push([sentAt, waitMs]);
		this.from = now + (waitMs ?? 0);
	}
}

const ACCEPTED: Verdict = { kind: 'accepted' };

/** Calls to a limiter on a clock of its own, by name, and what became of them. */
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

	call(options: Partial<Call> = {}): Call {
		return { run: this, group: 'POST', maxConcurrent: 1_000, maxWaitMs: 60_000, ...options };
	}

	ask(name: string, call: Partial<Call> = {}): Call {
		const asked = 'run' in call && 'group' in call ? (call as Call) : this.call(call);
		void this.limiter.acquire(asked).then((result) => {
			if ('denied' in result) {
				this.denied[name] = result;
				return;
			}
			this.sent.push(name);
			this.permits[name] = result;
		});
		return asked;
	}

	async askMany(count: number, name: string, call: Partial<Call> = {}): Promise<void> {
		for (let n = 0; n < count; n++) this.ask(`${name}${n}`, call);
		await this.until(this.clock.now());
	}

	release(name: string, verdict: Verdict = ACCEPTED): void {
		this.limiter.release(this.permits[name], verdict);
	}

	async until(ms: number): Promise<void> {
		await this.clock.run(ms);
		this.clock.at(ms, () => undefined);
		await this.clock.run(ms);
	}
}

let bench: Bench;

beforeEach(() => {
	bench = new Bench();
});

describe('turns', () => {
	it('sends as many at once as the concurrency allows, the next when one is through', async () => {
		await bench.askMany(CONCURRENCY.start + 2, 'call');
		expect(bench.sent).toHaveLength(CONCURRENCY.start);
		bench.release('call0', { kind: 'failed' });
		await bench.until(0);
		expect(bench.sent.slice(CONCURRENCY.start)).toEqual([`call${CONCURRENCY.start}`]);
	});

	it('takes the runs by turns, so that a run of one does not wait for a run of a thousand', async () => {
		await bench.askMany(1_000, 'large', { run: { large: true } });
		await bench.askMany(1, 'small', { run: { small: true } });
		bench.release('large0', { kind: 'failed' });
		bench.release('large1', { kind: 'failed' });
		await bench.until(0);
		const last = bench.sent.slice(CONCURRENCY.start);
		expect(last.sort()).toEqual([`large${CONCURRENCY.start}`, 'small0']);
	});

	it('shares a pace evenly among runs', async () => {
		await bench.askMany(0, '');
		const runs = [{ a: 1 }, { b: 2 }, { c: 3 }];
		bench.ask('first');
		await bench.until(0);
		bench.paces[0].gapMs = 10;
		bench.paces[0].from = 10;
		for (const [n, run] of runs.entries()) await bench.askMany(20, `${n}-`, { run });
		await bench.until(120);
		const counts = runs.map((_, n) => bench.sent.filter((name) => name.startsWith(`${n}-`)).length);
		expect(counts).toEqual([4, 4, 4]);
	});

	it('bounds a run by its own Max Concurrent Requests, and only that run', async () => {
		await bench.askMany(10, 'narrow', { run: { narrow: true }, maxConcurrent: 2 });
		await bench.askMany(10, 'wide', { run: { wide: true } });
		expect(bench.sent).toEqual(['narrow0', 'narrow1', ...bench.sent.filter((n) => n[0] === 'w')]);
		expect(bench.sent).toHaveLength(12);
		bench.release('narrow1');
		await bench.until(0);
		expect(bench.sent.at(-1)).toBe('narrow2');
	});

	it('sends a retry before what its run has not sent yet', async () => {
		const retried = bench.ask('first');
		await bench.askMany(1, 'a', { maxConcurrent: 1 });
		await bench.askMany(1, 'b', { maxConcurrent: 1 });
		bench.limiter.release(bench.permits.first, { kind: 'limited', waitMs: 100 });
		bench.ask('again', retried);
		await bench.until(100);
		expect(bench.sent).toEqual(['first', 'again']);
	});

	it('sends a call that is rejected again after all that its run has not sent yet', async () => {
		const bad = bench.ask('bad', { maxConcurrent: 1 });
		await bench.askMany(2, 'good', { maxConcurrent: 1 });
		for (const at of [0, 100]) {
			bench.release('bad', { kind: 'limited', waitMs: 100 });
			bench.ask('bad', bad);
			await bench.until(at + 100);
		}
		for (const name of ['good0', 'good1']) {
			bench.release(name);
			await bench.until(200);
		}
		expect(bench.sent).toEqual(['bad', 'bad', 'good0', 'good1', 'bad']);
	});

	it('sends a call that fails for another reason before them, however often', async () => {
		const queued = bench.ask('queued', { maxConcurrent: 1 });
		await bench.askMany(1, 'other', { maxConcurrent: 1 });
		for (const at of [0, 100, 200]) {
			bench.paces[0].from = at + 100;
			bench.release('queued', { kind: 'overloaded' });
			bench.ask('queued', queued);
			await bench.until(at + 100);
		}
		expect(bench.sent).toEqual(['queued', 'queued', 'queued', 'queued']);
	});

	it('is not confused by a permit that is given back twice', async () => {
		await bench.askMany(CONCURRENCY.start + 2, 'call');
		bench.release('call0', { kind: 'failed' });
		bench.release('call0', { kind: 'failed' });
		await bench.until(0);
		expect(bench.sent).toHaveLength(CONCURRENCY.start + 1);
	});

	it.each<Verdict['kind']>(['accepted', 'failed'])(
		'sends fewer at once when one call after the other breaks off (%s)',
		async (kind) => {
			const { calls } = CONCURRENCY.broken;
			await bench.askMany(CONCURRENCY.start + calls, 'call');
			for (let n = 0; n < calls; n++) {
				bench.release(`call${n}`, { kind, isBroken: true } as Verdict);
			}
			await bench.until(0);
			expect(bench.sent).toHaveLength(CONCURRENCY.start + calls - 1);
		},
	);

	it('sends fewer at once after a 503', async () => {
		await bench.askMany(CONCURRENCY.start + 5, 'call');
		bench.release('call0', { kind: 'overloaded' });
		for (let n = 1; n <= CONCURRENCY.start / 2; n++) bench.release(`call${n}`, { kind: 'failed' });
		await bench.until(0);
		expect(bench.sent).toHaveLength(CONCURRENCY.start + 1);
	});

	it('learns when accepted calls left, and whether all that may be in flight were', async () => {
		const accepted = jest.spyOn(Concurrency.prototype, 'accepted');
		await bench.until(40);
		await bench.askMany(CONCURRENCY.start, 'call');
		await bench.until(100);
		bench.release('call0');
		bench.release('call1');
		expect(accepted.mock.calls).toEqual([
			['POST', 40, true],
			['POST', 40, false],
		]);
		accepted.mockRestore();
	});

	it('costs little for each of many calls that wait', async () => {
		await bench.askMany(CONCURRENCY.start + 1, 'call');
		const { asked } = bench.paces[0];
		await bench.askMany(1_000, 'waiting');
		expect(bench.paces[0].asked - asked).toBeLessThan(10);
	});
});

describe('pace', () => {
	it('is found from the 429s unless another is given', async () => {
		const limiter = new AccountLimiter(bench.clock);
		expect(await limiter.acquire(bench.call())).toMatchObject({ sentAt: 0 });
	});

	it.each(['failed', 'overloaded'] as const)(
		'is told which calls tell nothing of it: %s',
		async (kind) => {
			bench.ask('call');
			await bench.until(0);
			bench.release('call', { kind });
			expect(bench.paces[0].limits).toEqual([]);
			expect(bench.paces[0].failures).toEqual([0]);
		},
	);

	it('is kept by each group for itself, within one concurrency', async () => {
		bench.ask('post');
		bench.ask('get', { group: 'GET' });
		await bench.until(0);
		bench.release('post', { kind: 'limited', waitMs: 1_000 });
		await bench.askMany(2, 'post', { group: 'POST' });
		await bench.askMany(CONCURRENCY.start + 5, 'get', { group: 'GET' });
		expect(bench.sent.filter((name) => name.startsWith('post'))).toEqual(['post']);
		expect(bench.sent).toHaveLength(1 + CONCURRENCY.start);
		for (let n = 0; n < 10; n++) bench.release(`get${n}`, { kind: 'failed' });
		await bench.until(1_000);
		expect(bench.sent.filter((name) => name.startsWith('post'))).toEqual([
			'post',
			'post0',
			'post1',
		]);
	});

	it('is told when a rejected call was sent, and the wait that the 429 named', async () => {
		bench.clock.at(5, () => bench.ask('call'));
		await bench.until(7);
		bench.release('call', { kind: 'limited', waitMs: 1_000 });
		expect(bench.paces[0].limits).toEqual([[5, 1_000]]);
	});

	it('lets a call leave within a millisecond of its time, also after a long wait', async () => {
		const times: number[] = [];
		bench.ask('call');
		await bench.until(0);
		bench.release('call', { kind: 'limited', waitMs: 3_333 });
		void bench.limiter.acquire(bench.call()).then(() => times.push(bench.clock.now()));
		await bench.until(10_000);
		expect(times).toEqual([3_333]);
	});

	it('keeps no timer when nothing waits', async () => {
		bench.ask('call');
		await bench.until(0);
		bench.release('call', { kind: 'limited', waitMs: 3_600_000 });
		await bench.clock.run();
		expect(bench.clock.now()).toBeLessThanOrEqual(250);
	});

	it('keeps no timer while calls wait for others to end', async () => {
		await bench.askMany(CONCURRENCY.start, 'call');
		bench.paces[0].from = 0;
		await bench.askMany(1, 'waiting', { run: {} });
		await bench.clock.run();
		expect(bench.clock.now()).toBe(0);
	});

	it('keeps one timer at a time, and wakes no more than every quarter of a second', async () => {
		const sleep = jest.spyOn(bench.clock, 'sleep');
		bench.ask('first');
		await bench.until(0);
		Object.assign(bench.paces[0], { from: 100_000, gapMs: 3_000 });
		await bench.askMany(9, 'waiting');
		await bench.until(50);
		bench.paces[0].from = 200;
		bench.ask('other', { run: {} });
		await bench.until(9_999);
		expect(bench.sent).toHaveLength(1 + 4);
		expect(sleep.mock.calls.length).toBeLessThanOrEqual(10_000 / 250 + 10);
	});
});

describe('Rate Limit Wait', () => {
	async function limit(waitMs: number): Promise<void> {
		bench.ask('first');
		await bench.until(0);
		bench.ask('inFlight');
		await bench.until(0);
		bench.release('first', { kind: 'limited', waitMs });
	}

	it('denies at once what waits when the wait that is asked for is longer', async () => {
		const call = bench.ask('first', { maxWaitMs: 1_000 });
		await bench.until(0);
		bench.paces[0].from = 10;
		await bench.askMany(19, 'waiting', { maxWaitMs: 1_000 });
		bench.release('first', { kind: 'limited', waitMs: 3_600_000 });
		bench.ask('again', call);
		await bench.until(0);
		expect(Object.keys(bench.denied)).toHaveLength(20);
		expect(bench.denied.waiting18).toEqual({
			denied: 'tooLong',
			waitedMs: 0,
			waitMs: 3_600_000,
		});
		await bench.clock.run();
		expect(bench.clock.now()).toBeLessThanOrEqual(250);
		await bench.until(1_000);
		expect(bench.limiter.idleMs).toBe(1_000);
	});

	it('denies a retry at once, too, where others of its run wait longer', async () => {
		const patient = bench.ask('patient');
		const hasty = bench.ask('hasty', { maxWaitMs: 1_000 });
		await bench.until(0);
		for (const name of ['patient', 'hasty'])
			bench.release(name, { kind: 'limited', waitMs: 10_000 });
		bench.ask('patient', patient);
		bench.ask('hasty', hasty);
		await bench.until(0);
		expect(Object.keys(bench.denied)).toEqual(['hasty']);
	});

	it('denies nobody before the first 429', async () => {
		bench.ask('inFlight');
		await bench.until(0);
		bench.paces[0].from = 10_000;
		await bench.askMany(2, 'waiting', { maxWaitMs: 1_000 });
		await bench.until(10_000);
		expect(bench.denied).toEqual({});
		expect(bench.sent).toContain('waiting1');
	});

	it('is nothing to runs that have calls of other groups only', async () => {
		bench.ask('get', { run: { other: true }, group: 'GET' });
		const call = bench.ask('post', { maxWaitMs: 1_000 });
		await bench.until(0);
		bench.release('post', { kind: 'limited', waitMs: 10_000 });
		bench.ask('again', call);
		await bench.until(0);
		expect(Object.keys(bench.denied)).toEqual(['again']);
	});

	it('is looked up again for each waiting call only when one may be late', async () => {
		let reads = 0;
		const call = {
			...bench.call({ run: {} }),
			get maxWaitMs() {
				reads++;
				return 60_000;
			},
		};
		await bench.askMany(CONCURRENCY.start, 'call');
		void bench.limiter.acquire(call);
		bench.paces[0].from = 30_000;
		for (let n = 0; n < 50; n++) bench.release(`call${n}`);
		expect(reads).toBeLessThan(10);
	});

	it('lets those wait whose Rate Limit Wait is long enough', async () => {
		await limit(2_000);
		await bench.askMany(1, 'long', { maxWaitMs: 2_000 });
		await bench.askMany(1, 'short', { maxWaitMs: 1_999 });
		await bench.until(2_000);
		expect(bench.sent).toContain('long0');
		expect(Object.keys(bench.denied)).toEqual(['short0']);
	});

	it('is one clock for all that wait together', async () => {
		await bench.until(500);
		const calls = ['a', 'b', 'c'].map((name) => bench.ask(name, { maxWaitMs: 2_500 }));
		await bench.until(500);
		for (let second = 0; second < 3; second++) {
			for (const [n, name] of ['a', 'b', 'c'].entries()) {
				bench.release(name, { kind: 'limited', waitMs: 1_000 });
				bench.ask(name, calls[n]);
			}
			await bench.until(500 + (second + 1) * 1_000);
		}
		// Rejected 0, 1 and 2 s after the first 429; the next try 3 s after it would be too late.
		expect(Object.keys(bench.denied)).toEqual(['a', 'b', 'c']);
		expect(bench.denied.a).toEqual({ denied: 'tooLong', waitedMs: 2_000, waitMs: 1_000 });
	});

	it('begins anew with each accepted call', async () => {
		const call = bench.ask('a', { maxWaitMs: 1_500 });
		await bench.askMany(9, 'other');
		for (let second = 0; second < 9; second++) {
			bench.release('a', { kind: 'limited', waitMs: 1_000 });
			bench.release(`other${second}`);
			bench.ask('a', call);
			await bench.until((second + 1) * 1_000);
		}
		expect(bench.sent.filter((name) => name === 'a')).toHaveLength(10);
		expect(bench.denied).toEqual({});
	});

	it('does not count the time that calls wait for others to end', async () => {
		await bench.askMany(CONCURRENCY.start, 'slow');
		await bench.askMany(1, 'patient', { maxWaitMs: 1_000 });
		await bench.until(60_000);
		expect(bench.denied).toEqual({});
		bench.release('slow0');
		await bench.until(60_000);
		expect(bench.sent).toContain('patient0');
	});

	it('denies nobody while the pace waits for what is in flight', async () => {
		await bench.askMany(1, 'late');
		await limit(1_000);
		await bench.askMany(1, 'waiting');
		bench.paces[0].from = Infinity;
		bench.release('inFlight');
		await bench.until(2_000);
		expect(bench.denied).toEqual({});
		bench.paces[0].from = 2_000;
		bench.release('late0');
		await bench.until(2_001);
		expect(bench.sent).toContain('waiting0');
	});

	it('lets no call find out whether a limit holds that it can wait for', async () => {
		bench.ask('old');
		await bench.until(0);
		bench.release('old', { kind: 'limited', waitMs: 2_000 });
		await bench.until(100);
		await bench.askMany(1, 'new', { run: {}, maxWaitMs: 1_900 });
		expect(bench.sent).toEqual(['old']);
		await bench.until(2_000);
		expect(bench.sent).toEqual(['old', 'new0']);
	});

	it('lets one call that came later find out whether a long limit still holds', async () => {
		const call = bench.ask('old', { maxWaitMs: 1_000 });
		await bench.until(0);
		bench.release('old', { kind: 'limited', waitMs: 3_600_000 });
		bench.ask('old', call);
		await bench.until(60_000);
		expect(bench.denied).toHaveProperty('old');
		await bench.askMany(3, 'new', { run: { new: true }, maxWaitMs: 1_000 });
		expect(bench.sent).toEqual(['old', 'new0']);
		bench.release('new0', { kind: 'limited', waitMs: 3_540_000 });
		await bench.until(60_001);
		expect(Object.keys(bench.denied)).toEqual(['old', 'new1', 'new2']);
	});
});

it('has been idle from the beginning until a call comes', async () => {
	await bench.until(50);
	expect(bench.limiter.idleMs).toBe(50);
	bench.ask('call');
	await bench.until(60);
	expect(bench.limiter.idleMs).toBe(0);
});

describe('the end of a run', () => {
	it('denies its waiting calls and nobody else’s', async () => {
		const run = { mine: true };
		bench.ask('first', { run });
		await bench.until(0);
		bench.paces[0].from = 1_000;
		await bench.askMany(3, 'mine', { run });
		await bench.askMany(1, 'other', { run: { other: true } });
		bench.limiter.drop(run);
		await bench.until(1_000);
		expect(Object.values(bench.denied)).toEqual(Array(3).fill({ denied: 'dropped' }));
		expect(bench.sent).toEqual(['first', 'other0']);
	});

	it('comes at once with a cancel, for calls that wait and for later ones', async () => {
		const controller = new AbortController();
		const run = { run: {}, signal: controller.signal };
		bench.ask('first', run);
		await bench.until(0);
		bench.paces[0].from = 1_000;
		await bench.askMany(2, 'waiting', run);
		controller.abort();
		bench.ask('later', run);
		await bench.until(0);
		expect(Object.values(bench.denied)).toEqual(Array(3).fill({ denied: 'cancelled' }));
	});

	it('leaves nothing behind', async () => {
		const controller = new AbortController();
		const added = jest.spyOn(controller.signal, 'addEventListener');
		const removed = jest.spyOn(controller.signal, 'removeEventListener');
		bench.ask('call', { run: {}, signal: controller.signal });
		await bench.until(100);
		expect(bench.limiter.idleMs).toBe(0);
		bench.release('call');
		await bench.until(130);
		expect(bench.limiter.idleMs).toBe(30);
		expect(removed.mock.calls).toEqual([['abort', added.mock.calls[0][1]]]);
	});

	it('lets what is in flight go on, and is remembered until that is through', async () => {
		const run = { mine: true };
		bench.ask('inFlight', { run, maxConcurrent: 1 });
		await bench.askMany(1, 'waiting', { run, maxConcurrent: 1 });
		bench.limiter.drop(run);
		await bench.until(100);
		expect(Object.keys(bench.denied)).toEqual(['waiting0']);
		expect(bench.limiter.idleMs).toBe(0);
		bench.release('inFlight');
		await bench.until(130);
		bench.limiter.drop(run);
		expect(bench.limiter.idleMs).toBe(30);
	});

	it('listens to a signal once per run, however many calls it has', async () => {
		const controller = new AbortController();
		const added = jest.spyOn(controller.signal, 'addEventListener');
		await bench.askMany(50, 'call', { run: {}, signal: controller.signal });
		expect(added).toHaveBeenCalledTimes(1);
	});
});

describe('no call waits for ever', () => {
	/** Sends 300 calls to a service that allows 20 in `perMs`; of the others a third gets no response. */
	const ended = async (
		perMs: number,
		waitMs: number | undefined,
		seed: number,
	): Promise<number> => {
		const clock = new VirtualClock();
		const limiter = new AccountLimiter(clock);
		const random = randomOf(seed);
		const counter = counterOf({ kind: 'fixed', requests: 20, perMs });
		const run = {};
		let count = 0;
		const send = async () => {
			const call = { run, group: 'POST', maxConcurrent: 200, maxWaitMs: 3_600_000 };
			for (;;) {
				const permit = await limiter.acquire(call);
				if ('denied' in permit) throw new Error(permit.denied);
				await clock.sleep(20 * random());
				if (random() < 0.33) {
					limiter.release(permit, { kind: random() < 0.5 ? 'failed' : 'overloaded' });
				} else if (counter.take(clock.now()) !== undefined) {
					limiter.release(permit, { kind: 'limited', waitMs });
					continue;
				} else limiter.release(permit, { kind: 'accepted' });
				count++;
				return;
			}
		};
		for (let n = 0; n < 300; n++) void send();
		await clock.run(86_400_000);
		return count;
	};

	it.each([
		['second', 1_000, 1_000],
		['second, without a wait', 1_000, undefined],
		['10 seconds', 10_000, 10_000],
		['10 seconds, without a wait', 10_000, undefined],
		['minute', 60_000, 60_000],
		['minute, without a wait', 60_000, undefined],
	])('where many get no response, at a limit per %s', async (_name, perMs, waitMs) => {
		for (let seed = 1; seed <= 5; seed++) expect(await ended(perMs, waitMs, seed)).toBe(300);
	});
});

it.each([
	[10, 10_750, 8_000, 1_000],
	[100, 60_000, 59_000, 300],
])(
	'denies none of %i calls that may wait for %i ms while one finds out whether a wait of %i ms is over',
	async (count, maxWaitMs, waitMs, callMs) => {
		const clock = new VirtualClock();
		const limiter = new AccountLimiter(clock);
		const run = {};
		const ended: string[] = [];
		const send = async () => {
			const call = { run, group: 'POST', maxConcurrent: 200, maxWaitMs };
			for (;;) {
				const permit = await limiter.acquire(call);
				if ('denied' in permit) return ended.push(permit.denied);
				const isOver = clock.now() >= waitMs;
				await clock.sleep(callMs);
				if (isOver) {
					limiter.release(permit, { kind: 'accepted' });
					return ended.push('accepted');
				}
				limiter.release(permit, { kind: 'limited', waitMs });
			}
		};
		for (let n = 0; n < count; n++) void send();
		await clock.run(86_400_000);
		expect(ended).toEqual(Array.from({ length: count }, () => 'accepted'));
	},
);

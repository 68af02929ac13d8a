import {
	CONCURRENCY,
	Limiter,
	limiterOf,
	wait,
	type Permit,
	type Verdict,
} from '../../../nodes/shared/transport/concurrency';

const GOOD: Verdict = { kind: 'accepted' };
const OVERLOADED: Verdict = { kind: 'overloaded' };

function limited(waitMs: number, isRounded = true): Verdict {
	return { kind: 'limited', waitMs, isRounded };
}

let start: number;

beforeEach(() => {
	jest.useFakeTimers({ now: 1_700_000_000_000 });
	start = Date.now();
});

afterEach(() => {
	jest.useRealTimers();
});

async function after(ms: number): Promise<void> {
	await jest.advanceTimersByTimeAsync(ms);
}

/** Calls to a limiter, by name, and what became of them. */
class Calls {
	/** The names of those that got a permit, in order. */
	readonly sent: string[] = [];

	/** Those that were refused, with what they were refused with. */
	readonly refused: Array<[string, unknown]> = [];

	/** Those that have a permit, oldest first. */
	readonly inFlight: Permit[] = [];

	constructor(readonly limiter = new Limiter()) {}

	add(name: string, { owner = 'run' as unknown, max = CONCURRENCY.max, ahead = false } = {}) {
		this.limiter.acquire(owner, max, ahead).then(
			(permit) => {
				this.sent.push(name);
				this.inFlight.push(permit);
			},
			(reason) => this.refused.push([name, reason]),
		);
	}

	async addMany(count: number, options?: Parameters<Calls['add']>[1]): Promise<void> {
		for (let n = 0; n < count; n++) this.add(`call ${n}`, options);
		await after(0);
	}

	/** The oldest calls are answered. */
	async answer(verdict: Verdict, count = 1): Promise<void> {
		for (const permit of this.inFlight.splice(0, count)) this.limiter.release(permit, verdict);
		await after(0);
	}

	/** All that are in flight are answered; gives how many there are after that. */
	async round(verdict: Verdict): Promise<number> {
		await this.answer(verdict, this.inFlight.length);
		return this.inFlight.length;
	}
}

describe('how many are in flight', () => {
	it('starts with five, and each good answer lets one more in', async () => {
		const calls = new Calls();
		await calls.addMany(100);
		expect(calls.inFlight).toHaveLength(5);
		expect(calls.inFlight.every(({ sentAt }) => sentAt === start)).toBe(true);
		await calls.answer(GOOD);
		expect(calls.inFlight).toHaveLength(6);
		await calls.answer(GOOD);
		expect(calls.inFlight).toHaveLength(7);
	});

	it('doubles per round trip, up to the maximum', async () => {
		const calls = new Calls();
		await calls.addMany(100, { max: 12 });
		expect(await calls.round(GOOD)).toBe(10);
		expect(await calls.round(GOOD)).toBe(12);
		expect(await calls.round(GOOD)).toBe(12);
	});

	it('goes up to fifty by default', async () => {
		const calls = new Calls();
		await calls.addMany(1_000);
		for (let round = 0; round < 6; round++) await calls.round(GOOD);
		expect(calls.inFlight).toHaveLength(50);
	});

	it('does not grow from answers when fewer were in flight than allowed', async () => {
		const calls = new Calls();
		for (let round = 0; round < 3; round++) {
			await calls.addMany(4);
			await calls.round(GOOD);
		}
		await calls.addMany(20);
		expect(calls.inFlight).toHaveLength(5);
	});

	it('does not grow from requests that failed', async () => {
		const calls = new Calls();
		await calls.addMany(100);
		expect(await calls.round({ kind: 'failed' })).toBe(5);
	});

	it.each([
		[3, 3],
		[1, 1],
		[0, 1],
		[-5, 1],
	])('keeps to a maximum of %i from the first call on', async (max, expected) => {
		const calls = new Calls();
		await calls.addMany(20, { max });
		expect(calls.inFlight).toHaveLength(expected);
		expect(await calls.round(GOOD)).toBe(expected);
	});

	it('sends in the order of the calls, those that are repeated first', async () => {
		const calls = new Calls();
		for (const name of ['a', 'b', 'c']) calls.add(name, { max: 1 });
		calls.add('again', { max: 1, ahead: true });
		await after(0);
		for (let n = 0; n < 3; n++) await calls.answer({ kind: 'failed' });
		expect(calls.sent).toEqual(['a', 'again', 'b', 'c']);
	});
});

describe('when the service has too much to do', () => {
	it.each([
		['503', OVERLOADED],
		['429', limited(0)],
	])('a %s halves how many are in flight', async (_name, verdict) => {
		const calls = new Calls();
		await calls.addMany(100);
		await calls.round(GOOD);
		expect(calls.inFlight).toHaveLength(10);
		await after(20);
		await calls.answer(verdict);
		// Nine are still in flight and five may be: four go without another taking their place.
		await calls.answer({ kind: 'failed' }, 4);
		expect(calls.sent).toHaveLength(15);
		await calls.answer({ kind: 'failed' }, 3);
		await after(1_000);
		expect(calls.sent).toHaveLength(18);
		expect(calls.inFlight).toHaveLength(5);
	});

	it('is halved once for all that was sent before', async () => {
		const calls = new Calls();
		await calls.addMany(5);
		await after(20);
		await calls.round(OVERLOADED);
		await calls.addMany(20);
		expect(calls.inFlight).toHaveLength(2);
	});

	it('is halved again by what was sent since, be it in the same millisecond', async () => {
		const calls = new Calls();
		await calls.addMany(1);
		await calls.answer(OVERLOADED);
		await calls.addMany(1);
		await calls.answer(OVERLOADED);
		await calls.addMany(20);
		expect(calls.inFlight).toHaveLength(1);
	});

	it('always lets one through, and grows again from there', async () => {
		const calls = new Calls();
		await calls.addMany(100);
		for (let round = 0; round < 5; round++) {
			await after(20);
			await calls.round(OVERLOADED);
		}
		expect(calls.inFlight).toHaveLength(1);
		expect(await calls.round(GOOD)).toBe(2);
		expect(await calls.round(GOOD)).toBe(4);
	});
});

describe('the pace', () => {
	it('sends nothing for as long as a 429 asks, and goes on right then', async () => {
		const calls = new Calls();
		await calls.addMany(100, { max: 1 });
		await after(30);
		await calls.answer(limited(1_000));
		await after(999);
		expect(calls.inFlight).toHaveLength(0);
		await after(1);
		expect(calls.inFlight).toEqual([{ sentAt: start + 1_030 }]);
	});

	it('waits the same for calls that come while it waits', async () => {
		const calls = new Calls();
		await calls.addMany(1);
		await calls.answer(limited(400));
		await after(100);
		await calls.addMany(3);
		await after(299);
		expect(calls.inFlight).toHaveLength(0);
		await after(1);
		expect(calls.inFlight.length).toBeGreaterThan(0);
	});

	it('waits on one timer however many calls wait', async () => {
		const calls = new Calls();
		await calls.addMany(5);
		await calls.round(limited(1_000));
		await calls.addMany(50);
		expect(jest.getTimerCount()).toBe(1);
		await after(600);
		expect(jest.getTimerCount()).toBe(1);
	});

	it('keeps no timer running once nobody waits, and waits again for the next call', async () => {
		const calls = new Calls();
		await calls.addMany(1);
		await calls.answer(limited(2_000));
		await calls.addMany(1);
		calls.limiter.drop('run');
		await after(250);
		expect(jest.getTimerCount()).toBe(0);
		await calls.addMany(1);
		await after(1_749);
		expect(calls.inFlight).toHaveLength(0);
		await after(1);
		expect(calls.inFlight).toHaveLength(1);
	});

	it('is learned from what was accepted before the 429', async () => {
		// Three in a window of two seconds; the wait of whole seconds may be rounded up by up to one.
		for (const [isRounded, windowMs] of [
			[true, 1_000],
			[false, 2_000],
		] as const) {
			const calls = new Calls();
			await calls.addMany(20, { max: 1 });
			for (let n = 0; n < 3; n++) {
				await after(200);
				await calls.answer(GOOD);
			}
			await after(400);
			await calls.answer(limited(1_000, isRounded));
			expect(calls.limiter.pace.perSecond).toBeUndefined();
			await after(1_000);
			expect(calls.inFlight).toHaveLength(1);
			expect(calls.limiter.pace.perSecond).toBeCloseTo(3_000 / (windowMs * 1.02), 5);
		}
	});

	it('is kept once learned', async () => {
		const calls = new Calls();
		await calls.addMany(200, { max: 1 });
		for (let n = 0; n < 10; n++) {
			await after(10);
			await calls.answer(GOOD);
		}
		await calls.answer(limited(1_000));
		const before = calls.sent.length;
		for (let ms = 0; ms < 10_000; ms += 10) {
			await after(10);
			await calls.answer(GOOD);
		}
		// Ten per second, the first one after the wait.
		expect(calls.sent.length - before).toBeGreaterThan(80);
		expect(calls.sent.length - before).toBeLessThanOrEqual(100);
	});
});

describe('calls that are not sent any more', () => {
	it('are all those of an owner that wait, and of no other', async () => {
		const calls = new Calls();
		calls.add('sent', { owner: 'one', max: 1 });
		calls.add('one a', { owner: 'one', max: 1 });
		calls.add('two', { owner: 'two', max: 1 });
		calls.add('one b', { owner: 'one', max: 1 });
		calls.limiter.drop('one');
		await after(0);
		expect(calls.refused).toEqual([
			['one a', undefined],
			['one b', undefined],
		]);
		await calls.answer(GOOD);
		await calls.answer(GOOD);
		expect(calls.sent).toEqual(['sent', 'two']);
	});

	it('are all within a quarter of a second of a cancel while it waits', async () => {
		const controller = new AbortController();
		const calls = new Calls(new Limiter(controller.signal));
		await calls.addMany(1);
		await calls.answer(limited(60_000));
		await calls.addMany(3);
		await after(10_100);
		controller.abort();
		await after(250);
		expect(calls.refused.map(([, reason]) => reason)).toEqual([undefined, undefined, undefined]);
		expect(jest.getTimerCount()).toBe(0);
		expect(calls.sent).toHaveLength(1);
	});

	it('are those that wait for an answer when it comes after a cancel', async () => {
		const controller = new AbortController();
		const calls = new Calls(new Limiter(controller.signal));
		await calls.addMany(8);
		controller.abort();
		await calls.answer({ kind: 'failed' });
		expect(calls.refused.map(([name]) => name)).toEqual(['call 5', 'call 6', 'call 7']);
		expect(calls.sent).toHaveLength(5);
	});

	it('are those that come after a cancel', async () => {
		const calls = new Calls(new Limiter(AbortSignal.abort()));
		await calls.addMany(2);
		expect(calls.refused).toHaveLength(2);
		expect(calls.sent).toHaveLength(0);
	});
});

describe('who shares a limiter', () => {
	it('all items of a node in an execution', () => {
		const { signal } = new AbortController();
		const limiter = limiterOf(signal, 'Search');
		const other = limiterOf(signal, 'Scrape');
		expect(other).not.toBe(limiter);
		expect(limiterOf(signal, 'Search')).toBe(limiter);
		expect(limiterOf(signal, 'Scrape')).toBe(other);
		expect(limiterOf(new AbortController().signal, 'Search')).not.toBe(limiter);
	});

	it('nobody where n8n gives no cancel signal', () => {
		expect(limiterOf(undefined, 'Search')).not.toBe(limiterOf(undefined, 'Search'));
	});

	it('and the execution’s cancel ends it', async () => {
		const controller = new AbortController();
		const calls = new Calls(limiterOf(controller.signal, 'Search'));
		controller.abort();
		await calls.addMany(1);
		expect(calls.refused).toHaveLength(1);
	});
});

describe('a wait', () => {
	async function ended(ms: number, signal?: AbortSignal, within = ms): Promise<boolean> {
		let isOver = false;
		void wait(ms, signal).then(() => {
			isOver = true;
		});
		await after(within);
		return isOver;
	}

	it.each([100, 250, 600, 1_000])('of %i ms takes as long', async (ms) => {
		expect(await ended(ms, undefined, ms - 1)).toBe(false);
		expect(await ended(ms)).toBe(true);
	});

	it('of nothing needs no timer', async () => {
		void wait(0);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('ends within a quarter of a second of a cancel', async () => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), 1_100);
		expect(await ended(60_000, controller.signal, 1_250)).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('does not begin after a cancel', async () => {
		void wait(60_000, AbortSignal.abort());
		expect(jest.getTimerCount()).toBe(0);
	});
});

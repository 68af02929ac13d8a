/** The search for the pace by example; simulated.test.ts holds what it comes to at many kinds of services. */
import { Pace } from '../../../nodes/shared/limiter/pace';

/** A pace under a clock that a test moves; times in ms. */
class Driver {
	readonly pace = new Pace();

	now = 1_000_000;

	/** When the next call may be sent, from the start. */
	get next(): number {
		return Math.max(this.now, this.pace.earliest(this.now)) - 1_000_000;
	}

	/** Advances time to `ms` from the start. */
	at(ms: number): this {
		this.now = 1_000_000 + ms;
		return this;
	}

	/** Sends `count` calls as early as possible, and returns when each was sent. */
	send(count = 1): number[] {
		return Array.from({ length: count }, () => {
			this.at(this.next);
			this.pace.sent(this.now);
			return this.now - 1_000_000;
		});
	}

	/** Sends all calls possible within `ms`, each accepted after 10 ms. */
	sendFor(ms: number): number[] {
		const end = this.now - 1_000_000 + ms;
		const times: number[] = [];
		while (this.next <= end) {
			times.push(...this.send());
			this.pace.accepted(this.now, this.now + 10);
		}
		this.at(end);
		return times;
	}

	accept(times: number[]): void {
		for (const at of times) this.pace.accepted(1_000_000 + at, this.now);
	}

	reject(times: number[], waitMs?: number): void {
		for (const at of times) this.pace.limited(1_000_000 + at, this.now, waitMs);
	}

	/** Has `count` calls accepted within 10 ms each, then one rejected. */
	hit(count: number, waitMs?: number): void {
		const times = this.send(count + 1);
		this.at(times[count] + 10);
		this.accept(times.slice(0, -1));
		this.reject(times.slice(-1), waitMs);
	}
}

const gaps = (times: number[]) => times.slice(1).map((at, n) => at - times[n]);

/** Returns the calls per second. */
const rateOf = (times: number[]) => (1_000 * (times.length - 1)) / (times.at(-1)! - times[0]);

let driver: Driver;

beforeEach(() => {
	driver = new Driver();
});

describe('after a 429 that names a wait', () => {
	it('nothing leaves until that is over, and then all', () => {
		driver.hit(20, 57_000);
		const at = driver.now - 1_000_000;
		expect(driver.next).toBe(at + 57_000);
		expect(gaps(driver.send(10)).every((gap) => gap < 3)).toBe(true);
	});

	it('single calls try as often as the next 429s say, if nothing is accepted after it', () => {
		driver.hit(0, 1_000);
		for (let n = 0; n < 5; n++) {
			const [try1] = driver.send();
			driver.at(try1 + 10);
			driver.reject([try1], 1_000);
			expect(driver.next).toBe(try1 + 1_010);
		}
	});

	it('one further call leaves at a time while it is not known whether the wait was long enough', () => {
		driver.hit(10, 10_000);
		const [first, ...others] = driver.send(5);
		driver.at(driver.next + 10);
		driver.reject([first], 4_000);
		const until = driver.next;
		expect(until).toBeCloseTo(others[3] + 12.5 + 4_000, -2);
		driver.send();
		expect(driver.next).toBeGreaterThan(until + 1_000);
	});

	it('a wait of next to nothing is none: one call tries after a tenth of a second', () => {
		driver.send(5);
		driver.at(20);
		driver.reject([10], 0);
		expect(driver.next).toBe(10 + 102);
	});
});

describe('after a 429 that names no wait', () => {
	it('all follow a try that has got no response for long, as 429s come quickly', () => {
		driver.hit(40);
		const [first, second] = driver.send(2);
		expect(second - first).toBeGreaterThan(20);
		expect(gaps(driver.send(5)).every((gap) => gap < 40)).toBe(true);
	});

	it('the next try waits for its time where the 429 took as long as that', () => {
		driver.send(40);
		driver.at(500);
		driver.reject([97.5]);
		expect(driver.send(3).map(Math.round)).toEqual([608, 1_118, 2_138]);
	});

	/** Returns when single calls are tried, each rejected 10 ms later. */
	const tries = (count: number) =>
		Array.from({ length: count }, () => {
			const [at] = driver.send();
			driver.at(at + 10);
			driver.reject([at]);
			return at;
		});

	it('single calls try after round times, a little late', () => {
		driver.hit(0);
		expect(tries(6)).toEqual([102, 255, 510, 1_020, 2_040, 3_060]);
	});

	it('all leave again as soon as a try is accepted', () => {
		driver.hit(40);
		const [at] = driver.send();
		driver.at(at + 10);
		driver.accept([at]);
		expect(driver.next).toBeLessThan(at + 30);
	});
});

describe('a 429 that later calls overtake', () => {
	it('ends its pause once a call is accepted that left after it', () => {
		const times = driver.send(60);
		driver.at(100);
		driver.reject([times[0]], 60_000);
		// They may have overtaken it on their way.
		driver.accept(times.slice(1).filter((at) => at < 50));
		expect(driver.next).toBe(60_100);
		driver.accept([50]);
		expect(driver.next).toBe(100);
	});

	it('begins the pause anew once a call that left in it is accepted: nobody has waited longer', () => {
		driver.hit(100, 60_000);
		const [first, trial] = driver.send(2);
		driver.at(trial + 300);
		driver.reject([trial], 57_000);
		driver.at(trial + 20_000);
		driver.accept([first]);
		expect(driver.pace.pause?.since).toBe(1_000_000 + trial + 300);
	});

	/** Sends 20 calls `times` times; of each 20, `rejected` are overtaken. */
	const overtaken = (times: number, rejected: number) => {
		for (let n = 0; n < times; n++) {
			const sent = driver.send(20);
			driver.at(sent[19] + 10);
			driver.reject(sent.slice(0, rejected), 1_000);
			driver.accept(sent.slice(rejected));
		}
	};

	it('slows the pace down when they are more than a tenth', () => {
		overtaken(20, 2);
		expect(rateOf(driver.send(20))).toBeGreaterThan(950);
		overtaken(20, 3);
		expect(rateOf(driver.send(20))).toBeLessThan(875);
	});
});

it('after a short pause calls leave evenly, slower, and back by ten times the pause, steeply at first', () => {
	// At full speed until the first 429, and from the next second on at the pace that this one has left.
	driver.hit(200, 900);
	driver.sendFor(1_500);
	const at = driver.now - 1_000_000;
	driver.send();
	driver.at(at + 60);
	driver.reject([at], 800);
	driver.at(driver.next);
	const counts = Array.from({ length: 8 }, () => driver.sendFor(1_000).length);
	expect(counts[0]).toBeLessThan(counts[2]);
	expect(counts[2] - counts[0]).toBeGreaterThan(counts[7] - counts[5]);
	expect(Math.abs(counts[7] - counts[6])).toBeLessThanOrEqual(1);
});

describe('after a long pause', () => {
	/** Hits a limit of `count` calls per minute once, with calls of 10 ms. */
	const meet = (count: number) => {
		driver.hit(count, 59_000);
		const [first] = driver.send();
		driver.at(first + 10);
		driver.accept([first]);
		return first;
	};

	it('as many calls leave at once as in the last window, but one, which follows a little later', () => {
		const first = meet(50);
		const times = driver.send(49);
		driver.accept(times);
		expect(times[47]).toBeLessThan(first + 200);
		expect(times[48]).toBeGreaterThan(first + 1_500);
		expect(times[48]).toBeLessThan(first + 3_000);
	});

	it('calls that left before it ended count for the last window only', () => {
		const first = meet(20);
		driver.at(first + 20);
		driver.reject([0], 5_000);
		const times = driver.send(19);
		expect(times[17]).toBeLessThan(first + 100);
		expect(times[18]).toBeGreaterThan(first + 1_000);
	});

	it('a further 429 is a pause of its own, though slow responses to earlier calls come in it', () => {
		driver.hit(50, 59_000);
		const times = driver.send(60);
		driver.at(times[59] + 10);
		driver.reject(times.slice(50), 40_000);
		const until = driver.next;
		driver.at(until - 20_000);
		driver.accept(times.slice(0, 49));
		expect(driver.next).toBe(until);
	});
});

import { FEW, SECOND_MS, Span } from '../../../../nodes/shared/transport/limits/span';
import { WINDOWS, Windows } from '../../../../nodes/shared/transport/limits/windows';

const QUOTA = 10;
/** Calls that show by themselves whether these are windows. */
const CALL_MS = WINDOWS.proof.quick + 1;
const MS = WINDOWS.margin * (SECOND_MS + WINDOWS.unevenness * CALL_MS);

/** Windows of which something was accepted. */
function begun(quota: number, callMs: number): Windows {
	const windows = new Windows(quota, callMs);
	windows.restart(0);
	for (let n = 0; n < quota; n++) windows.accepted(0, 0);
	return windows;
}

/** Windows of 10 calls, so many of them full; and `more` calls in another one. */
function windowsOf(full: number, more = 0): Windows {
	const windows = begun(QUOTA, CALL_MS);
	for (let n = 0; n < full * QUOTA + more; n++) windows.leave(Math.max(0, windows.nextAt));
	return windows;
}

const rejecting = (rejected: number) => Object.assign(new Span(0), { rejected });

/** How many calls may leave in the next window, and how much longer it is. */
function learned(windows: Windows): { quota: number; longer: number } {
	windows.restart(100_000);
	let quota = 0;
	for (; windows.nextAt === -Infinity; quota++) windows.leave(100_000);
	return { quota, longer: Number(((windows.endsAt - 100_000) / MS).toFixed(4)) };
}

it('let a number of calls leave at once, the others when the window is over', () => {
	expect(windowsOf(0, 9).nextAt).toBe(-Infinity);
	expect(windowsOf(1).nextAt).toBe(MS);
	expect(windowsOf(1, 1).endsAt).toBe(2 * MS);
});

describe('where they are only assumed', () => {
	const few = QUOTA * WINDOWS.first.calls;
	const half = MS * WINDOWS.first.wait;

	/** Such windows, of which as many calls left as leave at once. */
	const assumed = (): Windows => {
		const windows = new Windows(QUOTA, CALL_MS);
		windows.restart(0);
		for (let n = 0; n < few; n++) {
			expect(windows.nextAt).toBe(-Infinity);
			windows.leave(0);
		}
		return windows;
	};

	/** Lets the other calls of the first window leave. */
	const fill = (windows: Windows, at: number): void => {
		for (let n = few; n < QUOTA; n++) {
			expect(windows.nextAt).toBeLessThanOrEqual(at);
			windows.leave(at);
		}
	};

	it.each([
		['one of these is accepted', 300],
		['half of the window is over, if that is sooner', half],
	])('let a few calls leave, the others once %s; the next window is whole', (_what, at) => {
		const windows = assumed();
		expect(windows.nextAt).toBe(half);
		if (at < half) windows.accepted(0, at);
		fill(windows, at);
		for (let n = 0; n < QUOTA; n++) {
			expect(windows.nextAt).toBe(at + MS);
			windows.leave(at + MS);
		}
		expect(windows.nextAt).toBe(at + 2 * MS);
	});

	it('let the others of many leave once a twentieth is accepted', () => {
		const windows = new Windows(100, CALL_MS);
		windows.restart(0);
		for (let n = 0; n < 20; n++) windows.leave(0);
		for (let n = 1; n < 100 * WINDOWS.first.accepted; n++) windows.accepted(0, 300);
		expect(windows.isHeld).toBe(true);
		windows.accepted(0, 300);
		expect(windows.isHeld).toBe(false);
	});

	it('are none where of those few most are rejected, however many others left by then', () => {
		const windows = assumed();
		windows.accepted(0, 300);
		windows.leave(300);
		expect(windows.fit(0, rejecting(few), true)).toBe(false);
	});

	it('leave calls of earlier windows where they were', () => {
		const windows = new Windows(QUOTA, CALL_MS);
		windows.restart(0);
		for (let n = 0; n < 3; n++) windows.leave(n * MS);
		for (let n = 0; n < few; n++) windows.leave(3 * MS);
		windows.accepted(3 * MS, 3 * MS + 300);
		for (let n = few; n < QUOTA; n++) {
			expect(windows.nextAt).toBeLessThanOrEqual(3 * MS + 300);
			windows.leave(3 * MS + 300);
		}
		expect(windows.nextAt).toBe(4 * MS + 300);
	});

	it('are so after a pause, too, but only until something is accepted', () => {
		const windows = assumed();
		windows.accepted(-1, 1);
		windows.restart(2_000);
		for (let n = 0; n < few; n++) windows.leave(2_000);
		expect(windows.nextAt).toBe(2_000 + half);
		windows.accepted(2_000, 2_001);
		fill(windows, 2_001);
		expect(learned(windows)).toEqual({ quota: QUOTA, longer: 1 });
	});
});

it('are a pace in the long run', () => {
	expect(windowsOf(0).perMs).toBe(QUOTA / MS);
});

it('are as many calls as one takes, all at once, where they turn out to be none', () => {
	const calls = { from: 5, to: 5, sent: QUOTA, accepted: QUOTA };
	expect(windowsOf(0).burst(5)).toMatchObject(calls);
});

it('are not used up later: after a break only the calls of one window leave at once', () => {
	const windows = windowsOf(0, 4);
	windows.leave(MS - 1);
	windows.leave(MS);
	expect(windows.endsAt).toBe(2 * MS);
	for (let n = 1; n < QUOTA; n++) windows.leave(MS);
	expect(windows.nextAt).toBe(2 * MS);
});

it('have no more calls in any time as long as one, also where n8n was busy in the middle of it', () => {
	const windows = windowsOf(0, 4);
	for (let n = 4; n < QUOTA; n++) windows.leave(300);
	const times = [];
	for (let n = 0; n < 2 * QUOTA; n++) {
		times.push(windows.nextAt);
		windows.leave(windows.nextAt);
	}
	const two = [1, 2].flatMap((n) =>
		Array.from({ length: QUOTA }, (_, m) => n * MS + (m < 4 ? 0 : 300)),
	);
	expect(times).toEqual(two);
});

it('remember only the last calls', () => {
	const windows = windowsOf(1_000);
	expect((windows as unknown as { log: number[] }).log.length).toBeLessThanOrEqual(2 * QUOTA);
	expect(windows.nextAt).toBeCloseTo(1_000 * MS, 5);
});

it('are the longer the longer calls take, since some take longer than others', () => {
	const windows = begun(QUOTA, 500);
	expect(windows.endsAt).toBe(WINDOWS.margin * (SECOND_MS + 500 * WINDOWS.unevenness));
});

describe('once, where calls are quick', () => {
	const ms = WINDOWS.margin * SECOND_MS;
	const more = QUOTA * WINDOWS.proof.calls;

	/** Windows of 10 quick calls, after so many that left as soon as they might. */
	function quickly(calls: number, callMs = 0, quota = QUOTA) {
		const windows = begun(quota, callMs);
		const times: number[] = [];
		for (let n = 0; n < calls; n++) {
			times.push(Math.max(0, times.at(-1) ?? 0, windows.nextAt));
			windows.leave(times[n]);
		}
		return { windows, times };
	}

	const areAccepted = (windows: Windows, times: number[]) =>
		times.map((at) => windows.accepted(at, at));

	it('some calls more leave evenly after those of the second window', () => {
		const { times } = quickly(3 * QUOTA + more);
		const gap = (WINDOWS.proof.slower * ms) / QUOTA;
		const second = Array.from({ length: QUOTA }, () => ms);
		const extra = Array.from({ length: more }, (_, n) => ms + (n + 1) * gap);
		const third = Array.from({ length: QUOTA }, () => 2 * ms);
		expect(times.slice(QUOTA)).toEqual([...second, ...extra, ...third]);
	});

	it.each([QUOTA, 40])(
		'and where they and most of the next window are accepted, these are no windows (%i)',
		(quota) => {
			const { windows, times } = quickly(4 * quota, 0, quota);
			const told = areAccepted(windows, times);
			const { calls, next } = WINDOWS.proof;
			expect(told.indexOf(true)).toBe(Math.ceil((2 + calls + next) * quota) - 1);
		},
	);

	it.each([
		['too few of them left', 2 * QUOTA + more - 1],
		['too few of the next window left', 3 * QUOTA + more - 1],
	])('but not where %s', (_what, calls) => {
		const { windows } = quickly(calls);
		for (let n = 0; n < 2 * QUOTA; n++) windows.leave(4 * ms);
		expect(
			areAccepted(
				windows,
				Array.from({ length: 99 }, () => 4 * ms),
			),
		).not.toContain(true);
	});

	it.each([
		['goes on in the next window', 2 * QUOTA + more, 2, true],
		['ends there where too few of them left', 2 * QUOTA + more - 1, 2, false],
		['goes on after it', 3 * QUOTA + more, 3, true],
		['ends with it where too few of it left', 3 * QUOTA + more - 1, 3, false],
	])('that %s', (_what, calls, window, isInProof) => {
		const { windows } = quickly(calls);
		windows.leave(window * ms);
		expect(windows.isInProof).toBe(isInProof);
	});

	it('and where one is rejected, these are windows: as many, as long as before, and never again so', () => {
		const { windows, times: before } = quickly(2 * QUOTA + 2);
		expect(windows.isInProof).toBe(true);
		expect(windows.fit(before[2 * QUOTA], rejecting(1), true)).toBe(true);
		expect(windows.isInProof).toBe(false);
		windows.restart(10 * ms);
		const times = Array.from({ length: 3 * QUOTA }, () => {
			const at = Math.max(10 * ms, windows.nextAt);
			windows.leave(at);
			return at;
		});
		expect(times).toEqual(
			times.map((_, n) => expect.closeTo((10 + Math.floor(n / QUOTA)) * ms, 5)),
		);
		expect(areAccepted(windows, times)).not.toContain(true);
	});

	it.each([
		['these are none where most of them fitted', QUOTA, 2, false],
		['these are none where just three quarters did', 40, 10, false],
		['these are windows where fewer did', QUOTA, 3, true],
	])('and where one of the next window is rejected, %s', (_what, quota, rejected, areWindows) => {
		const { windows } = quickly((3 + WINDOWS.proof.calls) * quota, 0, quota);
		expect(windows.fit(2 * ms, rejecting(rejected), true)).toBe(areWindows);
	});

	it('but where a call of the window itself is rejected, it is told another time', () => {
		const { windows } = quickly(2 * QUOTA + 2);
		windows.fit(ms - 1, rejecting(1), true);
		windows.restart(10 * ms);
		for (let n = 0; n < 2 * QUOTA + 1; n++) windows.leave(Math.max(10 * ms, windows.nextAt));
		expect(windows.isInProof).toBe(true);
	});

	it('but not while more calls are on trial', () => {
		const windows = Windows.bid(0);
		windows.restart(0);
		for (let n = 0; n < 2 * FEW.calls + 1; n++) windows.leave(Math.max(0, windows.nextAt));
		expect(windows.isInProof).toBe(false);
	});

	it.each([
		['not so quick', WINDOWS.proof.quick, true],
		['slower', WINDOWS.proof.quick + 1, false],
	])('also where they are %s: %p ms, %p', (_what, callMs, isInProof) => {
		expect(quickly(2 * QUOTA + 1, callMs).windows.isInProof).toBe(isInProof);
	});
});

describe('what 429s say', () => {
	it.each([
		['the first window', 1, 0, 0, 1],
		['a later one', 2, 0, MS, 2],
		['one after that', 3, 0, 2 * MS, 3],
	])('is how many %s takes', (_name, full, more, sentAt, rejected) => {
		const windows = windowsOf(full, more);
		expect(windows.fit(sentAt, rejecting(rejected), true)).toBe(true);
		expect(learned(windows)).toEqual({ quota: QUOTA - rejected, longer: 1 });
	});

	it('is that there are none where the first window takes few', () => {
		expect(windowsOf(1).fit(0, rejecting(7), true)).toBe(false);
		expect(windowsOf(1).fit(0, rejecting(6), true)).toBe(true);
	});

	it('is nothing where none fitted into the first window: the pause was too short', () => {
		const windows = windowsOf(1);
		expect(windows.fit(0, rejecting(QUOTA), true)).toBe(true);
		expect(learned(windows)).toEqual({ quota: QUOTA, longer: 1 });
	});

	it.each([
		['a few were early', 1, true],
		['a few were, of those that waited for less than asked', 4, false],
	])('is that they are longer where %s', (_name, rejected, isWaited) => {
		const windows = windowsOf(2);
		expect(windows.fit(MS, rejecting(rejected), isWaited)).toBe(true);
		expect(learned(windows)).toEqual({ quota: QUOTA, longer: WINDOWS.early });
	});

	it('is that they are longer where one of a few that left so far was early', () => {
		const windows = windowsOf(1, 3);
		expect(windows.fit(MS, rejecting(1), true)).toBe(true);
		expect(learned(windows)).toEqual({ quota: QUOTA, longer: WINDOWS.early });
	});

	it('is that they are longer where a later one was held up: fewer calls left, not fewer fitted', () => {
		const windows = windowsOf(2, 6);
		expect(windows.fit(2 * MS, rejecting(2), true)).toBe(true);
		expect(learned(windows)).toEqual({ quota: QUOTA, longer: WINDOWS.early });
	});

	it('is that they are longer where those few were early that left so far in one that was held up', () => {
		const windows = windowsOf(2, 4);
		expect(windows.fit(2 * MS, rejecting(4), true)).toBe(true);
		expect(learned(windows)).toEqual({ quota: QUOTA, longer: WINDOWS.early });
	});

	it('is how many fitted where the second was held up: the first had what the pause left over', () => {
		const windows = windowsOf(1, 6);
		expect(windows.fit(MS, rejecting(1), true)).toBe(true);
		expect(learned(windows)).toEqual({ quota: 5, longer: 1 });
	});

	it('is a tenth less at least where the first window was too small after two pauses, one after the other', () => {
		const windows = begun(100, CALL_MS);
		/** Rejects some calls of the first window after a pause; gives how many may leave in the next one. */
		const cut = (rejected: number) => {
			learned(windows);
			windows.fit(100_000, rejecting(rejected), true);
			return learned(windows).quota;
		};
		expect([1, 1, 20].map(cut)).toEqual([99, 89, 69]);
		// A later one was early: it is not the end of a pause that is the reason.
		learned(windows);
		for (let n = 0; n < 69; n++) windows.leave(windows.nextAt);
		windows.fit(windows.endsAt - 1, rejecting(1), true);
		expect(cut(1)).toBe(68);
		// A later one was too small.
		learned(windows);
		for (let n = 0; n < 68; n++) windows.leave(windows.nextAt);
		windows.fit(windows.endsAt - 1, rejecting(18), true);
		expect(cut(1)).toBe(49);
	});

	it.each([
		['most were early', 7, true],
		['half were, of those that waited for less than asked', 5, false],
	])('is that there are none where %s', (_name, rejected, isWaited) => {
		expect(windowsOf(2).fit(MS, rejecting(rejected), isWaited)).toBe(false);
	});

	it('is that there are none where they would be much longer than a second', () => {
		const windows = windowsOf(0);
		let at = 0;
		const early = (): boolean => {
			windows.restart((at += 10_000));
			for (let n = 0; n < 2 * QUOTA; n++) windows.leave(Math.max(at, windows.nextAt));
			return windows.fit(windows.endsAt - 1, rejecting(1), true);
		};
		let count = 1;
		while (early()) count++;
		expect(MS * WINDOWS.early ** count).toBeGreaterThanOrEqual(WINDOWS.longest);
		expect(MS * WINDOWS.early ** (count - 1)).toBeLessThan(WINDOWS.longest);
	});

	it('is how many they take at least two fifths of a later one', () => {
		const windows = windowsOf(2);
		windows.fit(MS, rejecting(6), true);
		expect(learned(windows)).toEqual({ quota: 4, longer: 1 });
	});
});

describe('more calls', () => {
	const many = () => begun(FEW.calls, CALL_MS);

	/** Lets so many windows go by, each with all calls that may leave in it. */
	const fill = (windows: Windows, count: number): void => {
		for (let n = 0; n < count; n++) {
			const { endsAt } = windows;
			while (windows.nextAt < endsAt) windows.leave(Math.max(endsAt - MS, windows.nextAt));
			windows.leave(endsAt);
		}
	};

	/** Whether more are tried after so many full windows. */
	const isTriedAfter = (windows: Windows, count: number, costMs = 0): boolean => {
		fill(windows, count);
		const { perMs } = windows;
		windows.quicken(costMs);
		return windows.perMs > perMs;
	};

	it.each([
		['many full windows', many, WINDOWS.patience.sure],
		['some where they are small', () => windowsOf(0), WINDOWS.patience.doubt],
	])(
		'are tried after %s, more of them where the last pause took longer',
		(_name, create, patience) => {
			expect(isTriedAfter(create(), patience - 1)).toBe(false);
			expect(isTriedAfter(create(), patience)).toBe(true);
			expect(isTriedAfter(create(), 2 * patience - 1, 2 * MS)).toBe(false);
			expect(isTriedAfter(create(), 2 * patience, 2 * MS)).toBe(true);
		},
	);

	it('are not tried because time goes by with few calls', () => {
		const windows = windowsOf(0);
		for (let n = 0; n < 100; n++) windows.leave(n * MS);
		windows.quicken(0);
		expect(windows.perMs).toBe(QUOTA / MS);
	});

	it('are tried soon where they became fewer', () => {
		const windows = many();
		for (let n = 0; n < FEW.calls; n++) windows.leave(0);
		windows.fit(0, rejecting(1), true);
		windows.restart(MS);
		expect(isTriedAfter(windows, WINDOWS.patience.doubt)).toBe(true);
	});

	it('are given up where they did not fit, but soon tried again if they are few', () => {
		const windows = windowsOf(0);
		const { doubt, next } = WINDOWS.patience;
		const first = 2 * QUOTA;
		expect(isTriedAfter(windows, doubt)).toBe(true);
		expect(learned(windows).quota).toBe(first);
		expect(isTriedAfter(windows, next)).toBe(true);
		expect(learned(windows).quota).toBe(FEW.calls);
		expect(windows.fit(100_000, rejecting(FEW.calls - first + 1), true)).toBe(true);
		expect(learned(windows)).toEqual({ quota: first, longer: 1 });
		windows.restart(200_000);
		expect(isTriedAfter(windows, doubt - 1)).toBe(false);
		expect(isTriedAfter(windows, 1)).toBe(true);
		expect(learned(windows).quota).toBe(FEW.calls);
	});

	it('are given up where they did not fit, for twice as long if they are many', () => {
		const windows = begun(FEW.calls + 1, CALL_MS);
		for (let n = 0; n <= FEW.calls; n++) windows.leave(0);
		windows.fit(0, rejecting(1), true);
		windows.restart(MS);
		const { doubt } = WINDOWS.patience;
		expect(isTriedAfter(windows, doubt)).toBe(true);
		windows.fit(100_000, rejecting(FEW.calls), true);
		windows.restart(200_000);
		expect(isTriedAfter(windows, 2 * doubt - 1)).toBe(false);
		expect(isTriedAfter(windows, 1)).toBe(true);
	});

	it('are as many as fitted, where some of them did', () => {
		const windows = windowsOf(0);
		expect(isTriedAfter(windows, WINDOWS.patience.doubt)).toBe(true);
		expect(learned(windows).quota).toBe(2 * QUOTA);
		expect(windows.fit(100_000, rejecting(5), true)).toBe(true);
		expect(learned(windows).quota).toBe(2 * QUOTA - 5);
	});

	it('are given up where calls that waited for less than asked do not tell how many fitted', () => {
		const windows = windowsOf(0);
		isTriedAfter(windows, WINDOWS.patience.doubt);
		learned(windows);
		expect(windows.fit(100_000, rejecting(1), false)).toBe(true);
		expect(learned(windows)).toEqual({ quota: QUOTA, longer: 1 });
	});

	it('are more by a share where many fit, bolder each time', () => {
		const windows = begun(1_000, CALL_MS);
		const { next, sure } = WINDOWS.patience;
		expect(isTriedAfter(windows, sure)).toBe(true);
		expect(learned(windows).quota).toBe(1_050);
		// Soon, too: the limit may have been raised.
		expect(isTriedAfter(windows, next - 1)).toBe(false);
		expect(isTriedAfter(windows, 1)).toBe(true);
		expect(learned(windows).quota).toBe(Math.round(1_050 * 1.05 ** 2));
		windows.fit(100_000, rejecting(300), true);
		windows.restart(200_000);
		expect(isTriedAfter(windows, 2 * sure)).toBe(true);
		expect(learned(windows).quota).toBe(Math.round(1_050 * 1.05));
	});

	it('are not given up for ever, however often they fail', () => {
		const windows = windowsOf(0);
		for (let n = 0; n < 20; n++) {
			expect(isTriedAfter(windows, WINDOWS.patience.sure)).toBe(true);
			windows.fit(0, rejecting(QUOTA), true);
			windows.restart(n * 100_000);
		}
	});
});

describe('where others use the limit up', () => {
	it.each([
		['what fitted', 12],
		['some calls, where fewer did', 3],
	])('many are tried at once, and then %s', (_what, fitted) => {
		const windows = Windows.bid(CALL_MS);
		expect(learned(windows).quota).toBe(FEW.calls);
		expect(windows.fit(100_000, rejecting(FEW.calls - fitted), true)).toBe(true);
		expect(learned(windows).quota).toBe(Math.max(fitted, FEW.least));
	});

	it('hardly anything of those fits: it is no limit per second', () => {
		const windows = Windows.bid(CALL_MS);
		learned(windows);
		windows.fit(100_000, rejecting(FEW.calls - 3), true);
		learned(windows);
		expect(windows.fit(100_000, rejecting(FEW.least - 3), true)).toBe(false);
	});
});

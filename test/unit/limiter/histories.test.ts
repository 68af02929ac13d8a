import { VirtualClock } from '../../../bench/limits/clock';
import { randomOf } from '../../../mock-service/random';
import { AccountLimiter } from '../../../nodes/shared/limiter/accountLimiter';
import type { LimitedCall, Denial, Verdict } from '../../../nodes/shared/limiter/types';
import { seeds } from '../../support/seeds';

const SEEDS = seeds(28);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** The longest time between two calls at the pace found. */
const PACE_MS = 5.1 * SECOND;

interface Asked {
	call: LimitedCall;
	/** Its time in the limiter over all attempts (ms). */
	heldMs: number;
	denial?: Denial;
	deniedAt?: number;
	isOver: boolean;
}

/** A service that responds at random, and a few calls that come now and then. */
class History {
	readonly clock = new VirtualClock();

	readonly calls: Asked[] = [];

	/** Times (ms) at which a call or a 429 came. */
	readonly events = new Set<number>();

	private readonly limiter = new AccountLimiter(this.clock);

	private readonly random: () => number;

	private readonly of = <T>(...values: T[]): T => values[Math.floor(this.random() * values.length)];

	constructor(seed: number) {
		this.random = randomOf(seed * 0x9e3779b1);
		const shares = [this.random(), this.random(), this.random() / 5, this.random() / 5];
		const waits = [undefined, 0, 500, SECOND, 4 * SECOND, 9 * SECOND, 40 * SECOND, HOUR, 1e12];
		const named = waits.filter(() => this.random() < 0.4);
		const isSlow = this.random() < 0.3;
		const runs = [{}, {}, {}].slice(0, this.of(1, 3));
		const verdict = (): Verdict => {
			const at = this.random() * shares.reduce((sum, share) => sum + share);
			if (at < shares[0]) return { kind: 'accepted' };
			if (at < shares[0] + shares[1]) return { kind: 'limited', waitMs: this.of(...named) };
			return { kind: at < shares[0] + shares[1] + shares[2] ? 'overloaded' : 'failed' };
		};
		const latencyMs = ({ kind }: Verdict) =>
			this.random() * (kind === 'limited' && !isSlow ? 0.5 : this.of(0.1, 1, 20)) * SECOND;
		let at = 0;
		for (let n = 0; n < 12; n++) {
			at += this.of(0, 0, 0.1, 1, 5, 30) * SECOND;
			const call = {
				run: this.of(...runs),
				group: 'POST',
				maxConcurrent: this.of(1, 200, 200),
				maxWaitMs: this.of(0, 1, 10, 60, 300, 7_200) * SECOND,
			};
			const asked: Asked = { call, heldMs: 0, isOver: false };
			this.calls.push(asked);
			this.clock.at(at, () => void this.follow(asked, verdict, latencyMs));
		}
	}

	/** Follows a call until it is done or denied. */
	private async follow(
		asked: Asked,
		verdictFor: () => Verdict,
		latencyMs: (verdict: Verdict) => number,
	): Promise<void> {
		const { clock, limiter } = this;
		for (let tries = 0; tries < 5_000; tries++) {
			const from = clock.now();
			this.events.add(from);
			const permit = await limiter.acquire(asked.call);
			asked.heldMs += clock.now() - from;
			if ('denied' in permit) {
				Object.assign(asked, { denial: permit, deniedAt: clock.now(), isOver: true });
				return;
			}
			// A probe moves the end of a pause as it leaves.
			this.events.add(clock.now());
			const verdict = verdictFor();
			await clock.sleep(latencyMs(verdict));
			limiter.release(permit, verdict);
			if (verdict.kind === 'limited') this.events.add(clock.now());
			else if (verdict.kind === 'overloaded') await clock.sleep(SECOND);
			else break;
		}
		asked.isOver = true;
	}
}

it('in random histories of 429s, responses and failures no call waits longer than its Rate Limit Wait, and each is denied when that is certain', async () => {
	let denied = 0;
	for (const seed of SEEDS) {
		const history = new History(seed);
		await history.clock.run(24 * HOUR);
		for (const { call, heldMs, denial, deniedAt, isOver } of history.calls) {
			const of = { seed, limit: call.maxWaitMs, heldMs, denial };
			const line = history.calls.length * PACE_MS;
			expect({ ...of, isOver }).toMatchObject({ isOver: true });
			if (heldMs > call.maxWaitMs + line) expect(of).toBe('within its limit');
			if (denial?.denied !== 'tooLong') continue;
			denied++;
			expect(denial.waitedMs + denial.waitMs).toBeGreaterThan(call.maxWaitMs);
			expect(history.events).toContain(deniedAt);
		}
	}
	expect(denied).toBeGreaterThan(SEEDS.length);
});

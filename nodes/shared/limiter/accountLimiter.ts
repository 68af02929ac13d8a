import { sleep } from 'n8n-workflow';

import { onAbort, SLICE_MS, monotonicMs } from '../base/time';

import { Pace } from './pace';
import type { LimitedCall, Clock, Denial, Pacing, Pause, Permit, Verdict } from './types';

export const CONCURRENCY = {
	/** Initial and highest limit; more connections would gain little and cost n8n memory. */
	max: 500,
	/** Lowest limit, which keeps one slow response from stopping all others. */
	least: 2,
	/** Growth per accepted call: a tenth of a call, so that few calls are rejected at the limit. */
	growth: 0.1,
};

/** Extra share of calls for runs that have none in flight, so that one slow run doesn't stop the others. */
const SPARE = 0.1;

/**
 * Minimum extension of a pause (ms) that causes waiting calls to be checked again. Probes are never sent more often
 * than this.
 */
const CHECKED_AGAIN_MS = 100;

const n8nClock: Clock = { now: monotonicMs, sleep: async (ms) => await sleep(ms) };

/** What a call has waited for the rate limit, across all its attempts. */
interface Waited {
	/** When it first asked for a permit (ms). */
	readonly since: number;
	/** The pause in effect when it last asked. */
	pause?: Pause;
	/** Time spent in earlier pauses (ms). */
	earlierMs: number;
	/** Time spent otherwise (ms) that its Rate Limit Wait has to cover, too. */
	spentMs: number;
}

interface Waiting {
	call: LimitedCall;
	waited: Waited;
	settle: (result: Permit | Denial) => void;
}

/** Calls that the service counts together. */
interface Group {
	pace: Pacing;
	/** The waiting calls of each run; the run to send next comes first. */
	queues: Map<object, Waiting[]>;
	/**
	 * Time (ms) at which the next call could leave, as of the last check for waiting calls that would leave too late.
	 */
	askedFor: number;
}

interface RunLoad {
	open: number;
	inFlight: number;
	/** Removes the listener from the run's signal. */
	close: () => void;
}

/**
 * Decides when each call to an account may be sent, for all node runs. It allows as many at once as the service can
 * handle, and each group at the pace the service allows. Runs take turns, so a run with one call never waits for all
 * the calls of a large run.
 */
export class AccountLimiter {
	/**
	 * Maximum number of calls in flight. As in TCP after congestion (RFC 5681), it is halved by each overload, then
	 * grows slowly. It starts at the highest value, because rejected calls cost nothing.
	 */
	private limit = CONCURRENCY.max;

	/** When it was last halved (ms). */
	private cutAt = -Infinity;

	private inFlight = 0;

	/** The group to send from next comes first. */
	private readonly groups = new Map<string, Group>();

	private readonly runs = new Map<object, RunLoad>();

	/** All attempts of a call share one Rate Limit Wait. */
	private readonly waits = new WeakMap<LimitedCall, Waited>();

	/** The runs that the current limits were learned from. */
	private learners = new WeakSet();

	private wakesAt = Infinity;

	private idleSince: number;

	constructor(
		private readonly clock: Clock = n8nClock,
		private readonly createPace: () => Pacing = () => new Pace(),
	) {
		this.idleSince = clock.now();
	}

	/** How long (ms) no call has waited or been in flight; 0 while one does. */
	get idleMs(): number {
		return this.runs.size > 0 ? 0 : this.clock.now() - this.idleSince;
	}

	/**
	 * Returns a permit once the call may be sent. A retry is queued behind the other calls of its run, because its
	 * request may have caused the failure. Returns a denial instead as soon as it is known that the rate limit would
	 * hold up the call longer than its Rate Limit Wait, of which `spentMs` is used up. Never rejects.
	 */
	async acquire(call: LimitedCall, spentMs = 0): Promise<Permit | Denial> {
		if (call.signal?.aborted) return { denied: 'stopped' };
		// What earlier runs learned, perhaps at a bad moment, must not slow down a run that starts after they ended.
		if (this.runs.size === 0 && !this.learners.has(call.run)) {
			[this.limit, this.cutAt] = [CONCURRENCY.max, -Infinity];
			this.groups.clear();
			this.learners = new WeakSet();
		}
		this.learners.add(call.run);
		const group = this.groupOf(call.group);
		const waited = this.waitedBy(call, spentMs, group.pace.pause);
		const denial = this.denialOf(group, { call, waited });
		if (denial !== undefined) return denial;
		return await new Promise<Permit | Denial>((settle) => {
			const queue = group.queues.get(call.run) ?? [];
			queue.push({ call, waited, settle });
			group.queues.set(call.run, queue);
			this.runOf(call).open++;
			this.pump();
		});
	}

	/** Takes back a permit and learns from the outcome of its call. */
	release({ call, sentAt }: Permit, verdict: Verdict): void {
		const now = this.clock.now();
		const group = this.groupOf(call.group);
		this.inFlight--;
		this.runOf(call).inFlight--;
		this.close(call.run, 1);
		if (verdict.kind === 'accepted') {
			group.pace.accepted(sentAt, now);
			this.limit = Math.min(CONCURRENCY.max, this.limit + CONCURRENCY.growth);
		} else if (verdict.kind === 'limited') {
			group.pace.limited(sentAt, now, verdict.waitMs);
			this.denyLate(group, now);
		} else if (verdict.kind === 'overloaded' && sentAt >= this.cutAt) {
			// Calls sent before the last cut say nothing about its effect.
			[this.limit, this.cutAt] = [Math.max(CONCURRENCY.least, this.limit / 2), now];
		}
		this.pump();
	}

	/** Denies all waiting calls of a run; those in flight continue. */
	private drop(run: object): void {
		for (const group of this.groups.values()) {
			this.sift(group, run, () => ({ denied: 'stopped' }));
		}
	}

	/** Sends the calls that may be sent now, and wakes up when more may. */
	private pump(): void {
		const now = this.clock.now();
		while (this.sendNext(now));
		let wakesAt = Infinity;
		for (const group of this.groups.values()) {
			const leavesAt = group.pace.earliest(now);
			// A probe that leaves moves the end of the pause before its outcome is known.
			if (group.pace.pause && leavesAt > group.askedFor + CHECKED_AGAIN_MS)
				this.denyLate(group, now);
			if (group.queues.size > 0 && leavesAt > now) wakesAt = Math.min(wakesAt, leavesAt);
		}
		// Calls that wait for others to finish are sent when those have finished.
		if (wakesAt < Infinity) void this.wakeUp(Math.min(wakesAt, now + SLICE_MS), now);
	}

	private sendNext(now: number): boolean {
		const limit = Math.floor(this.limit);
		if (this.inFlight >= limit + Math.ceil(SPARE * limit)) return false;
		const most = this.inFlight < limit ? Infinity : 1;
		for (const [name, group] of this.groups) {
			if (group.queues.size === 0 || group.pace.earliest(now) > now) continue;
			for (const [key, queue] of group.queues) {
				const [{ call, settle }] = queue;
				const run = this.runOf(call);
				if (run.inFlight >= Math.min(call.maxConcurrent, most)) continue;
				queue.shift();
				group.queues.delete(key);
				if (queue.length > 0) group.queues.set(key, queue);
				this.groups.delete(name);
				this.groups.set(name, group);
				this.inFlight++;
				run.inFlight++;
				group.pace.sent(now);
				settle({ call, sentAt: now });
				return true;
			}
		}
		return false;
	}

	/** Denies a group's waiting calls that would have to wait too long for the end of its pause. */
	private denyLate(group: Group, now: number): void {
		group.askedFor = group.pace.earliest(now);
		for (const run of [...group.queues.keys()]) {
			this.sift(group, run, (waiting) => this.denialOf(group, waiting));
		}
	}

	/** Returns a denial if the group's pause would keep the call waiting beyond its Rate Limit Wait. */
	private denialOf(group: Group, { call, waited }: Omit<Waiting, 'settle'>): Denial | undefined {
		const { pause } = group.pace;
		if (pause === undefined) return undefined;
		const now = this.clock.now();
		const leavesAt = Math.max(now, group.pace.earliest(now));
		// If the call is merely in line, its earlier pauses don't count: other calls were accepted, and it comes after
		// them.
		const before = waited.pause === pause ? waited.earlierMs : 0;
		const waitedMs = now - Math.max(pause.since, waited.since) + before;
		const waitMs = leavesAt - now;
		const isTooLong = waitedMs + waitMs > call.maxWaitMs - waited.spentMs;
		return isTooLong ? { denied: 'tooLong', waitedMs, waitMs } : undefined;
	}

	/** Updates and returns the waiting times of a call that asks for a permit while `pause` is in effect. */
	private waitedBy(call: LimitedCall, spentMs: number, pause?: Pause): Waited {
		const known: Omit<Waited, 'spentMs'> = this.waits.get(call) ?? {
			since: this.clock.now(),
			earlierMs: 0,
		};
		const waited = { ...known, earlierMs: earlierMs(known, pause), pause, spentMs };
		this.waits.set(call, waited);
		return waited;
	}

	/** Removes the calls that `denialOf` denies from a run's queue. */
	private sift(
		group: Group,
		run: object,
		denialOf: (waiting: Waiting) => Denial | undefined,
	): void {
		const queue = group.queues.get(run) ?? [];
		const kept = queue.filter((waiting) => {
			const denial = denialOf(waiting);
			if (denial !== undefined) waiting.settle(denial);
			return denial === undefined;
		});
		if (kept.length > 0) group.queues.set(run, kept);
		else group.queues.delete(run);
		this.close(run, queue.length - kept.length);
	}

	private async wakeUp(time: number, now: number): Promise<void> {
		if (time >= this.wakesAt) return;
		this.wakesAt = time;
		// Timers have a resolution of 1 ms; shorter waits would become a busy loop.
		await this.clock.sleep(Math.max(1, time - now));
		if (this.wakesAt === time) this.wakesAt = Infinity;
		this.pump();
	}

	private groupOf(name: string): Group {
		const known = this.groups.get(name);
		if (known !== undefined) return known;
		const group: Group = { pace: this.createPace(), queues: new Map(), askedFor: -Infinity };
		this.groups.set(name, group);
		return group;
	}

	private runOf({ run: key, signal }: LimitedCall): RunLoad {
		const known = this.runs.get(key);
		if (known !== undefined) return known;
		const close = signal ? onAbort(signal, () => this.drop(key)) : () => {};
		const run: RunLoad = { open: 0, inFlight: 0, close };
		this.runs.set(key, run);
		return run;
	}

	private close(key: object, calls: number): void {
		const run = this.runs.get(key);
		if (run === undefined) return;
		run.open -= calls;
		if (run.open > 0) return;
		run.close();
		this.runs.delete(key);
		this.idleSince = this.clock.now();
	}
}

/** Returns how long (ms) a call had waited before `pause`. */
function earlierMs(
	{ since, pause: last, earlierMs: ms }: Omit<Waited, 'spentMs'>,
	pause?: Pause,
): number {
	if (last?.endedAt === undefined || last === pause) return ms;
	return ms + Math.max(0, last.endedAt - Math.max(last.since, since));
}

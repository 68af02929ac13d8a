import { sleep } from 'n8n-workflow';

import { SLICE_MS, monotonicMs } from '../../time';
import { Concurrency } from './concurrency';
import { Pace } from './pace';
import type { Call, Clock, Denial, Pacing, Permit, Verdict } from './types';

const n8nClock: Clock = {
	now: monotonicMs,
	sleep: async (ms) => await sleep(ms),
	busyMs: () => performance.eventLoopUtilization().active,
};

interface Waiting {
	call: Call;
	/** When the call first asked for its turn. */
	since: number;
	settle: (result: Permit | Denial) => void;
}

/** When a call first asked for its turn, and how many 429s it got since. */
interface Asked {
	since: number;
	rejected: number;
}

/** Waiting calls of one run and one group. */
interface Lane {
	retries: Waiting[];
	first: Waiting[];
}

interface Run {
	inFlight: number;
	lanes: Map<Group, Lane>;
	/** Ends listening to the run's signal. */
	close: () => void;
}

/** The calls that the service counts together. */
interface Group {
	name: string;
	pace: Pacing;
	inFlight: number;
	waiting: number;
	/** When the first 429 came since a call was accepted. */
	limitedSince?: number;
	/** When the last 429 came. */
	rejectedAt: number;
	/** As long as the next call leaves by then, no waiting call exceeds its Rate Limit Wait. */
	lateFrom: number;
}

/**
 * Gives the calls of many node runs their turn at one account of the service: as many at once as the service can
 * handle, each group at the pace that the service allows it, and the runs taking turns, so that a run of one call never
 * waits behind all the calls of a large one.
 */
export class AccountLimiter {
	private readonly concurrency: Concurrency;

	private inFlight = 0;

	private readonly groups = new Map<string, Group>();

	/** The run whose turn is next comes first. */
	private readonly runs = new Map<object, Run>();

	private readonly asked = new WeakMap<Call, Asked>();

	private readonly permits = new WeakSet<Permit>();

	private wakesAt = Infinity;

	private idleSince: number;

	constructor(
		private readonly clock: Clock = n8nClock,
		private readonly createPace: () => Pacing = () => new Pace(),
	) {
		this.concurrency = new Concurrency(clock);
		this.idleSince = clock.now();
	}

	/** How long (ms) no call has waited or been in flight; 0 while one is. */
	get idleMs(): number {
		return this.runs.size > 0 ? 0 : this.clock.now() - this.idleSince;
	}

	/**
	 * Waits for the turn of a call. A call that was sent before goes ahead of those of its run that were not, but behind them
	 * if it got a 429 more than once, as what it asks for may be the reason. Gives a denial instead of a permit as soon as it
	 * is known that the call can't be sent within its Rate Limit Wait. Never rejects.
	 */
	async acquire(call: Call): Promise<Permit | Denial> {
		if (call.signal?.aborted) return { denied: 'cancelled' };
		const before = this.asked.get(call);
		const asked = before ?? { since: this.clock.now(), rejected: 0 };
		this.asked.set(call, asked);
		const { since, rejected } = asked;
		return await new Promise<Permit | Denial>((settle) => {
			const group = this.groupOf(call.group);
			const lane = laneOf(this.runOf(call), group);
			const isAlone = lane.retries.length + lane.first.length === 0;
			lane[before !== undefined && rejected < 2 ? 'retries' : 'first'].push({
				call,
				since,
				settle,
			});
			group.waiting++;
			group.lateFrom = Math.min(group.lateFrom, since + call.maxWaitMs);
			// If others of its run are already waiting, nothing has changed: ten thousand calls may arrive at once.
			if (isAlone || group.limitedSince !== undefined) this.pump();
		});
	}

	/** Gives a permit back, with what came of its call. Giving it back again does nothing. */
	release(permit: Permit, verdict: Verdict): void {
		if (!this.permits.delete(permit)) return;
		const { call, sentAt } = permit;
		const now = this.clock.now();
		const group = this.groupOf(call.group);
		const run = this.runOf(call);
		const wasFull = this.inFlight >= this.concurrency.limit;
		this.inFlight--;
		group.inFlight--;
		run.inFlight--;
		if (verdict.kind === 'accepted') {
			group.limitedSince = undefined;
			group.pace.accepted(sentAt, now);
			if (verdict.isBroken) this.concurrency.broken(sentAt);
			else this.concurrency.accepted(group.name, sentAt, wasFull);
		} else if (verdict.kind === 'limited') {
			group.limitedSince ??= now;
			group.rejectedAt = now;
			this.asked.get(call)!.rejected++;
			this.concurrency.answered();
			group.pace.limited(sentAt, now, verdict.waitMs);
		} else {
			group.pace.failed(sentAt, now);
			if (verdict.kind === 'overloaded') this.concurrency.overloaded(sentAt);
			else if (verdict.isBroken) this.concurrency.broken(sentAt);
		}
		this.forgetIfDone(call.run, run);
		this.pump();
	}

	/** Denies all waiting calls of a run; those in flight go on. */
	drop(key: object): void {
		this.empty(key, { denied: 'dropped' });
	}

	private empty(key: object, denial: Denial): void {
		const run = this.runs.get(key);
		if (run === undefined) return;
		for (const [group, lane] of run.lanes) sift(group, lane, () => denial);
		this.forgetIfDone(key, run);
	}

	private pump(): void {
		const now = this.clock.now();
		while (this.inFlight < this.concurrency.limit && this.sendNext(now));
		for (const group of this.groups.values()) this.denyLate(group, now);
		this.wakeUp(now);
	}

	/** Gives a permit to the next call that may leave now, of the run whose turn it is. */
	private sendNext(now: number): boolean {
		for (const [key, run] of this.runs) {
			for (const [group, { retries, first }] of run.lanes) {
				const lane = retries.length > 0 ? retries : first;
				if (lane.length === 0 || run.inFlight >= lane[0].call.maxConcurrent) continue;
				if (group.pace.earliest(now) > now && !isProbe(lane[0], group, now)) continue;
				const { call, settle } = lane.shift()!;
				this.runs.delete(key);
				this.runs.set(key, run);
				this.inFlight++;
				run.inFlight++;
				group.inFlight++;
				group.waiting--;
				group.pace.sent(now);
				const permit = { call, sentAt: now };
				this.permits.add(permit);
				settle(permit);
				return true;
			}
		}
		return false;
	}

	/** Denies the calls of a group that the rate limit would keep waiting beyond their Rate Limit Wait. */
	private denyLate(group: Group, now: number): void {
		const sendsAt = Math.max(now, group.pace.earliest(now));
		// Infinity, or open: that depends on how the calls in flight turn out.
		if (sendsAt <= group.lateFrom || sendsAt === Infinity || group.pace.isOpen) return;
		group.lateFrom = Infinity;
		for (const [key, run] of this.runs) {
			const lane = run.lanes.get(group);
			if (lane === undefined) continue;
			sift(group, lane, (waiting) => {
				const from = Math.max(waiting.since, group.limitedSince ?? now);
				const lateAt = from + waiting.call.maxWaitMs;
				if (sendsAt > lateAt && !isNew(waiting, group)) {
					return { denied: 'tooLong', waitedMs: now - from, waitMs: sendsAt - now };
				}
				group.lateFrom = Math.min(group.lateFrom, lateAt);
				return undefined;
			});
			this.forgetIfDone(key, run);
		}
	}

	/** Wakes up when the next call may leave; calls that wait for others to end are sent when those do. */
	private wakeUp(now: number): void {
		let next = Infinity;
		for (const { pace, waiting } of this.groups.values()) {
			const sendsAt = pace.earliest(now);
			if (waiting > 0 && sendsAt > now) next = Math.min(next, sendsAt, now + SLICE_MS);
		}
		if (next < this.wakesAt) void this.sleepUntil(next, now);
	}

	private async sleepUntil(time: number, now: number): Promise<void> {
		this.wakesAt = time;
		// Timers are no finer than 1 ms, and shorter waits would become a busy loop.
		await this.clock.sleep(Math.max(1, time - now));
		if (this.wakesAt === time) this.wakesAt = Infinity;
		this.pump();
	}

	private groupOf(name: string): Group {
		const known = this.groups.get(name);
		if (known !== undefined) return known;
		const group: Group = {
			name,
			pace: this.createPace(),
			inFlight: 0,
			waiting: 0,
			rejectedAt: -Infinity,
			lateFrom: Infinity,
		};
		this.groups.set(name, group);
		return group;
	}

	private runOf({ run: key, signal }: Call): Run {
		const known = this.runs.get(key);
		if (known !== undefined) return known;
		const cancel = () => this.empty(key, { denied: 'cancelled' });
		signal?.addEventListener('abort', cancel);
		const close = () => signal?.removeEventListener('abort', cancel);
		const run: Run = { inFlight: 0, lanes: new Map(), close };
		this.runs.set(key, run);
		return run;
	}

	private forgetIfDone(key: object, run: Run): void {
		if (run.inFlight > 0) return;
		for (const { retries, first } of run.lanes.values()) {
			if (retries.length + first.length > 0) return;
		}
		run.close();
		this.runs.delete(key);
		this.idleSince = this.clock.now();
	}
}

/** Whether a call came after the last 429 of its group: the wait which that one asked for may no longer hold. */
function isNew({ since }: Waiting, { rejectedAt }: Group): boolean {
	return since > rejectedAt;
}

/**
 * Whether a call may go alone to find out if a limit still holds that was learned before it came and would keep it
 * waiting beyond its Rate Limit Wait: the limit may have been raised since.
 */
function isProbe(waiting: Waiting, group: Group, now: number): boolean {
	if (group.inFlight > 0 || !isNew(waiting, group)) return false;
	return group.pace.earliest(now) > waiting.since + waiting.call.maxWaitMs;
}

function laneOf(run: Run, group: Group): Lane {
	const known = run.lanes.get(group);
	if (known !== undefined) return known;
	const lane: Lane = { retries: [], first: [] };
	run.lanes.set(group, lane);
	return lane;
}

/** Takes out of a lane the calls that `denialOf` denies, and settles them. */
function sift(group: Group, lane: Lane, denialOf: (waiting: Waiting) => Denial | undefined): void {
	const keep = (waiting: Waiting): boolean => {
		const denial = denialOf(waiting);
		if (denial === undefined) return true;
		group.waiting--;
		waiting.settle(denial);
		return false;
	};
	lane.retries = lane.retries.filter(keep);
	lane.first = lane.first.filter(keep);
}

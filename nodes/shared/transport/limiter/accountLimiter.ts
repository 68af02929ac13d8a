import { sleep } from 'n8n-workflow';

import { SLICE_MS, monotonicMs } from '../../time';

import { Concurrency } from './concurrency';
import { Pace } from './pace';
import type { Call, Clock, Denial, Pacing, Permit, Verdict } from './types';

/** Keeps additional places for runs without a call in flight, so that one slow run doesn't stop others. */
const SPARE = 0.1;

const n8nClock: Clock = { now: monotonicMs, sleep: async (ms) => await sleep(ms) };

interface Waiting {
	call: Call;
	/** Notes when the call first asked for its turn. */
	since: number;
	settle: (result: Permit | Denial) => void;
}

/** Groups the calls that the service counts together. */
interface Group {
	pace: Pacing;
	/** Holds the waiting calls of each run; the run whose turn is next comes first. */
	queues: Map<object, Waiting[]>;
	/** Notes the first 429 since a call was accepted. */
	limitedSince?: number;
	/** Holds the time by which the next call must leave so that no waiting call exceeds its Rate Limit Wait. */
	lateFrom: number;
}

interface Run {
	open: number;
	inFlight: number;
	/** Ends listening to the run's signal. */
	close: () => void;
}

/**
 * Gives the calls of many node runs their turn at one account of the service. It allows as many at once as the service
 * can handle, each group at the pace the service allows. The runs take turns, so that a run of one call never waits
 * behind all the calls of a large one.
 */
export class AccountLimiter {
	private concurrency = new Concurrency();

	private inFlight = 0;

	/** Holds the groups; the one whose turn is next comes first. */
	private readonly groups = new Map<string, Group>();

	private readonly runs = new Map<object, Run>();

	/** Notes when each call first asked for its turn: its tries share one Rate Limit Wait. */
	private readonly askedAt = new WeakMap<Call, number>();

	/** Holds the runs that learned how many calls fit, and how fast. */
	private learners = new WeakSet();

	private wakesAt = Infinity;

	private idleSince: number;

	constructor(
		private readonly clock: Clock = n8nClock,
		private readonly createPace: () => Pacing = () => new Pace(),
	) {
		this.idleSince = clock.now();
	}

	/** Tells how long (ms) no call has waited or been in flight; 0 while one does. */
	get idleMs(): number {
		return this.runs.size > 0 ? 0 : this.clock.now() - this.idleSince;
	}

	/**
	 * Waits for the turn of a call. A retry comes after the other calls of its run, because its request may be the cause of
	 * the failure. Gives a denial instead of a permit as soon as the rate limit is known to hold the call up longer than
	 * its Rate Limit Wait. Never rejects.
	 */
	async acquire(call: Call): Promise<Permit | Denial> {
		if (call.signal?.aborted) return { denied: 'stopped' };
		// Limits that earlier runs learned, perhaps in a bad moment, are no burden to a run that comes when they have ended.
		if (this.runs.size === 0 && !this.learners.has(call.run)) {
			this.concurrency = new Concurrency();
			this.groups.clear();
			this.learners = new WeakSet();
		}
		this.learners.add(call.run);
		const since = this.askedAt.get(call) ?? this.clock.now();
		this.askedAt.set(call, since);
		return await new Promise<Permit | Denial>((settle) => {
			const group = this.groupOf(call.group);
			const queue = group.queues.get(call.run) ?? [];
			queue.push({ call, since, settle });
			group.queues.set(call.run, queue);
			group.lateFrom = Math.min(group.lateFrom, lateAt(group, { call, since }));
			this.runOf(call).open++;
			this.denyLate(group);
			this.pump();
		});
	}

	/** Takes a permit back, with what came of its call. */
	release({ call, sentAt }: Permit, verdict: Verdict): void {
		const now = this.clock.now();
		const group = this.groupOf(call.group);
		this.inFlight--;
		this.runOf(call).inFlight--;
		this.close(call.run, 1);
		if (verdict.kind === 'accepted') {
			group.limitedSince = undefined;
			group.pace.accepted(sentAt, now);
			this.concurrency.accepted();
		} else if (verdict.kind === 'limited') {
			group.limitedSince ??= now;
			group.pace.limited(sentAt, now, verdict.waitMs);
			this.denyLate(group);
		} else if (verdict.kind === 'overloaded') {
			this.concurrency.overloaded(sentAt, now);
		}
		this.pump();
	}

	/** Denies all waiting calls of a run; those in flight go on. */
	private drop(run: object): void {
		for (const group of this.groups.values()) {
			this.sift(group, run, () => ({ denied: 'stopped' }));
		}
	}

	/** Sends the calls that may leave now, and wakes up when more may. */
	private pump(): void {
		const now = this.clock.now();
		while (this.sendNext(now));
		let wakesAt = Infinity;
		for (const group of this.groups.values()) {
			const leavesAt = group.pace.earliest(now);
			if (group.queues.size > 0 && leavesAt > now) wakesAt = Math.min(wakesAt, leavesAt);
		}
		// Calls that wait for others to end are sent when those do.
		if (wakesAt < Infinity) void this.wakeUp(Math.min(wakesAt, now + SLICE_MS), now);
	}

	private sendNext(now: number): boolean {
		const { limit } = this.concurrency;
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

	/** Denies the calls of a group that its 429s would keep waiting beyond their Rate Limit Wait. */
	private denyLate(group: Group): void {
		const now = this.clock.now();
		const leavesAt = Math.max(now, group.pace.earliest(now));
		if (group.limitedSince === undefined || leavesAt <= group.lateFrom) return;
		group.lateFrom = Infinity;
		for (const run of [...group.queues.keys()]) {
			this.sift(group, run, (waiting) => {
				const late = lateAt(group, waiting);
				if (leavesAt > late) {
					const waitedMs = now - (late - waiting.call.maxWaitMs);
					return { denied: 'tooLong', waitedMs, waitMs: leavesAt - now };
				}
				group.lateFrom = Math.min(group.lateFrom, late);
				return undefined;
			});
		}
	}

	/** Takes the calls that `denialOf` denies out of a run's queue. */
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
		// Timers are no finer than 1 ms, and shorter waits would become a busy loop.
		await this.clock.sleep(Math.max(1, time - now));
		if (this.wakesAt === time) this.wakesAt = Infinity;
		this.pump();
	}

	private groupOf(name: string): Group {
		const known = this.groups.get(name);
		if (known !== undefined) return known;
		const group: Group = { pace: this.createPace(), queues: new Map(), lateFrom: Infinity };
		this.groups.set(name, group);
		return group;
	}

	private runOf({ run: key, signal }: Call): Run {
		const known = this.runs.get(key);
		if (known !== undefined) return known;
		const cancel = () => this.drop(key);
		signal?.addEventListener('abort', cancel);
		const close = () => signal?.removeEventListener('abort', cancel);
		const run: Run = { open: 0, inFlight: 0, close };
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

/** Gives the latest time for a call: its Rate Limit Wait begins with the first 429 since an accepted call. */
function lateAt(
	{ limitedSince = -Infinity }: Group,
	{ call, since }: Omit<Waiting, 'settle'>,
): number {
	return Math.max(since, limitedSince) + call.maxWaitMs;
}

import { sleep } from 'n8n-workflow';

import { Pace } from './pace';

/** How many requests may be in flight: start few, one more per good answer (doubles per round trip), halve on 429. */
export const CONCURRENCY = { start: 5, max: 50 };

// No wait is longer than this at a stretch, so that nothing outlives a cancelled execution for long.
const SLICE_MS = 250;

/** The right to send one request; give it back with release(). */
export interface Permit {
	sentAt: number;
}

/** What came of a request, as far as the limiter cares. */
export type Verdict =
	| { kind: 'accepted' }
	| { kind: 'failed' }
	| { kind: 'overloaded' }
	/** A 429: nobody sends for `waitMs`. */
	| { kind: 'limited'; waitMs: number; isRounded: boolean };

interface Waiter {
	/** Whose it is, for drop(). */
	owner: unknown;
	admit: (permit: Permit) => void;
	refuse: () => void;
}

/** Hands out permits to send: as many at a time as the service copes with, and at the pace it allows. */
export class Limiter {
	readonly pace = new Pace();

	private limit = CONCURRENCY.start;

	private max = CONCURRENCY.max;

	private inFlight = 0;

	private cutAt = 0;

	private isTicking = false;

	private queue: Waiter[] = [];

	constructor(private readonly signal?: AbortSignal) {}

	/**
	 * Waits for a permit. Calls that were refused before go `ahead` of those that haven't been sent. Rejects
	 * with undefined when the execution is cancelled or the owner's calls are dropped.
	 */
	async acquire(owner: unknown, max: number, ahead: boolean): Promise<Permit> {
		this.max = Math.max(1, max);
		return await new Promise<Permit>((admit, refuse) => {
			const waiter: Waiter = { owner, admit, refuse };
			if (ahead) this.queue.unshift(waiter);
			else this.queue.push(waiter);
			this.pump();
		});
	}

	release(permit: Permit, verdict: Verdict): void {
		this.inFlight--;
		const now = Date.now();
		if (verdict.kind === 'accepted') {
			this.pace.accepted(permit.sentAt);
			if (this.inFlight + 1 >= this.limit) this.limit = Math.min(this.limit + 1, this.max);
		}
		if (verdict.kind === 'limited') {
			this.pace.limited(permit.sentAt, now, verdict.waitMs, verdict.isRounded);
		}
		// Answers to what was sent before the last cut say nothing about how it worked.
		const isNews = permit.sentAt >= this.cutAt;
		if ((verdict.kind === 'limited' || verdict.kind === 'overloaded') && isNews) {
			this.limit = Math.max(1, Math.floor(this.limit / 2));
			this.cutAt = now;
		}
		this.pump();
	}

	/** Refuses the waiting calls of an owner. */
	drop(owner: unknown): void {
		const dropped = this.queue.filter((waiter) => waiter.owner === owner);
		this.queue = this.queue.filter((waiter) => waiter.owner !== owner);
		for (const waiter of dropped) waiter.refuse();
	}

	private pump(): void {
		if (this.signal?.aborted) {
			for (const waiter of this.queue.splice(0)) waiter.refuse();
			return;
		}
		while (this.queue.length > 0 && this.inFlight < Math.min(this.limit, this.max)) {
			const now = Date.now();
			if (this.pace.earliest() > now) {
				if (!this.isTicking) void this.tick();
				return;
			}
			this.inFlight++;
			this.pace.sent(now);
			this.queue.shift()?.admit({ sentAt: now });
		}
	}

	private async tick(): Promise<void> {
		this.isTicking = true;
		while (this.queue.length > 0 && !this.signal?.aborted) {
			const waitMs = this.pace.earliest() - Date.now();
			if (waitMs <= 0) break;
			await sleep(Math.min(waitMs, SLICE_MS));
		}
		this.isTicking = false;
		this.pump();
	}
}

const limiters = new WeakMap<AbortSignal, Map<string, Limiter>>();

/** The limiter shared by all items of a node in an execution, which n8n marks with one cancel signal. */
export function limiterOf(signal: AbortSignal | undefined, nodeName: string): Limiter {
	if (signal === undefined) return new Limiter();
	const ofExecution = limiters.get(signal) ?? new Map<string, Limiter>();
	limiters.set(signal, ofExecution);
	const limiter = ofExecution.get(nodeName) ?? new Limiter(signal);
	ofExecution.set(nodeName, limiter);
	return limiter;
}

/** Waits; ends early when the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	const end = Date.now() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = end - Date.now()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}

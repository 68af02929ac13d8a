import { onAbort } from '../base/onAbort';
import { monotonicMs } from '../base/time';

/**
 * Aborts a request once its time is up. Time that the response spends waiting for room in n8n doesn't count, since that
 * isn't the service's fault.
 */
export class Deadline {
	private readonly over = new AbortController();

	private endsAt: number;

	private pausedAt?: number;

	private timer?: AbortSignal;

	private forget: () => void = () => {};

	/** Aborted once the time is up or the execution is cancelled. */
	readonly signal: AbortSignal;

	/**
	 * `graceMs` is how long the request may continue after a cancellation. All times must be whole numbers of ms,
	 * because Node's timers throw for fractions.
	 */
	constructor(ms: number, cancelled?: AbortSignal, graceMs = 0) {
		this.endsAt = monotonicMs() + ms;
		const isAtOnce = cancelled !== undefined && graceMs === 0;
		this.signal = isAtOnce ? AbortSignal.any([cancelled, this.over.signal]) : this.over.signal;
		if (cancelled && graceMs > 0) {
			this.forget = onAbort(cancelled, () => {
				this.endsAt = Math.min(this.endsAt, monotonicMs() + graceMs);
				this.check();
			});
		}
		this.look(ms);
	}

	get isOver(): boolean {
		return this.over.signal.aborted;
	}

	pause(): void {
		this.pausedAt = monotonicMs();
	}

	resume(): void {
		if (this.pausedAt !== undefined) this.endsAt += monotonicMs() - this.pausedAt;
		this.pausedAt = undefined;
		this.check();
	}

	/** Stops the clock for good. */
	end(): void {
		this.timer?.removeEventListener('abort', this.check);
		this.forget();
	}

	private look(inMs: number): void {
		this.timer = AbortSignal.timeout(inMs);
		this.timer.addEventListener('abort', this.check);
	}

	private readonly check = (): void => {
		this.timer?.removeEventListener('abort', this.check);
		if (this.pausedAt !== undefined) return;
		const left = this.endsAt - monotonicMs();
		if (left > 0) this.look(left);
		else this.over.abort();
	};
}

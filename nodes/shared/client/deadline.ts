import { onAbort } from '../base/onAbort';
import { monotonicMs } from '../base/time';

/** Interval (ms) between checks of whether a paused deadline has resumed. */
const RESUME_CHECK_MS = 1_000;

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
	constructor(
		ms: number,
		cancelled?: AbortSignal,
		private readonly graceMs = 0,
	) {
		this.endsAt = monotonicMs() + ms;
		const isAtOnce = cancelled !== undefined && graceMs === 0;
		this.signal = isAtOnce ? AbortSignal.any([cancelled, this.over.signal]) : this.over.signal;
		if (graceMs > 0 && cancelled) this.forget = onAbort(cancelled, () => this.shorten());
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
	}

	/** Stops the clock for good. */
	end(): void {
		this.timer?.removeEventListener('abort', this.check);
		this.forget();
	}

	private shorten(): void {
		this.timer?.removeEventListener('abort', this.check);
		this.endsAt = Math.min(this.endsAt, monotonicMs() + this.graceMs);
		this.check();
	}

	private look(inMs: number): void {
		this.timer = AbortSignal.timeout(inMs);
		this.timer.addEventListener('abort', this.check);
	}

	private readonly check = (): void => {
		const left = this.endsAt - monotonicMs();
		if (this.pausedAt !== undefined) this.look(RESUME_CHECK_MS);
		else if (left > 0) this.look(left);
		else this.over.abort();
	};
}

import type { IDataObject } from 'n8n-workflow';

import {
	LARGE_BODY_BYTES,
	MAX_LARGE_BODIES,
	MAX_LARGE_OF_ACCOUNT,
	MAX_SMALL_BYTES,
} from '../base/limits';
import { onAbort, monotonicMs, wait } from '../base/time';

/**
 * Aborts a request once its time is up. Time that the response spends waiting for room in n8n doesn't count, since that
 * isn't the service's fault.
 */
export class Deadline {
	private readonly over = new AbortController();

	private endsAt: number;

	private pausedAt?: number;

	private timer?: AbortSignal;

	/** Removes the listener from the execution's signal. */
	private forget?: () => void;

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
		this.forget?.();
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

/** Number of bytes kept of an unreadable response. */
const EXCERPT_BYTES = 1_000;

/** A response body as Node provides it, described without Node's types. */
export type Body = AsyncIterable<Buffer> & { destroy: () => void };

/** The text of a body, or only its beginning if there is a problem. */
export interface BodyText {
	text: string;
	problem?: 'cut' | 'tooLarge';
}

/** A response counts as stalled if it delivers fewer bytes than this within this time (ms). */
const LEAST_PROGRESS_BYTES = 64 * 1024;
const STALLED_MS = 20_000;

/** Interval (ms) between checks for stalled responses while another waits. */
const STALL_CHECK_MS = 1_000;

interface Reader {
	/** Stands for the base URL and API key that the response belongs to. */
	readonly account: object;
	bytes: number;
	/** The bytes read and the time (ms) when it last made progress. */
	progress: { bytes: number; at: number };
	stop(): void;
}

/**
 * Bounds the memory of all responses being read. Large ones need one of a few places, and the others wait; so do small
 * ones while too many of them are there. One account never has all places, so that a slow service leaves one to others.
 */
export class ReadingRoom {
	private readonly placed = new Set<Reader>();

	/** Those that wait for a place, oldest first. */
	private readonly waiting = new Set<Reader>();

	/** Bytes of the responses without a place. */
	private bytes = 0;

	private onLeave: Array<() => void> = [];

	constructor(private readonly stalledMs: number = STALLED_MS) {}

	/**
	 * Counts bytes that a response has delivered, and waits until it may deliver more. Throws if its deadline is over.
	 */
	async enter(reader: Reader, bytes: number, deadline: Deadline): Promise<void> {
		reader.bytes += bytes;
		if (reader.bytes - reader.progress.bytes >= LEAST_PROGRESS_BYTES) {
			reader.progress = { bytes: reader.bytes, at: monotonicMs() };
		}
		if (this.placed.has(reader)) return;
		this.bytes += bytes;
		if (reader.bytes > LARGE_BODY_BYTES || this.bytes > MAX_SMALL_BYTES) {
			await this.place(reader, deadline);
		}
	}

	leave(reader: Reader): void {
		if (!this.placed.delete(reader)) this.bytes -= reader.bytes;
		else for (const proceed of this.onLeave.splice(0)) proceed();
	}

	/** Waits for a place, abandoning stalled responses that hold it up. The deadline is paused meanwhile. */
	private async place(reader: Reader, deadline: Deadline): Promise<void> {
		this.waiting.add(reader);
		deadline.pause();
		try {
			// The oldest one for which there is a place has its turn.
			while ([...this.waiting].find(({ account }) => this.hasPlace(account)) !== reader) {
				this.stopStalled(reader.account);
				const left = new Promise<void>((resolve) => this.onLeave.push(resolve));
				await Promise.race([left, wait(STALL_CHECK_MS, deadline.signal)]);
				deadline.signal.throwIfAborted();
			}
			this.placed.add(reader);
			this.bytes -= reader.bytes;
			reader.progress.at = monotonicMs();
		} finally {
			this.waiting.delete(reader);
			deadline.resume();
		}
	}

	private hasPlace(account: object): boolean {
		return this.placed.size < MAX_LARGE_BODIES && !this.hasItsShare(account);
	}

	private hasItsShare(account: object): boolean {
		const own = [...this.placed].filter((reader) => reader.account === account);
		return own.length >= MAX_LARGE_OF_ACCOUNT;
	}

	private stopStalled(account: object): void {
		if (this.hasPlace(account)) return;
		const isOwn = this.hasItsShare(account);
		for (const reader of this.placed) {
			const isInTheWay = !isOwn || reader.account === account;
			if (isInTheWay && reader.progress.at <= monotonicMs() - this.stalledMs) reader.stop();
		}
	}
}

const room = new ReadingRoom();

/** The body to read, its account, and the limits on reading it. */
export interface Reading {
	body: Body;
	headers: IDataObject;
	account: object;
	maxBytes: number;
	/** Maximum time to read it, in ms. */
	maxMs?: number;
	deadline: Deadline;
}

/**
 * Reads a body and passes its text to `use`; a large one keeps its place until `use` has ended. Throws what `use`
 * throws.
 */
export async function readBody<T>(
	reading: Reading,
	use: (read: BodyText) => T | Promise<T>,
): Promise<T> {
	const { body, account, maxMs } = reading;
	const stop = () => body.destroy();
	const reader = { account, bytes: 0, progress: { bytes: 0, at: 0 }, stop };
	const late = maxMs === undefined ? undefined : AbortSignal.timeout(maxMs);
	late?.addEventListener('abort', stop);
	try {
		return await use(await bodyTextOf(reading, reader));
	} finally {
		late?.removeEventListener('abort', stop);
		room.leave(reader);
	}
}

async function bodyTextOf(
	{ body, headers, maxBytes, deadline }: Reading,
	reader: Reader,
): Promise<BodyText> {
	const chunks: Buffer[] = [];
	const isTooLarge = Number(headers['content-length'] ?? 0) > maxBytes;
	let problem: BodyText['problem'] = isTooLarge ? 'tooLarge' : undefined;
	try {
		for await (const chunk of isTooLarge ? [] : body) {
			chunks.push(chunk);
			if (reader.bytes + chunk.length > maxBytes) problem = 'tooLarge';
			if (problem) break;
			await room.enter(reader, chunk.length, deadline);
		}
	} catch {
		problem ??= 'cut';
	}
	// Releases the chunks; otherwise they would be kept in memory while the text is created.
	if (problem === undefined) return { text: Buffer.concat(chunks.splice(0)).toString('utf8') };
	body.destroy();
	return { text: Buffer.concat(chunks.slice(0, 1)).toString('utf8', 0, EXCERPT_BYTES), problem };
}

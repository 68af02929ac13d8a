import type { IDataObject } from 'n8n-workflow';

import { monotonicMs, wait } from '../time';
import type { Deadline } from './deadline';

const MB = 1024 * 1024;

/** Limits a response, in bytes after decompression: the service sends at most 10 MB of pages at a time. */
export const MAX_BODY_BYTES = 64 * MB;

export const MAX_ERROR_BYTES = MB;

/** Limits the time (ms) to read an error in. */
export const MAX_ERROR_MS = 10_000;

const MAX_BYTES_IN_FLIGHT = 256 * MB;

/** Limits the part that is kept of a response that could not be read, in bytes. */
const EXCERPT_BYTES = 1_000;

/** Describes a response body as Node gives it, without naming Node's types here. */
export type Body = AsyncIterable<Buffer> & { destroy: () => void };

/** Holds the text of a body; if there is a problem, only its beginning. */
export interface BodyText {
	text: string;
	problem?: 'cut' | 'tooLarge';
}

/** Takes a response for stalled that brought less than this (bytes) in this time (ms). */
const LEAST_PROGRESS_BYTES = 64 * 1024;
const STALLED_MS = 20_000;

/** Looks for stalled responses so often (ms) while one waits for room. */
const LOOK_MS = 1_000;

/** Holds a response that is being read. */
interface Reader {
	/** Stands for the base URL and key that it came with. */
	account: object;
	/** Counts the bytes that are held. */
	bytes: number;
	/** Remembers how many bytes there were (`bytes`) when it last made progress (`at`, ms). */
	progress: { bytes: number; at: number };
	isWaiting: boolean;
	/** Gives the response up. */
	stop(): void;
}

/**
 * Limits the memory of all responses that are being read. Each account has a share of it, so that a slow service holds up
 * its own users only: half of the room for one account, a third for each of two, and so on.
 */
export class ReadingRoom {
	/** Lists the readers of each account, in the order they began. */
	private readonly accounts = new Map<object, Set<Reader>>();

	private onChange: Array<() => void> = [];

	constructor(
		private readonly maxBytes: number,
		private readonly stalledMs: number = STALLED_MS,
	) {}

	begin(account: object, stop: () => void): Reader {
		const progress = { bytes: 0, at: monotonicMs() };
		const reader = { account, bytes: 0, progress, isWaiting: false, stop };
		const readers = this.accounts.get(account) ?? new Set();
		this.accounts.set(account, readers.add(reader));
		return reader;
	}

	/**
	 * Waits until a reader may hold so many bytes more, and meanwhile gives up the stalled ones of its account. The first
	 * reader of an account never waits, so that one always gets to its end. `deadline` stands still while it waits. Throws
	 * if the deadline's signal is aborted.
	 */
	async enter(reader: Reader, bytes: number, deadline: Deadline): Promise<void> {
		if (!this.hasRoom(reader, bytes)) {
			reader.isWaiting = true;
			deadline.pause();
			while (!this.hasRoom(reader, bytes)) {
				const changed = new Promise<void>((resolve) => this.onChange.push(resolve));
				await Promise.race([changed, wait(LOOK_MS, deadline.signal)]);
				deadline.signal.throwIfAborted();
				this.stopStalled(reader.account);
			}
			deadline.resume();
			reader.isWaiting = false;
			reader.progress.at = monotonicMs();
		}
		reader.bytes += bytes;
		if (reader.bytes - reader.progress.bytes >= LEAST_PROGRESS_BYTES) {
			reader.progress = { bytes: reader.bytes, at: monotonicMs() };
		}
	}

	/** Frees all of a reader's bytes. */
	leave(reader: Reader): void {
		const readers = this.accounts.get(reader.account)!;
		readers.delete(reader);
		if (readers.size === 0) this.accounts.delete(reader.account);
		for (const proceed of this.onChange.splice(0)) proceed();
	}

	private hasRoom(reader: Reader, bytes: number): boolean {
		const readers = [...this.accounts.get(reader.account)!];
		const used = readers.reduce((sum, one) => sum + one.bytes, 0);
		const share = this.maxBytes / (this.accounts.size + 1);
		return readers[0] === reader || used + bytes <= share;
	}

	private stopStalled(account: object): void {
		const since = monotonicMs() - this.stalledMs;
		for (const reader of this.accounts.get(account)!) {
			if (!reader.isWaiting && reader.progress.at <= since) reader.stop();
		}
	}
}

const room = new ReadingRoom(MAX_BYTES_IN_FLIGHT);

/** Says which body to read, whose it is, how much of it, and for how long. */
export interface Reading {
	body: Body;
	headers: IDataObject;
	account: object;
	maxBytes: number;
	/** Limits the reading, in ms. */
	maxMs?: number;
	deadline: Deadline;
}

/** Reads a body and gives its text to `use` while its bytes count as held. Throws whatever `use` throws. */
export async function readBody<T>(reading: Reading, use: (read: BodyText) => T): Promise<T> {
	const stop = () => reading.body.destroy();
	const reader = room.begin(reading.account, stop);
	const late = reading.maxMs === undefined ? undefined : AbortSignal.timeout(reading.maxMs);
	late?.addEventListener('abort', stop);
	try {
		return use(await bodyTextOf(reading, reader));
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
	let size = 0;
	let problem: BodyText['problem'];
	try {
		if (Number(headers['content-length'] ?? 0) > maxBytes) problem = 'tooLarge';
		else {
			for await (const chunk of body) {
				size += chunk.length;
				if (size > maxBytes) {
					problem = 'tooLarge';
					chunks.push(chunk);
					break;
				}
				await room.enter(reader, chunk.length, deadline);
				chunks.push(chunk);
			}
		}
	} catch {
		problem = 'cut';
	}
	if (problem === undefined) return { text: joined(chunks) };
	body.destroy();
	return { text: Buffer.concat(chunks.slice(0, 1)).toString('utf8', 0, EXCERPT_BYTES), problem };
}

function joined(chunks: Buffer[]): string {
	const whole = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
	// The pieces are garbage from here on; otherwise they'd be held while the text is made.
	chunks.length = 0;
	return whole.toString('utf8');
}

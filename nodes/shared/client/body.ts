import type { IDataObject } from 'n8n-workflow';

import { monotonicMs, wait } from '../base/time';
import type { Deadline } from './deadline';

const MB = 1024 * 1024;

/** Limits a response, in bytes after decompression: the service sends at most 10 MB of pages at a time. */
export const MAX_BODY_BYTES = 64 * MB;

export const MAX_ERROR_BYTES = MB;

/** Limits the time (ms) to read an error in. */
export const MAX_ERROR_MS = 10_000;

/** Most bytes of all responses that are being read in this n8n process, apart from the one that began first. */
const MAX_BYTES_IN_FLIGHT = 256 * MB;

/** Share of the room that is kept for accounts that hold little, and how much of the room that is at most. */
const RESERVE = 1 / 4;
const LITTLE = 1 / 256;

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

/** A response that is being read. */
interface Reader {
	readonly account: Account;
	/** Bytes that are held. */
	bytes: number;
	/** How many bytes there were when it last made progress (`at`, ms). */
	progress: { bytes: number; at: number };
	isWaiting: boolean;
	/** Gives the response up. */
	stop(): void;
}

/** What a base URL and key are reading. */
interface Account {
	/** In the order they began. */
	readonly readers: Set<Reader>;
	bytes: number;
}

/**
 * Bounds the memory of all responses that are being read. Each account has a share of it, so that a slow service holds up
 * its own users only: half of the room for one account, a third for each of two, and so on. All together hold no more than
 * the room, of which a part is kept for accounts that hold little: they get through however full it is. The one response
 * that began first never waits, so that one always gets to its end.
 */
export class ReadingRoom {
	private readonly accounts = new Map<object, Account>();

	/** In the order they began. */
	private readonly readers = new Set<Reader>();

	private bytes = 0;

	private lookedAt = -Infinity;

	private onChange: Array<() => void> = [];

	constructor(
		private readonly maxBytes: number,
		private readonly stalledMs: number = STALLED_MS,
	) {}

	/** Returns a new reader; `key` stands for the base URL and key that its response came with. */
	begin(key: object, stop: () => void): Reader {
		const progress = { bytes: 0, at: monotonicMs() };
		const account = this.accounts.get(key) ?? { readers: new Set(), bytes: 0 };
		const reader = { account, bytes: 0, progress, isWaiting: false, stop };
		this.accounts.set(key, account);
		account.readers.add(reader);
		this.readers.add(reader);
		return reader;
	}

	/**
	 * Waits until a reader may hold so many bytes more, and meanwhile gives up the stalled ones that hold others up.
	 * `deadline` stands still while it waits. Throws if the deadline's signal is aborted.
	 */
	async enter(reader: Reader, bytes: number, deadline: Deadline): Promise<void> {
		if (!this.hasRoom(reader, bytes)) {
			reader.isWaiting = true;
			deadline.pause();
			while (!this.hasRoom(reader, bytes)) {
				const changed = new Promise<void>((resolve) => this.onChange.push(resolve));
				await Promise.race([changed, wait(LOOK_MS, deadline.signal)]);
				deadline.signal.throwIfAborted();
				this.stopStalled();
			}
			deadline.resume();
			reader.isWaiting = false;
			reader.progress.at = monotonicMs();
		}
		reader.bytes += bytes;
		reader.account.bytes += bytes;
		this.bytes += bytes;
		if (reader.bytes - reader.progress.bytes >= LEAST_PROGRESS_BYTES) {
			reader.progress = { bytes: reader.bytes, at: monotonicMs() };
		}
	}

	/** Frees all of a reader's bytes. */
	leave(key: object, reader: Reader): void {
		const { account } = reader;
		this.readers.delete(reader);
		account.readers.delete(reader);
		account.bytes -= reader.bytes;
		this.bytes -= reader.bytes;
		if (account.readers.size === 0) this.accounts.delete(key);
		for (const proceed of this.onChange.splice(0)) proceed();
	}

	private hasRoom(reader: Reader, bytes: number): boolean {
		const [first] = this.readers;
		if (first === reader) return true;
		const own = reader.account.bytes + bytes;
		const kept = own <= LITTLE * this.maxBytes ? 0 : RESERVE * this.maxBytes;
		const share = this.maxBytes / (this.accounts.size + 1);
		return own <= share && this.bytes - first.bytes + bytes <= this.maxBytes - kept;
	}

	/**
	 * Gives up the stalled readers of each account that waits. If one waits for more than its own readers, also the first of
	 * all and those that hold much.
	 */
	private stopStalled(): void {
		const now = monotonicMs();
		if (now < this.lookedAt + LOOK_MS) return;
		this.lookedAt = now;
		const waiting = [...this.readers].filter(({ isWaiting }) => isWaiting);
		const accounts = new Set(waiting.map(({ account }) => account));
		const areHeldUp = [...accounts].some(({ readers: [first] }) => first.isWaiting);
		const [first] = this.readers;
		for (const one of this.readers) {
			const holdsMuch = one === first || one.bytes > LITTLE * this.maxBytes;
			const isInTheWay = accounts.has(one.account) || (areHeldUp && holdsMuch);
			const isStalled = !one.isWaiting && one.progress.at <= now - this.stalledMs;
			if (isInTheWay && isStalled) one.stop();
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
		room.leave(reading.account, reader);
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

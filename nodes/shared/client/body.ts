import type { IDataObject } from 'n8n-workflow';

import { monotonicMs, wait } from '../base/time';
import type { Deadline } from './deadline';
import { MAX_BYTES_IN_FLIGHT } from '../base/limits';

/** Share of the memory reserved for accounts that use little of it, and the largest share that counts as little. */
const RESERVE = 1 / 4;
const LITTLE = 1 / 256;

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

/** Interval (ms) between checks for stalled responses while another waits for room. */
const STALL_CHECK_MS = 1_000;

/** A response that is being read. */
interface Reader {
	readonly account: AccountRead;
	/** Bytes held. */
	bytes: number;
	/** The bytes read and the time (ms) when it last made progress. */
	progress: { bytes: number; at: number };
	isWaiting: boolean;
	/** Abandons the response. */
	stop(): void;
}

/** The responses being read with one base URL and key. */
interface AccountRead {
	/** Oldest first. */
	readonly readers: Set<Reader>;
	bytes: number;
}

/**
 * Bounds the memory of all responses being read. Each account gets a share, so that a slow service only holds up its
 * own users: half of the room if there is one account, a third each if there are two, and so on. Together, they never
 * exceed the room. Part of it is reserved for accounts that use little, so they get through however full it is. The
 * oldest response never waits, so at least one always finishes.
 */
export class ReadingRoom {
	private readonly accounts = new Map<object, AccountRead>();

	/** Oldest first. */
	private readonly readers = new Set<Reader>();

	private bytes = 0;

	private lookedAt = -Infinity;

	private onChange: Array<() => void> = [];

	constructor(
		private readonly maxBytes: number,
		private readonly stalledMs: number = STALLED_MS,
	) {}

	/** Returns a new reader; `key` identifies the account (base URL and API key) that the response belongs to. */
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
	 * Waits until a reader may use this many more bytes, abandoning stalled responses that hold up others. `deadline` is
	 * paused meanwhile. Throws if the deadline's signal is aborted.
	 */
	async enter(reader: Reader, bytes: number, deadline: Deadline): Promise<void> {
		if (!this.hasRoom(reader, bytes)) {
			reader.isWaiting = true;
			deadline.pause();
			while (!this.hasRoom(reader, bytes)) {
				const changed = new Promise<void>((resolve) => this.onChange.push(resolve));
				await Promise.race([changed, wait(STALL_CHECK_MS, deadline.signal)]);
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

	/** Releases all bytes of a reader. */
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
	 * Abandons the stalled responses of every waiting account. If an account is held up by others, also abandons the
	 * oldest response of all and those that use much of the room, if they are stalled.
	 */
	private stopStalled(): void {
		const now = monotonicMs();
		if (now < this.lookedAt + STALL_CHECK_MS) return;
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
 * Reads a body and passes its text to `use`, counting its bytes as held until `use` has ended. Throws whatever `use`
 * throws.
 */
export async function readBody<T>(
	reading: Reading,
	use: (read: BodyText) => T | Promise<T>,
): Promise<T> {
	const stop = () => reading.body.destroy();
	const reader = room.begin(reading.account, stop);
	const late = reading.maxMs === undefined ? undefined : AbortSignal.timeout(reading.maxMs);
	late?.addEventListener('abort', stop);
	try {
		return await use(await bodyTextOf(reading, reader));
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
	// Releases the chunks; otherwise they would be kept in memory while the text is created.
	chunks.length = 0;
	return whole.toString('utf8');
}

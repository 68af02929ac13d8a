import type { IDataObject } from 'n8n-workflow';

const MB = 1024 * 1024;

/** Limits a response, in bytes after decompression: the service sends at most 10 MB of pages at a time. */
export const MAX_BODY_BYTES = 64 * MB;

export const MAX_ERROR_BYTES = MB;

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

/** Limits the memory of all responses that are being read. */
export class ReadingRoom {
	private used = 0;

	/** Lists the readers in the order they began, with the bytes each holds. */
	private readonly readers = new Map<object, number>();

	private waiting: Array<() => void> = [];

	constructor(private readonly maxBytes: number) {}

	/**
	 * Waits until a reader may hold so many bytes more. The first reader never waits, so that one always gets to its end.
	 * Throws if the signal is aborted.
	 */
	async enter(reader: object, bytes: number, signal?: AbortSignal): Promise<void> {
		if (!this.readers.has(reader)) this.readers.set(reader, 0);
		while (this.used + bytes > this.maxBytes && this.readers.keys().next().value !== reader) {
			signal?.throwIfAborted();
			await new Promise<void>((resolve) => {
				const goOn = () => {
					signal?.removeEventListener('abort', goOn);
					resolve();
				};
				this.waiting.push(goOn);
				signal?.addEventListener('abort', goOn);
			});
		}
		this.used += bytes;
		this.readers.set(reader, this.readers.get(reader)! + bytes);
	}

	/** Frees all of a reader's bytes. */
	leave(reader: object): void {
		this.used -= this.readers.get(reader) ?? 0;
		this.readers.delete(reader);
		for (const proceed of this.waiting.splice(0)) proceed();
	}
}

const room = new ReadingRoom(MAX_BYTES_IN_FLIGHT);

/** Says which body to read, how much of it, and for how long. */
export interface Reading {
	body: Body;
	headers: IDataObject;
	maxBytes: number;
	/** Ends the reading, even while it waits for room. */
	signal?: AbortSignal;
}

/** Reads a body and gives its text to `use` while its bytes count as held. Throws whatever `use` throws. */
export async function readBody<T>(reading: Reading, use: (read: BodyText) => T): Promise<T> {
	const reader = {};
	try {
		return use(await bodyTextOf(reading, reader));
	} finally {
		room.leave(reader);
	}
}

async function bodyTextOf(
	{ body, headers, maxBytes, signal }: Reading,
	reader: object,
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
				await room.enter(reader, chunk.length, signal);
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

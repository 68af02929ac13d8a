import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { ReadingRoom, readBody } from '../../../nodes/shared/transport/body';

describe('the bytes of all responses together', () => {
	it('wait for room; who began first never waits', async () => {
		const room = new ReadingRoom(100);
		const [first, second, third] = [{}, {}, {}];
		const log: string[] = [];
		const enter = async (name: string, reader: object, bytes: number) => {
			await room.enter(reader, bytes);
			log.push(name);
		};
		await enter('first 60', first, 60);
		await enter('second 40', second, 40);
		const waiting = [enter('second 1', second, 1), enter('third 1', third, 1)];
		await enter('first 500', first, 500);
		expect(log).toEqual(['first 60', 'second 40', 'first 500']);
		room.leave(first);
		await Promise.all(waiting);
		expect(log.slice(3)).toEqual(['second 1', 'third 1']);
	});

	it('make room again when a reader leaves, also one that never came in', async () => {
		const room = new ReadingRoom(10);
		const [first, second] = [{}, {}];
		await room.enter(first, 10);
		room.leave({});
		room.leave(first);
		const third = {};
		await room.enter(second, 5);
		await room.enter(third, 5);
		let isIn = false;
		void room.enter(third, 1).then(() => (isIn = true));
		await new Promise((done) => setImmediate(done));
		expect(isIn).toBe(false);
	});

	it('are given back when the response has been used, or could not be', async () => {
		const reading = () => ({
			body: Readable.from([Buffer.alloc(10, 'x')]) as never,
			headers: {},
			maxBytes: 100,
		});
		const read = jest.spyOn(ReadingRoom.prototype, 'leave');
		expect(await readBody(reading(), ({ text }) => text.length)).toBe(10);
		await expect(
			readBody(reading(), () => {
				throw new Error('odd');
			}),
		).rejects.toThrow('odd');
		expect(read).toHaveBeenCalledTimes(2);
		read.mockRestore();
	});

	it('are not waited for any longer than the request may take', async () => {
		const room = new ReadingRoom(10);
		await room.enter({}, 10);
		const { signal } = new AbortController();
		const [late, patient] = [new AbortController(), {}];
		const given = [room.enter({}, 1, late.signal), room.enter(patient, 1, signal)];
		late.abort(new Error('late'));
		await expect(given[0]).rejects.toThrow('late');
		await expect(room.enter({}, 1, late.signal)).rejects.toThrow('late');
		let isIn = false;
		void given[1].then(() => (isIn = true));
		await new Promise((done) => setImmediate(done));
		expect(isIn).toBe(false);
	});

	it('leave nothing at the signal once there was room', async () => {
		const room = new ReadingRoom(10);
		const first = {};
		await room.enter(first, 10);
		const { signal } = new AbortController();
		const entered = room.enter({}, 1, signal);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		room.leave(first);
		await entered;
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('are 256 MB at most, but for those of the one that began first', async () => {
		const chunk = Buffer.alloc(60 * 1024 * 1024);
		const ends: Array<() => void> = [];
		const held = Array<number>(6).fill(0);
		const read = async (n: number) => {
			async function* chunks() {
				yield chunk;
				held[n] = chunk.length;
				await new Promise<void>((end) => ends.push(end));
				throw new Error('cut');
			}
			const body = Object.assign(chunks(), { destroy: () => {} });
			return await readBody(
				{ body, headers: {}, maxBytes: chunk.length },
				({ problem }) => problem,
			);
		};
		const reads = held.map(async (_, n) => await read(n));
		await new Promise((done) => setTimeout(done, 50));
		expect(held.filter((bytes) => bytes > 0)).toHaveLength(4);
		const timer = setInterval(() => ends.splice(0).forEach((end) => end()), 5);
		expect(await Promise.all(reads)).toEqual(Array(6).fill('cut'));
		clearInterval(timer);
		expect(held.every((bytes) => bytes > 0)).toBe(true);
	});
});

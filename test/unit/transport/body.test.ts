import { Readable } from 'node:stream';

import { readBody, ReadingRoom } from '../../../nodes/shared/transport/body';

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
		const body = () => Readable.from([Buffer.alloc(10, 'x')]) as never;
		const read = jest.spyOn(ReadingRoom.prototype, 'leave');
		expect(await readBody(body(), {}, 100, ({ text }) => text.length)).toBe(10);
		await expect(
			readBody(body(), {}, 100, () => {
				throw new Error('odd');
			}),
		).rejects.toThrow('odd');
		expect(read).toHaveBeenCalledTimes(2);
		read.mockRestore();
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { ReadingRoom, readBody } from '../../../nodes/shared/client/body';
import { Deadline } from '../../../nodes/shared/client/deadline';

const MB = 1024 * 1024;
const soon = async (ms = 20) => await new Promise<void>((done) => setTimeout(done, ms));

/** Creates a room, and a record of what its readers did, in order. */
function room(stalledMs?: number, bytes = 100) {
	const of = new ReadingRoom(bytes, stalledMs);
	const log: string[] = [];
	const all: Array<{ bytes: number }> = [];
	const begin = (account: object) => {
		const reader = of.begin(account, () => log.push('stopped'));
		all.push(reader);
		return {
			enter: async (bytes: number, deadline = new Deadline(60_000)) => {
				await of.enter(reader, bytes, deadline).finally(() => deadline.end());
				log.push(`${bytes}`);
			},
			leave: () => of.leave(account, reader),
		};
	};
	return { begin, log, held: (n: number) => all[n].bytes };
}

describe('the bytes of all responses together', () => {
	it('of one account wait for half of the room; who began first never waits', async () => {
		const { begin, log } = room();
		const account = {};
		const [first, second, third] = [begin(account), begin(account), begin(account)];
		await first.enter(30);
		await second.enter(20);
		const waiting = [second.enter(1), third.enter(2)];
		await first.enter(500);
		await soon();
		expect(log).toEqual(['30', '20', '500']);
		first.leave();
		await Promise.all(waiting);
		expect(log.slice(3)).toEqual(['1', '2']);
	});

	it('leave another account its share, however much the first one holds', async () => {
		const { begin, log } = room();
		const [slow, other] = [{}, {}];
		const readers = [begin(slow), begin(slow)];
		await readers[0].enter(1_000);
		void readers[1].enter(7);
		const others = [begin(other), begin(other), begin(other)];
		await others[0].enter(20);
		await others[1].enter(13);
		void others[2].enter(8);
		await soon();
		expect(log).toEqual(['1000', '20', '13']);
		others[0].leave();
		await soon();
		expect(log).toEqual(['1000', '20', '13', '8']);
	});

	it('are taken back from those of the same account that stall, not from one that waits', async () => {
		const { begin, log } = room(50);
		const [account, other] = [{}, {}];
		await begin(other).enter(40);
		const stalled = begin(account);
		await stalled.enter(33);
		const waiting = [begin(account), begin(account)].map(async (reader) => await reader.enter(1));
		await soon(1_200);
		expect(log).toEqual(['40', '33', 'stopped']);
		stalled.leave();
		await Promise.all(waiting);
	});

	it('are not taken back from one that goes on', async () => {
		const { begin, log } = room(1_500);
		const account = {};
		const busy = begin(account);
		const late = begin(account);
		await busy.enter(60);
		const waiting = late.enter(1);
		for (let n = 0; n < 5; n++) {
			await soon(500);
			await busy.enter(64 * 1024);
		}
		expect(log).not.toContain('stopped');
		busy.leave();
		await waiting;
	});

	it.each([
		['all at once', false],
		['one after the other, so that each finds a smaller share', true],
	])(
		'of forty accounts that come %s are bounded, and another one gets through',
		async (_when, isSlow) => {
			const { begin, held } = room(50_000, 25_600);
			for (let n = 0; n < 40; n++) {
				const reader = begin({});
				const trickle = async () => {
					for (let part = 0; part < 60; part++) await reader.enter(100);
				};
				void trickle();
				if (isSlow) await soon(5);
			}
			await soon(50);
			const [first, ...others] = Array.from({ length: 40 }, (_, n) => held(n));
			const sum = others.reduce((all, one) => all + one);
			expect(first).toBe(6_000);
			expect(sum).toBeLessThanOrEqual(25_600);
			expect(sum).toBeGreaterThan(15_000);
			await begin({}).enter(100);
		},
	);

	it('of the one that began first among all never wait, and the next one follows it', async () => {
		const { begin, log } = room(50_000);
		const readers = Array.from({ length: 5 }, () => begin({}));
		const entered = readers.map(async (reader) => await reader.enter(90));
		for (const [n, reader] of readers.entries()) {
			await entered[n];
			await soon();
			expect(log).toHaveLength(n + 1);
			reader.leave();
		}
	});

	it('are taken back from a stalled one of another account that all wait for', async () => {
		const { begin, log } = room(50);
		const stalled = begin({});
		await stalled.enter(90);
		const waiting = begin({}).enter(90);
		await soon(1_200);
		expect(log).toEqual(['90', 'stopped']);
		stalled.leave();
		await waiting;
	});

	const reading = (body: AsyncIterable<Buffer>, more: object = {}) => ({
		body: body as never,
		headers: {},
		account: {},
		maxBytes: 100,
		deadline: new Deadline(60_000),
		...more,
	});

	it('are given back when the response has been used, or could not be', async () => {
		const leave = jest.spyOn(ReadingRoom.prototype, 'leave');
		const body = () => Readable.from([Buffer.alloc(10, 'x')]);
		expect(await readBody(reading(body()), ({ text }) => text.length)).toBe(10);
		await expect(
			readBody(reading(body()), () => {
				throw new Error('odd');
			}),
		).rejects.toThrow('odd');
		expect(leave).toHaveBeenCalledTimes(2);
		leave.mockRestore();
	});

	it('are 128 MB for one account, but for those of the one that began first', async () => {
		const chunk = Buffer.alloc(30 * MB);
		const ends: Array<() => void> = [];
		const held = Array<number>(6).fill(0);
		const account = {};
		const read = async (n: number) => {
			async function* chunks() {
				yield chunk;
				held[n] = chunk.length;
				await new Promise<void>((end) => ends.push(end));
				throw new Error('cut');
			}
			const body = Object.assign(chunks(), { destroy: () => {} });
			return await readBody(
				reading(body, { account, maxBytes: chunk.length }),
				({ problem }) => problem,
			);
		};
		const reads = held.map(async (_, n) => await read(n));
		await soon(50);
		expect(held.filter((bytes) => bytes > 0)).toHaveLength(4);
		const timer = setInterval(() => ends.splice(0).forEach((end) => end()), 5);
		expect(await Promise.all(reads)).toEqual(Array(6).fill('cut'));
		clearInterval(timer);
		expect(held.every((bytes) => bytes > 0)).toBe(true);
	});

	it('of a response that must be there soon are read no longer', async () => {
		const body = new Readable({ read: () => {} });
		body.push('{"error"');
		const read = await readBody(reading(body, { maxMs: 50 }), (said) => said);
		expect(read).toEqual({ text: '{"error"', problem: 'cut' });
		expect(body.destroyed).toBe(true);
	});
});

describe('the deadline of a request', () => {
	it('stands still while its response waits for room', async () => {
		const { begin } = room();
		const account = {};
		const [first, second] = [begin(account), begin(account)];
		await first.enter(100);
		const deadline = new Deadline(100);
		const entered = second.enter(1, deadline);
		await soon(1_300);
		expect(deadline.isOver).toBe(false);
		first.leave();
		await entered;
		const later = new Deadline(50);
		await soon(80);
		expect(later.isOver).toBe(true);
		expect(later.signal.aborted).toBe(true);
	});

	it('has its time left when it goes on, and is not over before', async () => {
		const deadline = new Deadline(150);
		await soon(50);
		deadline.pause();
		await soon(200);
		deadline.resume();
		await soon(50);
		expect(deadline.isOver).toBe(false);
		await soon(1_200);
		expect(deadline.isOver).toBe(true);
	});

	it('of a paused request does not end it, however long the pause', async () => {
		const deadline = new Deadline(10);
		deadline.pause();
		await soon(1_100);
		expect(deadline.isOver).toBe(false);
		deadline.resume();
		await soon(1_100);
		expect(deadline.isOver).toBe(true);
	});

	it('is not waited for by a response that is cancelled', async () => {
		const { begin } = room();
		const account = {};
		await begin(account).enter(100);
		const cancel = new AbortController();
		const entered = begin(account).enter(1, new Deadline(60_000, cancel.signal));
		cancel.abort(new Error('cancelled'));
		await expect(entered).rejects.toThrow('cancelled');
	});

	it('leaves nothing behind once the request has ended', () => {
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		const deadline = new Deadline(60_000);
		const timer = timeout.mock.results[0].value as AbortSignal;
		expect(getEventListeners(timer, 'abort')).toHaveLength(1);
		deadline.end();
		expect(getEventListeners(timer, 'abort')).toEqual([]);
		timeout.mockRestore();
	});
});

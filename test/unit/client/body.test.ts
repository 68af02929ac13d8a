/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { Deadline, ReadingRoom, readBody } from '../../../nodes/shared/client/body';

const MB = 1024 * 1024;

beforeEach(() => {
	jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate'] });
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const over = new AbortController();
		setTimeout(() => over.abort(), ms);
		return over.signal;
	});
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** Lets time pass. */
const soon = async (ms = 20) => await jest.advanceTimersByTimeAsync(ms);

/** Creates a room, and a record of what its readers did, in order. */
function room(stalledMs?: number) {
	const of = new ReadingRoom(stalledMs);
	const log: string[] = [];
	const begin = (name: string, account: object) => {
		const stop = () => log.push(`${name} stopped`);
		const reader = { account, bytes: 0, progress: { bytes: 0, at: performance.now() }, stop };
		return {
			enter: async (bytes = 3 * MB, deadline = new Deadline(60_000)) => {
				await of.enter(reader, bytes, deadline).finally(() => deadline.end());
				log.push(name);
			},
			leave: () => of.leave(reader),
		};
	};
	return { begin, log };
}

describe('responses that are read at the same time', () => {
	const [slow, other] = [{}, {}];

	it('are three large ones of one account; the next has its turn when one has ended', async () => {
		const { begin, log } = room();
		const readers = ['a', 'b', 'c', 'd', 'e'].map((name) => begin(name, slow));
		const entered = readers.map(async (reader) => await reader.enter());
		await soon();
		expect(log).toEqual(['a', 'b', 'c']);
		// A small one waits for nobody, and one that has its place goes on.
		await begin('small', slow).enter(2 * MB);
		await readers[0].enter(60 * MB);
		expect(log.splice(3)).toEqual(['small', 'a']);
		readers[1].leave();
		await entered[3];
		await soon();
		expect(log.splice(3)).toEqual(['d']);
		readers[2].leave();
		await entered[4];
	});

	it('are four large ones of all accounts: one account leaves a place to the others', async () => {
		const { begin, log } = room();
		const readers = ['a', 'b', 'c', 'd'].map((name) => begin(name, slow));
		const others = ['x', 'y'].map((name) => begin(name, other));
		const entered = [...readers, ...others].map(async (reader) => await reader.enter());
		await soon();
		expect(log).toEqual(['a', 'b', 'c', 'x']);
		others[0].leave();
		await entered[5];
		readers[0].leave();
		await entered[3];
		expect(log.slice(4)).toEqual(['y', 'd']);
	});

	it('are small ones of 128 MB in all; the others need a place, too', async () => {
		const { begin, log } = room();
		const small = Array.from({ length: 64 }, () => begin('small', {}));
		await Promise.all(small.map(async (reader) => await reader.enter(2 * MB)));
		log.length = 0;
		const late = ['a', 'b', 'c', 'd', 'e'].map((name) => begin(name, {}));
		const entered = late.map(async (reader) => await reader.enter(2 * MB));
		await soon();
		expect(log).toEqual(['a', 'b', 'c', 'd']);
		late[3].leave();
		await entered[4];
		small[0].leave();
		await begin('f', {}).enter(2 * MB);
	});

	it('are abandoned if they stall while another waits for them, and only then', async () => {
		const { begin, log } = room(50);
		const stalled = ['a', 'b', 'c'].map((name) => begin(name, slow));
		const entered = stalled.map(async (reader) => await reader.enter());
		await Promise.all(entered);
		await soon(100);
		await begin('x', other).enter();
		// All places are taken now, but the fourth one is not what this one waits for.
		const waiting = begin('d', slow).enter();
		await soon(1_500);
		expect(log).toEqual(expect.arrayContaining(['a stopped', 'b stopped', 'c stopped']));
		expect(log).not.toContain('x stopped');
		stalled[0].leave();
		await waiting;
		// It has just got its place.
		const last = begin('e', slow).enter();
		expect(log).not.toContain('d stopped');
		stalled[1].leave();
		await last;
	});

	it('are not abandoned while they go on', async () => {
		const { begin, log } = room(1_500);
		const busy = ['a', 'b', 'c'].map((name) => begin(name, slow));
		for (const reader of busy) await reader.enter();
		const waiting = begin('d', slow).enter();
		for (let n = 0; n < 5; n++) {
			await soon(500);
			for (const reader of busy) await reader.enter(64 * 1024);
		}
		expect(log.join()).not.toContain('stopped');
		busy[0].leave();
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

	it('leave when they have been used, or could not be', async () => {
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

	it('give their place back: each of ten large ones is read', async () => {
		const body = () => Readable.from([Buffer.alloc(36 * MB, 'x')]);
		const reads = Array.from(
			{ length: 10 },
			async () =>
				await readBody(
					reading(body(), { account: slow, maxBytes: 64 * MB }),
					({ text }) => text.length,
				),
		);
		expect(await Promise.all(reads)).toEqual(Array(10).fill(36 * MB));
	});

	it('are read no longer than they may', async () => {
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
		const [first, ...others] = ['a', 'b', 'c', 'd'].map((name) => begin(name, account));
		for (const reader of [first, ...others.slice(0, 2)]) await reader.enter();
		const deadline = new Deadline(100);
		const entered = others[2].enter(3 * MB, deadline);
		await soon(1_300);
		expect(deadline.isOver).toBe(false);
		const resume = jest.spyOn(deadline, 'resume');
		first.leave();
		await entered;
		expect(resume).toHaveBeenCalledTimes(1);
		const later = new Deadline(50);
		await soon(80);
		expect(later.isOver).toBe(true);
		expect(later.signal.aborted).toBe(true);
	});

	it('has its time left when it goes on, and is not over before', async () => {
		const deadline = new Deadline(1_000);
		await soon(50);
		deadline.pause();
		await soon(1_200);
		deadline.resume();
		await soon(50);
		expect(deadline.isOver).toBe(false);
		await soon(1_200);
		expect(deadline.isOver).toBe(true);
	});

	it('is not waited for by a response that is cancelled', async () => {
		const { begin } = room();
		const account = {};
		for (const name of ['a', 'b', 'c']) await begin(name, account).enter();
		const cancel = new AbortController();
		const entered = begin('d', account).enter(3 * MB, new Deadline(60_000, cancel.signal));
		cancel.abort(new Error('cancelled'));
		await expect(entered).rejects.toThrow('cancelled');
	});

	it('of a cancelled execution ends the request at once, or after its grace', async () => {
		const cancel = new AbortController();
		const atOnce = new Deadline(60_000, cancel.signal);
		const later = new Deadline(60_000, cancel.signal, 200);
		cancel.abort();
		expect([atOnce.signal.aborted, atOnce.isOver]).toEqual([true, false]);
		await soon(199);
		expect(later.signal.aborted).toBe(false);
		await soon(1);
		expect(later.signal.aborted).toBe(true);
		for (const deadline of [atOnce, later]) deadline.end();
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

import { sleep } from 'n8n-workflow';

import { Deadline } from '../../../nodes/shared/client/body';

describe('a request whose execution is cancelled', () => {
	it('ends at once', () => {
		const cancel = new AbortController();
		const deadline = new Deadline(60_000, cancel.signal);
		cancel.abort();
		expect(deadline.signal.aborted).toBe(true);
		expect(deadline.isOver).toBe(false);
		deadline.end();
	});

	it('goes on for its grace, and no longer', async () => {
		const cancel = new AbortController();
		const deadline = new Deadline(60_000, cancel.signal, 200);
		cancel.abort();
		await sleep(50);
		expect(deadline.signal.aborted).toBe(false);
		await sleep(400);
		expect(deadline.signal.aborted).toBe(true);
		deadline.end();
	});

	it('gets no more time by its grace than it had', async () => {
		const cancel = new AbortController();
		const deadline = new Deadline(50, cancel.signal, 60_000);
		cancel.abort();
		await sleep(300);
		expect(deadline.signal.aborted).toBe(true);
		deadline.end();
	});

	it('is not ended by a cancel that comes after it has ended', async () => {
		const cancel = new AbortController();
		const deadline = new Deadline(60_000, cancel.signal, 50);
		deadline.end();
		cancel.abort();
		await sleep(200);
		expect(deadline.signal.aborted).toBe(false);
	});

	it('is not ended by the time that it had before a pause', async () => {
		const deadline = new Deadline(50);
		deadline.pause();
		deadline.resume();
		deadline.end();
		await sleep(100);
		expect(deadline.isOver).toBe(false);
	});
});

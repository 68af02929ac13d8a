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
});

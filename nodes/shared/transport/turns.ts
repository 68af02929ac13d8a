import { sleep } from 'n8n-workflow';

import { monotonicMs } from '../clock';

/** n8n serves nobody while we work, so it gets a turn whenever this many ms have gone by. */
const LONGEST_STRETCH_MS = 15;

/** Work on many things, one after the other, that lets n8n serve others in between. */
export class Stretch {
	private startedAt = monotonicMs();

	/** To be awaited after each of the things. */
	async breathe(): Promise<void> {
		if (monotonicMs() - this.startedAt < LONGEST_STRETCH_MS) return;
		await sleep(0);
		this.startedAt = monotonicMs();
	}
}

/** Lets callers that all come at once go on one after the other, with n8n's turns in between. */
class Turns {
	private waiting = 0;

	private last: Promise<void> = Promise.resolve();

	private stretch = new Stretch();

	private takenAt = 0;

	async take(): Promise<void> {
		const now = monotonicMs();
		// Those that come one by one wait for nobody, unless each brings the next.
		const isIdle = now - this.takenAt >= LONGEST_STRETCH_MS;
		if (this.waiting === 0 && isIdle) this.stretch = new Stretch();
		this.takenAt = now;
		this.waiting++;
		const before = this.last;
		this.last = before.then(async () => {
			await this.stretch.breathe();
			this.waiting--;
		});
		await before;
	}
}

/** The turns of all callers in this n8n process. */
export const turns = new Turns();

/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { Clock } from '../../nodes/shared/limiter/types';

/** Number of events after which the process gets to do other work. */
const BREATH = 1_000;

/**
 * A clock whose time passes only when nothing is left to do: it simulates hours within milliseconds, always in the same
 * way. Times in ms.
 */
export class VirtualClock implements Clock {
	private time = 0;

	/** What is scheduled, the next one last. */
	private readonly events: Array<{ at: number; run: () => void }> = [];

	now(): number {
		return this.time;
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.at(this.time + Math.max(0, ms), resolve));
	}

	/** Schedules something for a time; entries for the same time run in the order of scheduling. */
	at(time: number, run: () => void): void {
		const event = { at: Math.max(time, this.time), run };
		let [low, high] = [0, this.events.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.events[middle].at > event.at) low = middle + 1;
			else high = middle;
		}
		this.events.splice(low, 0, event);
	}

	/** Lets time pass until nothing is left to do, or until `end`. */
	async run(end = Infinity): Promise<void> {
		for (let n = 1; ; n++) {
			// Let everything that awaits the last event finish first: a tick comes after all promises. Now and then, let the
			// process do other work too, which takes much longer.
			await new Promise<void>((resolve) => {
				if (n % BREATH === 0) setImmediate(resolve);
				else process.nextTick(resolve);
			});
			const event = this.events.at(-1);
			if (event === undefined || event.at > end) return;
			this.events.pop();
			this.time = event.at;
			event.run();
		}
	}
}

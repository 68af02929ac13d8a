/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { Clock } from '../../nodes/shared/limiter/types';

interface Event {
	at: number;
	order: number;
	run: () => void;
}

/** Number of events after which the process gets to do other work. */
const BREATH = 1_000;

/**
 * A clock whose time passes only when nothing is left to do: it simulates hours within milliseconds, always in the same
 * way. Times in ms.
 */
export class VirtualClock implements Clock {
	private time = 0;

	private count = 0;

	/** A heap, with the next event first. */
	private readonly events: Event[] = [];

	now(): number {
		return this.time;
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.at(this.time + Math.max(0, ms), resolve));
	}

	/** Schedules something for a time; entries for the same time run in the order of scheduling. */
	at(time: number, run: () => void): void {
		this.push({ at: Math.max(time, this.time), order: this.count++, run });
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
			if (this.events.length === 0 || this.events[0].at > end) return;
			const event = this.pop();
			this.time = event.at;
			event.run();
		}
	}

	private push(event: Event): void {
		const heap = this.events;
		let at = heap.push(event) - 1;
		for (let up = (at - 1) >> 1; at > 0 && isBefore(event, heap[up]); up = (at - 1) >> 1) {
			heap[at] = heap[up];
			at = up;
		}
		heap[at] = event;
	}

	private pop(): Event {
		const heap = this.events;
		const first = heap[0];
		const last = heap.pop()!;
		if (heap.length === 0) return first;
		let at = 0;
		for (;;) {
			let down = 2 * at + 1;
			if (down >= heap.length) break;
			if (down + 1 < heap.length && isBefore(heap[down + 1], heap[down])) down++;
			if (!isBefore(heap[down], last)) break;
			heap[at] = heap[down];
			at = down;
		}
		heap[at] = last;
		return first;
	}
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);

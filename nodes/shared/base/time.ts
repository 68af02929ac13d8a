import { sleep } from 'n8n-workflow';

/** Returns the whole ms since n8n started, unaffected by changes to the system clock. */
export const monotonicMs = (): number => Math.floor(performance.now());

/**
 * Returns a service's date and time as ISO 8601 in UTC; undefined if it isn't one. Some services write them as
 * databases do.
 */
export function isoOf(date: unknown): string | undefined {
	const isDate = typeof date === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(date) && date.length < 60;
	const ms = isDate ? Date.parse(date) : NaN;
	return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Longest single sleep (ms). n8n's timers can't be cancelled, so each may outlive its purpose by this long. */
export const SLICE_MS = 250;

/** Waits `ms`, but returns early if the signal is aborted. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
	const until = monotonicMs() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = until - monotonicMs()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}

/**
 * Waits until a failure has had the chance to stop its run. That works because promises settle before any timer fires.
 */
export const afterFailure = async (): Promise<void> => await sleep(0);

/** Longest stretch of work (ms) during which n8n can do nothing else. */
const LONGEST_STRETCH_MS = 15;

let lastBreath: Promise<void> = Promise.resolve();
let breathedAt = 0;

/**
 * Lets n8n do other work after every 15 ms of work. Await it before each of many pieces of work; concurrent callers
 * continue one after another.
 */
export async function breathe(): Promise<void> {
	lastBreath = lastBreath.then(async () => {
		if (monotonicMs() - breathedAt < LONGEST_STRETCH_MS) return;
		await sleep(0);
		breathedAt = monotonicMs();
	});
	await lastBreath;
}

/** Number of entries after which `breathing` looks at the time. */
const ENTRIES_AT_ONCE = 100;

/** Yields the entries of a long list, and lets n8n do other work in between. */
export async function* breathing<Entry>(list: Entry[]): AsyncGenerator<Entry> {
	for (const [at, entry] of list.entries()) {
		if (at % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) await breathe();
		yield entry;
	}
}

/**
 * Returns what `work` makes of each entry of a long list, and lets n8n do other work in between. Work that waits, as
 * for a hash, is done for many entries at once.
 */
export async function madeOf<Entry, Made>(
	list: Entry[],
	work: (entry: Entry) => Made | Promise<Made>,
): Promise<Made[]> {
	const made: Made[] = [];
	for (let at = 0; at < list.length; at += ENTRIES_AT_ONCE) {
		if (at > 0) await breathe();
		const entries = list.slice(at, at + ENTRIES_AT_ONCE);
		made.push(...(await Promise.all(entries.map(async (entry) => await work(entry)))));
	}
	return made;
}

/** What to do once a signal is aborted. */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` once the signal is aborted; returns a function that undoes this. Each signal gets one listener in
 * all: Node 20 warns in n8n's log of more than ten, and thousands of calls share the signal of their execution.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
	const known = listeners.get(signal);
	const all = known ?? new Set();
	all.add(listener);
	if (known === undefined) {
		listeners.set(signal, all);
		signal.addEventListener('abort', () => all.forEach((one) => one()), { once: true });
	}
	return () => all.delete(listener);
}

/** What to do once a signal is aborted. */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `listener` once the signal is aborted; returns a function that undoes this. Each signal gets one listener in
 * all: Node 20 warns in n8n's log of more than ten, and thousands of calls share the signal of their execution.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
	const all = listeners.get(signal) ?? listening(signal);
	all.add(listener);
	return () => all.delete(listener);
}

function listening(signal: AbortSignal): Set<() => void> {
	const all = new Set<() => void>();
	listeners.set(signal, all);
	signal.addEventListener('abort', () => all.forEach((one) => one()), { once: true });
	return all;
}

import { shortHash } from '../text';

const SCOPE_LENGTH = 16;

export interface Memory {
	/** Names the state's shape; a state of any other version is a new start. */
	version: number;
	/** Names what is watched, and the credential: if either changes, the trigger starts over. */
	scope: string;
}

/** Gives a short text for a scope: what is watched, and with which credential. */
export async function hashedScope(watched: string): Promise<string> {
	return await shortHash(watched, SCOPE_LENGTH);
}

/** Reads and writes the state that n8n keeps; `write` is only called if the state has changed. */
export interface Store {
	read(): unknown;
	write(state: Memory): void;
}

/** Writes the state if it differs from the stored one: n8n saves any assignment, even without a change. */
export function save(store: Store, state: Memory): void {
	if (JSON.stringify(state) !== JSON.stringify(store.read())) store.write(state);
}

/** Says why there is no state to go on from. */
export type NewStart = 'first' | 'otherScope' | 'unreadable';

/** Holds the state of an earlier poll to go on from, or says why there is none. */
export interface Recalled<T extends Memory> {
	state?: T;
	newStart?: NewStart;
}

/**
 * Gives the stored state if it has this version and scope and `isSound`; otherwise the reason to start over. Anything may
 * have been stored: by another version of the package, or by hand.
 */
export function recall<T extends Memory>(
	stored: unknown,
	expected: Memory,
	isSound: (state: Partial<T>) => boolean,
): Recalled<T> {
	if (stored === undefined || stored === null) return { newStart: 'first' };
	if (typeof stored !== 'object') return { newStart: 'unreadable' };
	const state = stored as Partial<T>;
	if (state.version !== expected.version || typeof state.scope !== 'string' || !isSound(state)) {
		return { newStart: 'unreadable' };
	}
	return state.scope === expected.scope ? { state: state as T } : { newStart: 'otherScope' };
}

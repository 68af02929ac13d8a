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

/** Tells people what a trigger does. */
export interface Log {
	info(message: string): void;
	warn(message: string): void;
}

/**
 * Gives the state of an earlier poll, if it has this version and scope. Otherwise the trigger starts over, which is logged
 * unless it is the very first poll.
 */
export function recalled<T extends Memory>(
	{ store, log }: { store: Store; log: Log },
	{ version, scope }: Memory,
): T | undefined {
	const stored = store.read() as T | null | undefined;
	if (stored === undefined || stored === null) return undefined;
	if (stored.version !== version) {
		log.warn('What this trigger remembered is unreadable: it starts over with this poll');
		return undefined;
	}
	if (stored.scope === scope) return stored;
	log.info('What this trigger watches has changed: it starts over with this poll');
	return undefined;
}

import type { Logger } from 'n8n-workflow';

import { shortHash } from '../base/text';

const SCOPE_LENGTH = 16;

export interface Memory {
	/** Version of the state's format; a trigger starts over from a state of any other version. */
	version: number;
	/** Hash of what is watched and of the credential: if either changes, the trigger starts over. */
	scope: string;
}

/** Returns a hash of what is watched and of the credential. */
export async function hashedScope(watched: string): Promise<string> {
	return await shortHash(watched, SCOPE_LENGTH);
}

/** The state stored by n8n; `write` is only called if it has changed. */
export interface Store {
	read(): unknown;
	write(state: Memory): void;
}

/** Writes the state if it differs from the stored one, because n8n saves any assignment, even without a change. */
export function save(store: Store, state: Memory): void {
	if (JSON.stringify(state) !== JSON.stringify(store.read())) store.write(state);
}

/**
 * Whether there is a state with this scope, even an unreadable one. If there is, results from the first poll may
 * already have been emitted.
 */
export function hasBegun(store: Store, scope: string): boolean {
	return (store.read() as Memory | null | undefined)?.scope === scope;
}

const FORGOTTEN =
	'This trigger remembers nothing, although its workflow was published before n8n started: it starts over with this poll. What has happened since its last poll is not emitted';

/** Log for the users of a trigger. */
export type Log = Pick<Logger, 'info' | 'warn'>;

/**
 * Returns the state from an earlier poll if it has this scope, and the version, lists and objects of `empty`; another
 * version of this package, or a person, may have written it. Otherwise the trigger starts over, which is logged unless
 * this is the very first poll.
 */
export function recalled<T extends Memory>(
	{ store, log, begin }: { store: Store; log: Log; begin?: 'start' | 'publication' },
	empty: Record<string, unknown>,
	scope: string,
): T | undefined {
	const stored = store.read() as T | null | undefined;
	if (stored === undefined || stored === null) {
		// n8n saves the state after a published workflow's first poll, so at a later start it should have been there.
		if (begin === 'start') log.warn(FORGOTTEN);
		return undefined;
	}
	const isAlike = (value: unknown, of: unknown) =>
		typeof of === 'object'
			? Array.isArray(value) === Array.isArray(of) && Boolean(value)
			: value === of;
	const isSound = Object.entries(empty).every(([name, of]) => isAlike(stored[name as keyof T], of));
	if (!isSound) {
		log.warn('What this trigger remembered is unreadable: it starts over with this poll');
		return undefined;
	}
	if (stored.scope === scope) return stored;
	log.info('What this trigger watches has changed: it starts over with this poll');
	return undefined;
}

import { isObject } from '../base/json';
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
export interface Log {
	info(message: string): void;
	warn(message: string): void;
}

/** Returns whether a part of a stored state is valid. */
type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';

/** Checks for a date in ms since 1970 that can be written as text, or for a count. */
export const isDate: Check = (value) => typeof value === 'number' && value >= 0 && value <= 8.64e15;

export const maybe =
	(check: Check): Check =>
	(value) =>
		value === undefined || check(value);

export const listOf =
	(check: Check): Check =>
	(value) =>
		Array.isArray(value) && value.every(check);

export const mapOf =
	(check: Check): Check =>
	(value) =>
		isObject(value) && Object.values(value).every(check);

export const having =
	(checks: Record<string, Check>): Check =>
	(value) =>
		isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

/**
 * Returns the state from an earlier poll if it is valid and has this version and scope; another version of this
 * package, or a person, may have written it. Otherwise the trigger starts over, which is logged unless this is the very
 * first poll.
 */
export function recalled<T extends Memory>(
	{ store, log, begin }: { store: Store; log: Log; begin?: 'start' | 'publication' },
	{ version, isSound }: { version: number; isSound: Check },
	scope: string,
): T | undefined {
	const stored = store.read() as T | null | undefined;
	if (stored === undefined || stored === null) {
		// n8n saves the state after a published workflow's first poll, so at a later start it should have been there.
		if (begin === 'start') log.warn(FORGOTTEN);
		return undefined;
	}
	if (stored.version !== version || !isSound(stored)) {
		log.warn('What this trigger remembered is unreadable: it starts over with this poll');
		return undefined;
	}
	if (stored.scope === scope) return stored;
	log.info('What this trigger watches has changed: it starts over with this poll');
	return undefined;
}

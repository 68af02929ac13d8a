/** An object in a request or a response. */
export type Entry = Record<string, unknown>;

/** An object with a kind, such as a format, a source or an action. */
export type Typed = Entry & { type: string };

/** Returns the kinds in a list whose entries may also be plain strings. */
export const typesOf = (list: Array<string | Typed> = []) =>
	list.map((entry) => (typeof entry === 'string' ? entry : entry.type));

export const isEntry = (value: unknown): value is Entry =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

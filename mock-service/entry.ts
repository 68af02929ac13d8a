/** An object of a request or a response. */
export type Entry = Record<string, unknown>;

/** One of a kind, as a format, a source or an action. */
export type Typed = Entry & { type: string };

/** The kinds in a list whose entries may be plain texts as well. */
export const typesOf = (list: Array<string | Typed> = []) =>
	list.map((entry) => (typeof entry === 'string' ? entry : entry.type));

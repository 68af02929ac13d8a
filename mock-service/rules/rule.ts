/** Path to a field in a request. */
export type Path = Array<string | number>;

/** A rule of the service's own that a request breaks. */
export interface Broken {
	path: Path;
	message: string;
}

/** Whether a rule is broken, where, and what the service says of it. */
export type Rule = [isBroken: boolean, path: Path, message: string];

/** Returns the rules that are broken. */
export const broken = (...rules: Rule[]): Broken[] =>
	rules.filter(([isBroken]) => isBroken).map(([, path, message]) => ({ path, message }));

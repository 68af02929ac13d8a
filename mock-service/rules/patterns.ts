import { RRegex } from 'rregex';

import type { Entry } from '../entry';
import { broken, type Broken } from './rule';

const MAX_PATTERNS = 1000;
const MAX_LENGTH = 100_000;

/** Returns the rules that the regular expressions for paths break: those of number and length, and only then syntax. */
export function patternRules(body: Entry): Broken[] {
	const lists = ['includePaths', 'excludePaths'].map(
		(name) => [name, (body[name] ?? []) as string[]] as const,
	);
	const all = lists.flatMap(([, patterns]) => patterns);
	const { length } = all.join('');
	const together = 'includePaths and excludePaths together accept at most';
	const tooMuch = broken(
		[all.length > MAX_PATTERNS, [], `${together} ${MAX_PATTERNS} patterns (got ${all.length}).`],
		[length > MAX_LENGTH, [], `${together} ${MAX_LENGTH} characters (got ${length}).`],
	);
	if (tooMuch.length > 0) return tooMuch;
	return lists.flatMap(([name, patterns]) =>
		patterns.flatMap((pattern) => {
			const why = whyNoPattern(pattern);
			if (why === undefined) return [];
			const start = `Invalid ${name} pattern ${JSON.stringify(pattern)}: ${why}.`;
			const message = `${start} ${name} patterns use Rust regex (RE2-style) syntax.`;
			return [{ path: [name], message }];
		}),
	);
}

/** Returns the last line of what Rust's engine says of a pattern that it doesn't read. */
function whyNoPattern(pattern: string): string | undefined {
	try {
		new RRegex(pattern);
		return undefined;
	} catch (error) {
		return String(error).split('\n').at(-1);
	}
}

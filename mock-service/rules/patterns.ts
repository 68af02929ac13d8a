import type { Breach } from '../../api/breaches';
import type { Entry } from '../entry';
import { regExpOf } from '../operations/paths';
import { said, textBreaches } from './breach';

const FIELDS = ['includePaths', 'excludePaths'];
const MAX_PATTERNS = 1000;
const MAX_LENGTH = 2000;
const MAX_ALL_LENGTH = 100_000;

/** Returns the breaches in the regular expressions for paths: their type, number and length, and only then syntax. */
export function patternBreaches(body: Entry): Breach[] {
	const lists = FIELDS.map((name) => [name, (body[name] ?? []) as string[]] as const);
	const wrong = lists.flatMap(([name, patterns]) => textBreaches(patterns, [name]));
	if (wrong.length > 0) return wrong;
	const capped = lists.flatMap(([name, patterns]) => [
		...(patterns.length > MAX_PATTERNS
			? [
					said(
						[name],
						`includePaths and excludePaths each accept at most ${MAX_PATTERNS} patterns.`,
					),
				]
			: []),
		...patterns.flatMap((pattern, index) =>
			pattern.length > MAX_LENGTH
				? [
						said(
							[name, index],
							`Each includePaths/excludePaths pattern must be at most ${MAX_LENGTH} characters.`,
						),
					]
				: [],
		),
	]);
	if (capped.length > 0) return capped;
	const all = lists.flatMap(([, patterns]) => patterns);
	const length = all.join('').length;
	const together = 'includePaths and excludePaths together accept at most';
	if (all.length > MAX_PATTERNS) {
		return [said([], `${together} ${MAX_PATTERNS} patterns (got ${all.length}).`)];
	}
	if (length > MAX_ALL_LENGTH) {
		return [said([], `${together} ${MAX_ALL_LENGTH} characters of patterns (got ${length}).`)];
	}
	return lists.flatMap(([name, patterns]) =>
		patterns.flatMap((pattern) => {
			const why = whyNoPattern(pattern);
			if (why === undefined) return [];
			const start = `Invalid ${name} pattern ${JSON.stringify(pattern)}: ${why}.`;
			return [said([name], `${start} ${name} patterns use Rust regex (RE2-style) syntax.`)];
		}),
	);
}

const LOOKS_AROUND = /\(\?<?[=!]|\\[1-9]/;

function whyNoPattern(pattern: string): string | undefined {
	if (LOOKS_AROUND.test(pattern)) return 'look-around and backreferences are not supported';
	try {
		regExpOf(pattern);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

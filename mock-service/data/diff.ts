import { isEntry, type Entry } from '../entry';

/** Most unchanged lines around a change. */
const CONTEXT = 3;

/** Returns a unified diff of two texts, as text and in parts: one that reaches from the first change to the last. */
export function diffOf(before: string, after: string): { text: string; json: Entry } {
	const [old, now] = [before.split('\n'), after.split('\n')];
	const shared = Math.min(old.length, now.length);
	let start = 0;
	while (start < shared && old[start] === now[start]) start++;
	let end = 0;
	while (end < shared - start && old.at(-1 - end) === now.at(-1 - end)) end++;
	const from = Math.max(0, start - CONTEXT);
	const marked = (type: string, mark: string, lines: string[]) =>
		lines.map((line) => ({ type, [type]: true, content: `${mark}${line}` }));
	const changes = [
		...marked('normal', ' ', old.slice(from, start)),
		...marked('del', '-', old.slice(start, old.length - end)),
		...marked('add', '+', now.slice(start, now.length - end)),
		...marked('normal', ' ', old.slice(old.length - end).slice(0, CONTEXT)),
	].map((line, index) => ({ ...line, ln: index + 1 }));
	const countOf = (other: string) => changes.filter(({ type }) => type !== other).length;
	const content = `@@ -${from + 1},${countOf('add')} +${from + 1},${countOf('del')} @@`;
	return {
		text: [content, ...changes.map((line) => line.content)].join('\n'),
		json: { files: [{ from: null, to: null, chunks: [{ content, changes }] }] },
	};
}

/** Returns the fields in which two values differ, by path, such as `plans[0].price`. */
export function fieldChanges(
	previous: unknown = null,
	current: unknown = null,
	path = '',
): Record<string, { previous: unknown; current: unknown }> {
	const isList = Array.isArray(previous) && Array.isArray(current);
	if (!isList && !(isEntry(previous) && isEntry(current)))
		return previous === current ? {} : { [path]: { previous, current } };
	const [old, now] = [previous, current] as Entry[];
	const names = Object.keys({ ...old, ...now });
	const at = (name: string) => (isList ? `${path}[${name}]` : `${path}${path && '.'}${name}`);
	return Object.assign({}, ...names.map((name) => fieldChanges(old[name], now[name], at(name))));
}

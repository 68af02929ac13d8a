import { isEntry, type Entry } from '../entry';

/** Most unchanged lines around a change. */
const CONTEXT = 3;

/** A line that was replaced, removed (no `after`) or added (no `before`), or a field that changed. */
export interface Change {
	before: string | null;
	after: string | null;
}

/** Returns the lines that differ, from the first to the last, with the number of those before and after. */
function differing(before: string, after: string) {
	const [old, now] = [before.split('\n'), after.split('\n')];
	const shared = Math.min(old.length, now.length);
	let start = 0;
	while (start < shared && old[start] === now[start]) start++;
	let end = 0;
	while (end < shared - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
	return {
		start,
		removed: old.slice(start, old.length - end),
		added: now.slice(start, now.length - end),
		above: old.slice(Math.max(0, start - CONTEXT), start),
		below: old.slice(old.length - end).slice(0, CONTEXT),
	};
}

/** Returns a unified diff of two texts, as text and in parts. */
export function diffOf(before: string, after: string): { text: string; json: Entry } {
	const { start, removed, added, above, below } = differing(before, after);
	const marked = (type: string, mark: string, some: string[]) =>
		some.map((line) => ({ type, [type]: true, content: `${mark}${line}` }));
	const changes = [
		...marked('normal', ' ', above),
		...marked('del', '-', removed),
		...marked('add', '+', added),
		...marked('normal', ' ', below),
	].map((line, index) => ({ ...line, ln: index + 1 }));
	const around = above.length + below.length;
	const from = start - above.length + 1;
	const content = `@@ -${from},${around + removed.length} +${from},${around + added.length} @@`;
	return {
		text: [content, ...changes.map((line) => line.content)].join('\n'),
		json: { files: [{ from: null, to: null, chunks: [{ content, changes }] }] },
	};
}

/** Returns the lines that changed, each beside the one in its place. */
export function lineChanges(before: string, after: string): Change[] {
	const { removed, added } = differing(before, after);
	return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => ({
		before: removed[index] ?? null,
		after: added[index] ?? null,
	})).filter(({ before: old, after: now }) => `${old ?? ''}${now ?? ''}`.trim() !== '');
}

/** Returns the fields in which two values differ, by path, such as `plans[0].price`. */
export function fieldChanges(
	previous: unknown,
	current: unknown,
	path = '',
): Record<string, { previous: unknown; current: unknown }> {
	const lists = [previous, current].filter(Array.isArray).length;
	if (lists === 2 || (isEntry(previous) && isEntry(current))) {
		const [old, now] = [previous, current] as Entry[];
		const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
		const at = (name: string) =>
			lists === 2 ? `${path}[${name}]` : [path, name].filter(Boolean).join('.');
		return Object.assign({}, ...names.map((name) => fieldChanges(old[name], now[name], at(name))));
	}
	if (previous === current) return {};
	return { [path]: { previous: previous ?? null, current: current ?? null } };
}

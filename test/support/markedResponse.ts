import { exampleResponse } from '../../api/example';

/** A value of a response that no other field has, and the text by which it is found in an item. */
export interface Mark {
	path: string;
	mark: string;
}

const KEPT = /^(success|status|next|cursor|has_more)$/;

let count = 7000;

/** Returns a response with a value of its own in each field, and the marks of its fields. */
export function marked(operationId: string): { body: unknown; marks: Mark[] } {
	const marks: Mark[] = [];
	const walk = (value: unknown, path: string, name: string): unknown => {
		if (Array.isArray(value)) return value.map((entry) => walk(entry, `${path}[]`, name));
		if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
			const entries = Object.entries(value).map(([key, entry]): [string, unknown] => [
				key,
				walk(entry, path === '' ? key : `${path}.${key}`, key),
			]);
			return Object.fromEntries(entries);
		}
		if (KEPT.test(name)) return value;
		// Anything else is a failure.
		if (name === 'exitCode') return 0;
		if (operationId === 'interact' && path === 'error') return null;
		count++;
		const add = (mark: string, marking: unknown) => {
			marks.push({ path, mark });
			return marking;
		};
		if (typeof value === 'number') return add(String(count), count);
		if (typeof value === 'boolean') return add(`"${name}"`, value);
		if (typeof value !== 'string') return add(`mark-${count}`, { mark: `mark-${count}` });
		if (/^https?:/.test(value)) return add(`/${count}"`, `https://example.com/${count}`);
		if (/^[\da-f-]{36}$/.test(value))
			return add(`${count}4a5b6c`, `${value.slice(0, -10)}${count}4a5b6c`);
		if (/^\d{4}-\d\d-/.test(value))
			return add(`${count - 5001}-01`, value.replace('2026', String(count - 5001)));
		return add(`mark-${count}`, `mark-${count}`);
	};
	return { body: walk(exampleResponse(operationId, { isFilled: true }), '', ''), marks };
}

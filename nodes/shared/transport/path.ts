import { NodeOperationError, type INode } from 'n8n-workflow';

// Encoding alone would not do: proxies in front of a service decode %2F and resolve `..` before it sees the path.
const UNSAFE = /[/\\%?#]|\p{Cc}|\p{Cs}/u;

/** Longest id, in characters: ids have 36 as a rule, and servers reject a path that is much longer with a puzzling error. */
const LONGEST = 200;

/**
 * Whether an id can be one segment of a path. One that could lead to another endpoint can't: an empty one, `.`, `..`, or
 * one with / \ % ? # a control character or half an emoji in it, or one that is too long.
 */
export function isSegment(id: string): boolean {
	return id !== '' && id.length <= LONGEST && id !== '.' && id !== '..' && !UNSAFE.test(id);
}

/** A path with an ID behind it, which can be a segment of it. */
export function pathOf(path: string, id: string): string {
	return path + encodeURIComponent(id);
}

/** An id that a user gave, without blanks around it. Throws NodeOperationError for one that can't be a segment of a path. */
export function checkedId(
	value: unknown,
	fieldName: string,
	node: INode,
	itemIndex?: number,
): string {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const item = itemIndex === undefined ? '' : ` for item ${itemIndex}`;
	const where = ` Nothing was sent${item} (field: ${fieldName}).`;
	if (id === '') {
		throw new NodeOperationError(node, `${fieldName} is empty`, {
			itemIndex,
			description: `Fill it in, or check the expression that should give it.${where}`,
			level: 'warning',
		});
	}
	if (!isSegment(id)) {
		throw new NodeOperationError(node, `${fieldName} is not a valid ID`, {
			itemIndex,
			description: `It is “${id.slice(0, 60)}”. An ID has no slashes, %, ? or # in it, is not just dots and has at most ${LONGEST} characters; copy it as the service gave it.${where}`,
			level: 'warning',
		});
	}
	return id;
}

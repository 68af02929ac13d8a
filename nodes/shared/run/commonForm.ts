import type { INodePropertyOptions } from 'n8n-workflow';

import { type Field, hiddenFor, shownFor } from '../form/field';
import { propertyOf } from '../form/properties';

/** Something that several lists have in common, with the operations whose lists contain it. */
interface Shared<Entry> {
	/** Its entry in the list of each of these operations, in their order. */
	entries: Entry[];
	operations: string[];
}

/** A child of a collection, or a choice of a list. */
type Part = Field | INodePropertyOptions;

/**
 * Returns the forms of several operations as the properties of their node, each name only once, because n8n evaluates a
 * name's value for each item as often as the name occurs in the node's description. Operations may differ in the
 * children of collections, at any depth, and the choices of lists, each of which is shown for the operations that have
 * it. Throws Error for any other difference.
 */
export function commonForm(forms: Array<[operation: string, fields: Field[]]>): Field[] {
	const operations = forms.map(([operation]) => operation);
	return inOrder(forms, ({ name }) => name).map((field) =>
		shownForSome(field.operations, operations, propertyOf(joined(field))),
	);
}

/** Returns a part that is shown for some of all operations, in the shorter way to say so. */
function shownForSome<Shown extends Part>(some: string[], all: string[], part: Shown): Shown {
	const others = all.filter((operation) => !some.includes(operation));
	if (others.length === 0) return part;
	const isMost = String(others).length < String(some).length;
	return isMost
		? hiddenFor({ '/operation': others }, part)
		: shownFor({ '/operation': some }, part);
}

/**
 * Returns the entries of all lists, each once, so that every list keeps its own order: of those whose predecessors are
 * there, the first one comes next.
 */
function inOrder<Entry>(
	lists: Array<[operation: string, entries: Entry[]]>,
	keyOf: (entry: Entry) => string,
): Array<Shared<Entry>> {
	const left = new Map<string, Shared<Entry> & { after: Set<string> }>();
	for (const [operation, list] of lists) {
		let before: string | undefined;
		for (const entry of list) {
			const key = keyOf(entry);
			const one = left.get(key) ?? { entries: [], operations: [], after: new Set() };
			one.entries.push(entry);
			one.operations.push(operation);
			if (before !== undefined) one.after.add(before);
			left.set(key, one);
			before = key;
		}
	}
	const order: Array<Shared<Entry>> = [];
	while (left.size > 0) {
		const keys = [...left.keys()];
		const isNext = (key: string) => ![...left.get(key)!.after].some((other) => left.has(other));
		const next = keys.find(isNext) ?? keys[0];
		order.push(left.get(next)!);
		left.delete(next);
	}
	return order;
}

/** Types of fields whose options may differ between operations. */
const WITH_PARTS = ['collection', 'options', 'multiOptions'];

/** Returns the part of a field that must be the same for all operations. */
function commonPart(field: Field): string {
	const parts = WITH_PARTS.includes(field.type) ? { options: undefined } : {};
	return JSON.stringify({ ...field, required: undefined, wire: undefined, ...parts });
}

/**
 * Returns one field that stands for all operations' versions of it. n8n requires it only if all of them are required.
 */
function joined({ entries: fields, operations }: Shared<Field>): Field {
	const [first] = fields;
	const parts = new Set(fields.map(commonPart));
	if (parts.size > 1) throw new Error(`Controls of one name differ: ${[...parts].join(' and ')}`);
	const field = { ...first };
	if (!fields.every(({ required }) => required)) delete field.required;
	if (first.options === undefined || !WITH_PARTS.includes(first.type)) return field;
	const lists = fields.map(({ options = [] }, index): [string, Part[]] => [
		operations[index],
		options as Part[],
	]);
	const options = inOrder(lists, keyOf).map((part) => {
		const one = isField(part.entries[0]) ? joined(part as Shared<Field>) : part.entries[0];
		return shownForSome(part.operations, operations, one);
	});
	return { ...field, options };
}

const isField = (part: Part): part is Field => 'type' in part;

/** Returns what two parts of one control have in common if they are the same one. */
const keyOf = (part: Part): string => (isField(part) ? commonPart(part) : JSON.stringify(part));

import { type Field, childrenOf } from './field';

/**
 * Returns the label of the control that fills a path of the body, e.g. `Browser → Timeout (Ms)`. In a list, it includes
 * the entry's number, e.g. `URLs, entry 2`.
 */
export function labelOf(fields: Field[], trail: Array<string | number>): string | undefined {
	const keys = trail.filter((key) => typeof key === 'string');
	// Several controls may fill parts of one object: the one nearest to the path counts.
	const [control] = controlsIn(fields)
		.filter((one) => one.keys.every((key, index) => keys[index] === key))
		.sort((a, b) => b.keys.length - a.keys.length);
	if (control === undefined) return undefined;
	const entry = trail.findLast((key, index) => {
		const before = trail.slice(0, index).filter((one) => typeof one === 'string');
		return typeof key === 'number' && control.lists.includes(before.length);
	});
	const label = control.labels.join(' → ');
	return entry === undefined ? label : `${label}, entry ${Number(entry) + 1}`;
}

/** Returns the labels of all fields, including those inside collections. */
export function allLabels(fields: Field[]): Set<string> {
	const within = (field: Field): Field[] => [field, ...childrenOf(field).flatMap(within)];
	return new Set(fields.flatMap(within).map(({ displayName }) => displayName));
}

interface Control {
	labels: string[];
	/** The keys that lead to its value in the body. */
	keys: string[];
	/** How many keys lead to this control, and to each one around it, that may be a list. */
	lists: number[];
}

/** Returns all controls of a form, those around others first. */
function controlsIn(
	fields: Field[],
	around: Control = { labels: [], keys: [], lists: [] },
): Control[] {
	return fields.flatMap((field) => {
		const { displayName, name, type, wire } = field;
		if (wire?.spread) return controlsIn(childrenOf(field), around);
		const keys = [...around.keys, ...(wire?.as ?? name).split('.')];
		// There is only one options collection, even if its options are added to each entry of a list.
		const lists = type === 'collection' ? around.lists : [...around.lists, keys.length];
		const control = { labels: [...around.labels, displayName], keys, lists };
		return [control, ...controlsIn(childrenOf(field), control)];
	});
}

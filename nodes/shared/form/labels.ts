import type { Field } from './field';

/**
 * Returns the label of the control that fills a path of the body, e.g. `Browser → Timeout (Ms)`. In a list, it includes
 * the entry's number, e.g. `URLs, entry 2`.
 */
export function labelOf(fields: Field[], trail: Array<string | number>): string | undefined {
	const keys = trail.filter((key) => typeof key === 'string');
	const control = keys.length === 0 ? undefined : nearest(fields, keys);
	if (control === undefined) return undefined;
	const entry = trail.findLast((key, index) => {
		const before = trail.slice(0, index).filter((one) => typeof one === 'string');
		return typeof key === 'number' && control.lists.includes(before.length);
	});
	return entry === undefined ? control.label : `${control.label}, entry ${Number(entry) + 1}`;
}

/** Returns the labels of all fields, including those inside collections. */
export function allLabels(fields: Field[]): Set<string> {
	const within = (field: Field): Field[] => [
		field,
		...(field.options ?? []).flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? within(option) : [],
		),
	];
	return new Set(fields.flatMap(within).map(({ displayName }) => displayName));
}

interface Control {
	label: string;
	depth: number;
	/** Key depths at which this control, or one around it, may be a list. */
	lists: number[];
}

/** Returns the control nearest to a path, since several controls may fill parts of one object. */
function nearest(fields: Field[], keys: string[]): Control | undefined {
	let best: Control | undefined;
	for (const field of fields) {
		const found = within(field, keys);
		if (found !== undefined && found.depth > (best?.depth ?? 0)) best = found;
	}
	return best;
}

function within(field: Field, keys: string[]): Control | undefined {
	const children = (field.options ?? []).flatMap((option) =>
		'values' in option ? option.values : 'type' in option ? [option] : [],
	);
	if (field.wire?.spread) return nearest(children, keys);
	const own = (field.wire?.as ?? field.name).split('.');
	if (!own.every((key, index) => keys[index] === key)) return undefined;
	// There is only one options collection, even if its options are added to each entry of a list.
	const lists = field.type === 'collection' ? [] : [own.length];
	const child = nearest(children, keys.slice(own.length));
	if (child === undefined) return { label: field.displayName, depth: own.length, lists };
	return {
		label: `${field.displayName} → ${child.label}`,
		depth: own.length + child.depth,
		lists: [...lists, ...child.lists.map((depth) => own.length + depth)],
	};
}

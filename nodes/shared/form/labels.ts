import type { INode } from 'n8n-workflow';

import type { Field } from './field';
import { isInVersion } from './field';

/** The label of the control that fills a place of the body, e.g. `Scrape Options → Timeout (Ms)`. */
export function labelOf(
	fields: Field[],
	trail: Array<string | number>,
	node: Pick<INode, 'typeVersion'>,
): string | undefined {
	const keys = trail.filter((key) => typeof key === 'string');
	return keys.length === 0 ? undefined : nearest(fields, keys, node)?.label;
}

/** The control nearest to a place, and how many keys lead to it: several may fill parts of one object. */
function nearest(
	fields: Field[],
	keys: string[],
	node: Pick<INode, 'typeVersion'>,
): { label: string; depth: number } | undefined {
	let best: { label: string; depth: number } | undefined;
	for (const field of fields) {
		if (!isInVersion(field, node)) continue;
		const found = within(field, keys, node);
		if (found !== undefined && found.depth > (best?.depth ?? 0)) best = found;
	}
	return best;
}

function within(
	field: Field,
	keys: string[],
	node: Pick<INode, 'typeVersion'>,
): { label: string; depth: number } | undefined {
	const children = (field.options ?? []).flatMap((option) =>
		'values' in option ? option.values : 'type' in option ? [option] : [],
	);
	if (field.wire?.spread) return nearest(children, keys, node);
	const own = (field.wire?.as ?? field.name).split('.');
	if (!own.every((key, index) => keys[index] === key)) return undefined;
	const child = nearest(children, keys.slice(own.length), node);
	if (child === undefined) return { label: field.displayName, depth: own.length };
	return { label: `${field.displayName} → ${child.label}`, depth: own.length + child.depth };
}

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
	if (keys.length === 0) return undefined;
	for (const field of fields) {
		if (!isInVersion(field, node)) continue;
		const children = (field.options ?? []).flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option] : [],
		);
		if (field.wire?.spread) {
			const label = labelOf(children, trail, node);
			if (label !== undefined) return label;
			continue;
		}
		const own = (field.wire?.as ?? field.name).split('.');
		if (!own.every((key, index) => keys[index] === key)) continue;
		const label = labelOf(children, keys.slice(own.length), node);
		return label === undefined ? field.displayName : `${field.displayName} → ${label}`;
	}
	return undefined;
}

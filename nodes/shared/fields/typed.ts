import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../json';

/** Formats or sources, which the service takes as plain texts, too: all as objects with `type`. */
export function withType(list: unknown): IDataObject[] {
	return [list]
		.flat()
		.map((entry) => (typeof entry === 'string' ? { type: entry } : entry))
		.filter(isObject);
}

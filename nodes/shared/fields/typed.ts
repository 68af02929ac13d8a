import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../base/json';

/** Returns an entry that may be written as its type alone, such as "markdown", as an object with `type`. */
function typed(entry: unknown): IDataObject {
	return isObject(entry) ? entry : { type: entry as string };
}

/** Returns the entries of such a list; empty if it isn't a list. */
export function typedIn(list: unknown): IDataObject[] {
	return Array.isArray(list) ? list.map(typed) : [];
}

/** Returns an object with `type`, or only its type if it has nothing else: some services know that form alone. */
export function plain(entry: IDataObject): IDataObject | string {
	return Object.keys(entry).length === 1 ? (entry.type as string) : entry;
}

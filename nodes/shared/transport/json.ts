import type { IDataObject } from 'n8n-workflow';

/** Whether a JSON value is an object, not a list. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list in a response; none where the service left the list out. */
export function listOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? (value as IDataObject[]) : [];
}

import type { IDataObject } from 'n8n-workflow';

import { hasContent } from '../base/json';
import { textOf } from '../base/text';

/** Fields of a response that aren't part of its result. */
const WORDS = [
	'success',
	'error',
	'message',
	'code',
	'details',
	'statusCode',
	'warning',
	'warnings',
];

/** Whether a response contains no result, only whether it succeeded or why it failed. */
export function hasOnlyWords(response: IDataObject): boolean {
	return Object.entries(response).every(
		([name, value]) => WORDS.includes(name) || !hasContent(value),
	);
}

/** Returns a response's warning, including those that newer services send in `warnings`. */
export function warningIn({ warning, warnings }: IDataObject): IDataObject[string] {
	if (!Array.isArray(warnings)) return warning;
	return [...new Set([warning, ...warnings].map(textOf).filter(Boolean))].join(' ') || warning;
}

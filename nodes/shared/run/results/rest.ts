import type { IDataObject } from 'n8n-workflow';

import { without } from '../../base/json';
import { warningIn } from '../../client';
import { sentences, textOf } from '../../base/text';
import { isRaw } from '../../fields/shapes';
import type { Form } from '../../form/form';

/**
 * Returns results together with the rest of their response: its warning and, for raw results, all other fields, as
 * `response`. `place` is the name of the part of the response with the results.
 */
export function withRest(
	results: IDataObject[],
	body: IDataObject,
	place: string,
	form: Pick<Form, 'get'>,
): IDataObject[] {
	if (!(place in body)) return results;
	const said = warningIn(body);
	const more = restOf(without(body, place), form);
	return results.map((result) => {
		const text = textOf(said ?? '');
		const isRepeated =
			Object.values(result).includes(text) || textOf(result.warning ?? '').includes(text);
		const warning = isRepeated ? undefined : joined(text, result.warning);
		const response = { ...(result.response as object), ...(more.response as object) };
		return {
			...result,
			...(warning ? { warning } : {}),
			...(more.response !== undefined && { response }),
		};
	});
}

function joined(one: unknown, other: unknown): string {
	return sentences([textOf(one), textOf(other ?? '')]);
}

/**
 * Returns the fields of a response that aren't results, as `response`, if results are raw; otherwise, returns nothing.
 */
export function restOf(body: IDataObject, form: Pick<Form, 'get'>): IDataObject {
	const rest = without(body, 'success', 'status', 'warning', 'warnings');
	return isRaw(form) && Object.keys(rest).length > 0 ? { response: rest } : {};
}

import type { IDataObject } from 'n8n-workflow';

import { plural } from '../base/text';
import { creditsIn, withWarning } from '../client/response';
import { jobShape } from '../fields/jobShapes';
import { placesIn } from '../fields/shapes';
import { jobStateOf } from './jobState';

/** Fields of a job's status whose values aren't results. */
const ABOUT = new Set([
	'success',
	...placesIn(jobShape.filter(({ isGoal, name }) => !isGoal && name !== 'partial')),
]);

/**
 * Returns a status, with a warning if it says that the job has completed but contains no result. `getBy` is the
 * operation that gets a result that follows; unset in that operation.
 */
export function withEmptyNote(status: IDataObject, getBy?: string): IDataObject {
	const isEmpty = jobStateOf(status.status) === 'completed' && !hasResult(status);
	if (!isEmpty) return status;
	const note = `The service found nothing: the result is empty. ${costText(creditsIn(status))} Before you start it again, check that the pages show this without a login, and ask for fewer or other fields.`;
	const isLate = getBy !== undefined && status.data === undefined;
	const late = isLate ? `If a result follows, “${getBy}” gets it at no cost.` : '';
	return withWarning(status, note, late);
}

/** Whether a status has a result, either under a known name or under one that this node doesn't know. */
export function hasResult(status: IDataObject): boolean {
	const isResult = (name: string, value: unknown) =>
		jobShape.some((field) => field.name === name) || typeof value === 'object';
	return Object.entries(status).some(
		([name, value]) => !ABOUT.has(name) && isResult(name, value) && saysAnything(value),
	);
}

/** Whether a value, or anything inside it, is more than null or a blank string. */
function saysAnything(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() !== '';
	if (typeof value !== 'object') return value !== undefined;
	return value !== null && Object.values(value).some(saysAnything);
}

function costText(credits: number | undefined): string {
	if (credits === undefined) return 'It may have been billed all the same.';
	if (credits === 0) return 'It was not billed.';
	return `It was billed all the same, with ${credits} ${plural(credits, 'credit')}.`;
}

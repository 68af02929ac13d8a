import type { IDataObject } from 'n8n-workflow';

import { hasContent } from '../base/json';
import { sentences, textOf } from '../base/text';

/** Fields of a response that aren't part of its result. */
const WORDS = 'success error message code detail details statusCode warning warnings'.split(' ');

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

/** Returns a response with these sentences added to its warning. */
export function withWarning(response: IDataObject, ...notes: unknown[]): IDataObject {
	const said = warningIn(response);
	return { ...response, warning: sentences([said && textOf(said), ...notes]) };
}

/**
 * Returns the credits that a response reports as used (`credits_used` on some servers) or, in an extraction that ends
 * immediately, as billed: the most, if it reports several; undefined if it reports none or doesn't know (-1).
 */
export function creditsIn(body: IDataObject): number | undefined {
	const { creditsUsed, credits_used: alsoUsed, creditsBilled, data } = body;
	const metadata = (data as IDataObject | undefined)?.metadata as IDataObject | undefined;
	return mostCredits(creditsUsed, alsoUsed, creditsBilled, metadata?.creditsUsed);
}

/** Returns the largest of the numbers of credits that were read for the same call; undefined if none was. */
export function mostCredits(...read: unknown[]): number | undefined {
	const known = read.filter(
		(value): value is number => Number.isFinite(value) && Number(value) >= 0,
	);
	return known.length > 0 ? Math.max(...known) : undefined;
}

/** Returns a job's status with the larger of the numbers of credits that it and another one say it has used. */
export function withMostCredits(status: IDataObject, other: IDataObject): IDataObject {
	const [own, credits] = [creditsIn(status), mostCredits(creditsIn(status), creditsIn(other))];
	return credits === own ? status : { ...status, creditsUsed: credits };
}

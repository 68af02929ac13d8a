import { ExpressionParser } from 'n8n-workflow';

import { isNothing } from '../base/json';
import { holeError } from './checks';
import type { Place } from './field';

/** Matches an empty text in place of a value, with which an expression says that it may give nothing. */
const EMPTY = /(?:\?\?|\|\||:)\s*(?:''|""|``)/;

export const mayGiveNothing = (raw: unknown): boolean => typeof raw === 'string' && EMPTY.test(raw);

/**
 * Throws for a text with a part that gives nothing, or an object. n8n leaves the part out, or writes `[object Object]`,
 * so that it can't be found in the result: n8n is asked for each part.
 */
export function checkHoles(place: Place): void {
	if (place.evaluate === undefined) return;
	for (const text of textsIn(place.raw)) {
		if (text.startsWith('=')) checkText(text.slice(1), place, place.evaluate);
	}
}

/** Returns the texts of a parameter as written in the workflow, which may be a list or an object. */
function textsIn(raw: unknown): string[] {
	if (typeof raw === 'string') return [raw];
	return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(textsIn) : [];
}

function checkText(text: string, place: Place, evaluate: NonNullable<Place['evaluate']>): void {
	if (!text.includes('{{')) return;
	const pieces = ExpressionParser.splitExpression(text).filter(
		(piece) => piece.type === 'code' || piece.text !== '',
	);
	const parts = pieces.filter(({ type }) => type === 'code').map((piece) => `{{${piece.text}}}`);
	// A text that is one expression has its value already, but of a list, n8n leaves it out.
	if (parts.length === 0 || (pieces.length === 1 && !Array.isArray(place.raw))) return;
	const values = parts.map((part) => evaluate(part));
	for (const [index, value] of values.entries()) {
		const isObject = typeof value === 'object' && String(value).includes('[object Object]');
		// Also a date that is none.
		const isNone = (value ?? undefined) === undefined || Number.isNaN(value?.valueOf());
		if (isObject || isNone) throw holeError(place, parts[index], isObject);
	}
	const isEmpty = values.every((value) => isNothing(String(value)));
	if (isEmpty && !parts.some(mayGiveNothing)) throw holeError(place, parts[0], false);
}

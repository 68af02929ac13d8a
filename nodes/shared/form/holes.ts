import { ExpressionParser } from 'n8n-workflow';

import { isNothing } from '../base/json';
import { emptyError, holeError } from './checks';
import { type Field, type Place, fieldGroupOf, isByModel } from './field';

/** Matches an empty text in place of a value, with which an expression says that it may give nothing. */
const EMPTY = /(?:\?\?|\|\||:)\s*(?:''|""|``)/;

export const mayGiveNothing = (raw: unknown): boolean => typeof raw === 'string' && EMPTY.test(raw);

/** Whether a field may have no value although something was entered. */
export const mayBeDropped = ({ wire }: Field, place: Place): boolean =>
	wire?.mayBeEmpty === true || (isByModel(place) && !wire?.limitsCosts);

/** Whether a field may be empty although it was added, or has an expression. */
export const mayBeLeftEmpty = (field: Field, place: Place): boolean =>
	mayBeDropped(field, place) || (mayGiveNothing(place.raw) && !field.wire?.limitsCosts);

/** Returns the error for a field without a value; rows that a workflow file has in another form are lost in n8n. */
export function emptyOf(field: Field, place: Place): Error {
	if (field.type !== 'fixedCollection') return emptyError(place);
	const { name, values } = fieldGroupOf(field);
	const row = `{ ${values
		.slice(0, 2)
		.map((one) => `"${one.name}": …`)
		.join(', ')} }`;
	const rows = field.typeOptions?.multipleValues === true ? `[${row}]` : row;
	return emptyError(place, `Fill it in. In a workflow file, write { "${name}": ${rows} }.`);
}

/**
 * Throws for a text with a part that gives nothing, or an object. n8n leaves the part out, or writes `[object Object]`,
 * so that it can't be found in the result: n8n is asked for each part.
 */
export function checkHoles(raw: unknown, place: Place): void {
	if (typeof raw === 'string' && raw.startsWith('=')) checkText(raw.slice(1), place);
	// It may also be written as a list or an object.
	if (typeof raw === 'object' && raw !== null)
		for (const part of Object.values(raw)) checkHoles(part, place);
}

function checkText(text: string, place: Place): void {
	const { evaluate } = place;
	if (evaluate === undefined || !text.includes('{{')) return;
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

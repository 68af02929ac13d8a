import type { IDataObject } from 'n8n-workflow';

import { isNothing } from '../base/json';
import { beside, emptyError, invalid } from '../form/checks';
import type { Place } from '../form/field';
import { PRICES, credits } from './prices';

/** Labels of the controls that a format needs. */
export const QUESTION = 'Question';
export const HIGHLIGHTS_QUERY = 'Highlights Query';
export const ATTRIBUTES = 'Attributes to Read';

/** Rejects change tracking that lacks Markdown, or that compares fields without naming any. */
export function checkTracking(types: unknown[], tracking: IDataObject, place: Place): void {
	if (!types.includes('markdown')) {
		throw invalid(place, 'has Change Tracking without Markdown', 'Add the format Markdown.');
	}
	const { modes, schema, prompt } = tracking;
	if (!Array.isArray(modes) || !(modes as unknown[]).includes('json') || schema || prompt) return;
	throw invalid(
		place,
		'has Change Tracking in JSON mode without a schema or a prompt',
		'Fill in Schema or Prompt in Change Tracking Options, or remove the mode JSON.',
	);
}

/** Formats that are redacted Markdown, or are made from it. */
const REDACTED = [
	'markdown',
	'summary',
	'json',
	'deterministicJson',
	'question',
	'highlights',
	'query',
];

/** Rejects formats that lack a setting or another format that they need. Throws NodeOperationError. */
export function checkFormats(chosen: IDataObject[], options: IDataObject, place: Place): void {
	const types = chosen.map(({ type }) => type);
	for (const format of chosen) {
		const { type, question, query, schema, prompt, selectors } = format;
		if (type === 'question' && isNothing(question)) throw emptyError(beside(place, QUESTION));
		if (type === 'highlights' && isNothing(query))
			throw emptyError(beside(place, HIGHLIGHTS_QUERY));
		if (type === 'attributes' && isNothing(selectors)) throw emptyError(beside(place, ATTRIBUTES));
		if (type === 'changeTracking') checkTracking(types, format, place);
		if (type === 'json' && isNothing(schema) && isNothing(prompt)) {
			const remedy =
				'Fill in the fields under Schema, choose a list there, or fill in JSON Prompt.';
			throw invalid(place, 'has Fields (JSON) without fields or a prompt', remedy);
		}
	}
	if (options.redactPII && !types.some((type) => REDACTED.includes(type as string))) {
		throw invalid(
			place,
			'has no format that can be redacted',
			`Redaction costs ${credits(PRICES.redaction)} a page: add Markdown, or turn off Redact Personal Data.`,
		);
	}
}

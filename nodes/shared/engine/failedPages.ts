import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { Place } from '../form/field';
import { isObject, numberOf, textOf } from '../json';
import { sentences, shortened, withoutStop } from '../text';
import { plainError } from '../transport';

/** The lowest HTTP status that says a page could not be had. */
const LOWEST_FAILURE = 400;

const CONTINUE =
	'With On Error set to “Continue (using error output)” the other pages go on, and this one goes to the error branch with what it held.';

/**
 * The failure of a page that the service returned as a result: its site answered with status 400 or above, or
 * `metadata.error` says what went wrong. Undefined for a page that is all right, and for what is not a page. `continues`
 * is for a node that goes on with the other pages.
 */
export function pageFailure(
	{ metadata }: IDataObject,
	place: Place,
	continues = false,
): NodeApiError | undefined {
	if (!isObject(metadata)) return undefined;
	const status = numberOf(metadata.statusCode);
	const reason = typeof metadata.error === 'string' ? metadata.error : '';
	if (status < LOWEST_FAILURE && reason === '') return undefined;
	const message =
		status < LOWEST_FAILURE
			? 'The page could not be scraped'
			: `The page answered with status ${status}`;
	const url = textOf(metadata.sourceURL ?? metadata.url ?? '');
	const description = sentences([
		reason === '' ? '' : `Reason: ${withoutStop(shortened(reason))}.`,
		url === '' ? '' : `Page: ${url}.`,
		'The service may have billed it.',
		continues ? '' : CONTINUE,
	]);
	return plainError(place, { message, description, level: 'warning' });
}

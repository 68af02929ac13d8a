import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../client/errors/serviceError';
import { isObject, numberOf } from '../../base/json';
import { sentences, shortened, textOf, withoutStop } from '../../base/text';

const LOWEST_FAILURE = 400;

/** Fields of a page, or of a scraped search result, that are not content. */
const ABOUT = [
	...['metadata', 'warning', 'warnings', 'url', 'sourceURL', 'title', 'description'],
	...['snippet', 'date', 'category', 'position', 'imageUrl'],
];

/** Adds an error to a page that came without any content; returns other pages unchanged. */
export function markedIfEmpty(page: IDataObject): IDataObject {
	const { metadata } = page;
	const isContent = ([name, value]: [string, unknown]) =>
		!ABOUT.includes(name) && value !== undefined && value !== null;
	if (!isObject(metadata) || metadata.error || Object.entries(page).some(isContent)) return page;
	const error = 'The service returned no content for this page';
	return { ...page, metadata: { ...metadata, error } };
}

const CONTINUE =
	'With On Error set to “Continue (using error output)” the other pages go on, and this one goes to the error branch with its content.';

/**
 * Returns the failure of a page that the service returned as a result: its site responded with status 400 or above, or
 * `metadata.error` says what went wrong. Undefined for a good page, and for anything but a page. `continues` is for a
 * node that goes on with the other pages.
 */
export function pageFailure(
	{ metadata }: IDataObject,
	continues = false,
): ServiceError | undefined {
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
	return new ServiceError(message, { description });
}

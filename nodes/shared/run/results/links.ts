import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../base/json';
import { textOf } from '../../base/text';
import { parsedUrl } from '../../base/url';

/** Attributes whose value is one link, in HTML and as pages with lazy images have them. */
const LINKS = ['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data-src', 'data-href'];

/** Returns a page whose attributes have no relative links, which mean nothing without the page's address. */
export function withWholeLinks(page: IDataObject): IDataObject {
	const { metadata, attributes } = page;
	if (!Array.isArray(attributes) || !isObject(metadata)) return page;
	const base = textOf(metadata.url ?? metadata.sourceURL ?? '');
	const whole = (value: unknown) => {
		const isRelative = typeof value === 'string' && value !== '' && !parsedUrl(value);
		return isRelative ? (parsedUrl(value, base)?.href ?? value) : value;
	};
	const read = (attributes as unknown[]).map((one) => {
		if (!isObject(one) || !Array.isArray(one.values)) return one;
		const hasLinks = LINKS.includes(textOf(one.attribute).toLowerCase());
		return hasLinks ? { ...one, values: one.values.map(whole) } : one;
	});
	return { ...page, attributes: read as IDataObject[] };
}

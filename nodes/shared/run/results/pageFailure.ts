import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../client/errors/serviceError';
import { hasContent, isObject, numberOf } from '../../base/json';
import { warningIn } from '../../client/response';
import { contents, placesIn } from '../../fields/shapes';
import { typesIn } from '../../fields/typed';
import { alternatives, isBlank, sentences, shortened, textOf, withoutStop } from '../../base/text';
import { parsedUrl } from '../../base/url';

const LOWEST_FAILURE = 400;

/** Fields of a page, or of a scraped search result, that are not content. */
const ABOUT = [
	...['metadata', 'warning', 'warnings', 'url', 'sourceURL', 'title', 'description'],
	...['snippet', 'date', 'category', 'position', 'imageUrl', 'response', 'file', 'success'],
	...['id', 'scrapeId', 'jobId', 'creditsUsed', 'cacheState', 'cachedAt', 'statusCode', 'error'],
	...['contentType', 'proxyUsed', 'language', 'requestedUrl', 'concurrencyLimited'],
];

/** Formats whose result is a string or an object, which is never empty if the page has something to say. */
const TEXTS = ['markdown', 'summary', 'html', 'rawHtml', 'json', 'answer'];

/** Scrape options that may exclude all content, with their labels. */
const NARROWING: Array<[option: string, label: string]> = [
	['includeTags', 'Include Tags'],
	['excludeTags', 'Exclude Tags'],
	['redactPII', 'Redact Personal Data'],
	['onlyMainContent', 'Only Main Content'],
];

/** Returns what is wrong with a page whose site responded with a status of 400 or above. */
const badStatus = (status: number) => `The page answered with status ${status}`;

/** Attributes whose value is one link, in HTML and as pages with lazy images have them. */
const LINKS = ['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data-src', 'data-href'];

/** Returns a page whose attributes have no relative links, which mean nothing without the page's address. */
function withWholeLinks(page: IDataObject): IDataObject {
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

/**
 * Returns a page whose attributes have whole links, with an error if its site responded with status 400 or above or if
 * it came without content, and with a warning that names its empty contents if it has others. `body` is the request, if
 * known: it shows which options may be the cause.
 */
export function markedPage(whole: IDataObject, body: IDataObject = {}): IDataObject {
	const page = withWholeLinks(whole);
	const given = page.metadata;
	const metadata = isObject(given) ? given : hasContent(given) ? { result: given } : {};
	if (metadata.error) return page;
	const status = numberOf(metadata.statusCode);
	if (status >= LOWEST_FAILURE) {
		return { ...page, metadata: { ...metadata, error: badStatus(status) } };
	}
	const said = textOf(warningIn(page) ?? '');
	if (!hasPageContent(page)) {
		const why = said === '' ? causesIn(body) : `: ${withoutStop(said)}`;
		return { ...page, metadata: { ...metadata, error: `${NO_CONTENT}${why}` } };
	}
	// A file that comes as it is has no other formats.
	const asked = hasContent(page.rawBase64) ? [] : formatsIn(body);
	const lost = contents.filter((field) => {
		const values = placesIn([field]).map((place) => page[place]);
		if (!values.every((value) => hasNothing(value))) return false;
		// Some services send null for formats that nobody asked for.
		const isSent = TEXTS.includes(field.name) && values.some((value) => (value ?? null) !== null);
		return isSent || asked.some((type) => placesIn([field]).includes(type));
	});
	const others = lost.filter(({ name }) => name !== 'video' || hasNothing(page.videos));
	if (others.length === 0) return page;
	const why = said === '' ? causesIn(body) : '';
	const note = `The service returned no ${others.map(({ name }) => name).join(', ')}${why}.`;
	return { ...page, warning: sentences([said, note]) };
}

const NO_CONTENT = 'The service returned no content for this page';

/** Whether a page has content in any format, even one that this node doesn't know. */
export function hasPageContent(page: IDataObject): boolean {
	return Object.entries(page).some(([name, value]) => !ABOUT.includes(name) && !hasNothing(value));
}

/** Deepest level of objects in which content is looked for; anything below counts as content. */
const DEEPEST = 5;

/**
 * Whether a value has nothing in it, such as an object of empty fields, a list of these, the HTML of an empty page or
 * the attributes of elements that aren't there. An empty list only counts as empty inside an object: otherwise, it says
 * that the page has none of these things.
 */
function hasNothing(value: unknown, level = 0): boolean {
	if (isObject(value)) {
		if (level >= DEEPEST) return false;
		if (Array.isArray(value.values) && 'selector' in value) return value.values.length === 0;
		// A JSON result may have a million keys, and mostly the first one has content.
		for (const name in value) if (!hasNothing(value[name], level + 1)) return false;
		return true;
	}
	if (Array.isArray(value)) {
		if (value.length === 0) return level > 0;
		return value.every((entry) => hasNothing(entry, level + 1));
	}
	if (typeof value !== 'string') return value === undefined || value === null;
	return isBlank(value) || (value.length <= LONGEST_SHELL && SHELL.test(value));
}

/** The HTML of a page with nothing in it, of at most so many characters. */
const LONGEST_SHELL = 1_000;
const SHELL = /^(\s|<(!doctype|\/?(html|head|body|div|main|p|span))\b[^<>]*>)+$/i;

/** Returns the types of the formats that a request asks for. */
export function formatsIn(body: IDataObject): string[] {
	// A search scrapes nothing by itself, and of a job that only its ID names, the request isn't known.
	const byDefault = 'url' in body || 'urls' in body ? ['markdown'] : [];
	const { formats = byDefault } = optionsIn(body);
	return typesIn(formats).map(String);
}

function optionsIn(body: IDataObject): IDataObject {
	return isObject(body.scrapeOptions) ? body.scrapeOptions : body;
}

/** Returns which options of a request may have excluded the content, as text to append to a message; empty if none. */
function causesIn(body: IDataObject): string {
	const options = optionsIn(body);
	// Only Main Content is on unless it is turned off.
	const given: IDataObject = { onlyMainContent: true, ...options };
	const labels = NARROWING.filter(
		([option]) => hasContent(given[option]) && given[option] !== false,
	).map(([, label]) => label);
	const isOfText = formatsIn(body).some((type) => type === 'question' || TEXTS.includes(type));
	return isOfText && labels.length > 0 ? `; ${alternatives(labels)} may be the cause` : '';
}

const CONTINUE =
	'With On Error set to “Continue (using error output)” the other pages go on, and this one goes to the error branch with its content.';

/** Beginnings of our own reasons for a URL that was never requested. */
const NEVER_REQUESTED = ['Not scraped: ', 'The service does not accept this URL', 'robots.txt of '];

const wasNeverRequested = (reason: string) =>
	reason.endsWith(', so it was not sent') ||
	NEVER_REQUESTED.some((beginning) => reason.startsWith(beginning));

interface FailureSettings {
	continues?: boolean;
	mayCost?: boolean;
	getBy?: string;
}

/**
 * Returns the failure of a page that the service returned as a result: its site responded with status 400 or above, or
 * `metadata.error` says what went wrong. Undefined for a good page, and for anything that isn't a page. `continues` is
 * for a node that continues with the other pages, `mayCost` for a call that may have been billed, and `getBy` is the
 * operation that gets the pages of the job that it started.
 */
export function pageFailure(
	{ metadata, url: address }: IDataObject,
	{ continues = false, mayCost = false, getBy }: FailureSettings = {},
): ServiceError | undefined {
	if (!isObject(metadata)) return undefined;
	const status = numberOf(metadata.statusCode);
	const reason = typeof metadata.error === 'string' ? metadata.error : '';
	if (status < LOWEST_FAILURE && reason === '') return undefined;
	const failed = status < LOWEST_FAILURE ? 'The page could not be scraped' : badStatus(status);
	const url = textOf(metadata.sourceURL ?? metadata.url ?? address ?? '');
	const why = reason === '' || reason === failed ? '' : `: ${withoutStop(shortened(reason))}`;
	const description = sentences([
		url === '' ? '' : `Page: ${url}.`,
		mayCost && !wasNeverRequested(reason) ? 'The service may have billed it.' : '',
		continues ? '' : CONTINUE,
		getBy && !continues
			? `"${getBy}" with the job ID gets all pages of the job at no cost; starting it again costs credits again.`
			: '',
	]);
	return new ServiceError(failed + why, {
		description,
		service: { url, reason: reason || failed },
	});
}

import { invalid, quoted } from '../form/checks';
import type { Place } from '../form/field';

/** Words that appear in the paths of crawl lists in place of an ID, and are never IDs of crawls. */
const NO_IDS = ['active', 'ongoing'];

/**
 * Returns the crawl ID in pasted text: the ID itself, or the URL of the crawl's status (`url` in the response that
 * starts a crawl), whose host is ignored. Throws NodeOperationError for any other URL and for an invalid ID.
 */
export function crawlIdOf(entered: string, place: Place): string {
	const isUrl = /^https?:\/\//i.test(entered);
	const id = isUrl ? /^[^?#]*\/crawl\/([^/?#]+)/.exec(entered)?.[1] : entered;
	if (id !== undefined && !NO_IDS.includes(id.toLowerCase())) return id;
	throw isUrl
		? invalid(
				place,
				`has a URL that is not a crawl's: ${quoted(entered)}`,
				'The URL of a crawl ends in /crawl/ and its ID.',
			)
		: invalid(
				place,
				`is ${quoted(entered)}, which is not an ID`,
				'Use the ID returned when the crawl was started.',
			);
}

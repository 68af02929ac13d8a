import { invalid } from '../form/checks';
import type { Place } from '../form/field';

/**
 * The id of a crawl in what a person pastes: the id itself, or the URL of the crawl's status (`url` of the answer
 * that starts a crawl), whose host is of no account. Throws NodeOperationError for any other URL.
 */
export function crawlIdOf(entered: string, place: Place): string {
	if (!/^https?:\/\//i.test(entered)) return entered;
	const [, id] = /^[^?#]*\/crawl\/([^/?#]+)/.exec(entered) ?? [];
	if (id !== undefined && id !== 'active') return id;
	throw invalid(
		place,
		`has a URL that is not a crawl's: "${entered.slice(0, 80)}"`,
		'The URL of a crawl ends in /crawl/ and its ID.',
	);
}

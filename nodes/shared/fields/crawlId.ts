import { asText } from '../form/checks';
import type { Place } from '../form/field';
import { checkedId } from '../form/ids';

/**
 * Returns the crawl ID in what was entered: the ID itself, or that in the URL of the crawl's status (`url` in the
 * response that starts a crawl), whose host is ignored. Throws NodeOperationError for an invalid ID.
 */
export function crawlIdOf(entered: unknown, place: Place): string {
	const [, id = entered] = /^\s*https?:[^?#]*\/crawl\/([^/?#]+)/i.exec(asText(entered)) ?? [];
	return checkedId(id, place);
}

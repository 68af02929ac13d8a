import type { Place } from '../form/field';
import { checkedId } from '../form/ids';

/**
 * Returns the crawl ID in entered text: the ID itself, or that in the URL of the crawl's status (`url` in the response
 * that starts a crawl), whose host is ignored. Throws NodeOperationError for an invalid ID.
 */
export const crawlIdOf = (entered: string, place: Place): string =>
	checkedId(/^https?:[^?#]*\/crawl\/([^/?#]+)/i.exec(entered)?.[1] ?? entered, place);

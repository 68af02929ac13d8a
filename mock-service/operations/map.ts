import { webHit } from '../data/hits';
import { topicOf } from '../data/texts';
import { invalidUrls, ok, type ServiceResponse } from '../response';
import { isUrl, paid, type Context } from './context';
import { pageFailure } from './pageFailures';

/**
 * Maps a site. The service's sites have 24 pages each, or none if the site can't be scraped; `search` moves pages whose
 * title has the words to the top.
 */
export function map(context: Context): ServiceResponse {
	const { state, body, settings } = context;
	const url = String(body.url);
	if (!isUrl(url)) return invalidUrls([['url']]);
	return paid(context, 'map', 1, () => {
		const origin = new URL(url).origin;
		const topic = topicOf(String(body.search ?? new URL(url).hostname));
		const all = pageFailure(url) ? 0 : 24;
		const count = Math.max(0, Math.min((body.limit as number) ?? 5000, all));
		const links = Array.from({ length: count }, (_, index) => {
			const hit = webHit(settings.seed, topic, index);
			return { ...hit, url: `${origin}${new URL(hit.url).pathname}` };
		});
		const id = state.newId();
		state.note(id, 'map', 'v2', url);
		return ok({ success: true, id, links });
	});
}

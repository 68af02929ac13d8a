import { webHit } from '../data/hits';
import { topicOf } from '../data/texts';
import { invalidUrls, ok, type ServiceResponse } from '../response';
import { isUrl } from '../urls';
import { paid, type Context } from './context';
import { pageFailure } from './pageFailures';

/**
 * Maps a site. The service's sites have 24 pages each, or none if the site can't be scraped, and a growing one has a new
 * post every now and then; `search` moves pages whose title has the words to the top.
 */
export function map(context: Context): ServiceResponse {
	const { state, body, settings } = context;
	const url = String(body.url);
	if (!isUrl(url)) return invalidUrls([['url']]);
	return paid(context, 'map', 1, () => {
		const origin = new URL(url).origin;
		const topic = topicOf(String(body.search ?? new URL(url).hostname));
		const all = pageFailure(url) ? 0 : 24;
		const found = Array.from({ length: all }, (_, index) => {
			const hit = webHit(settings.seed, topic, index);
			return { ...hit, url: `${origin}${new URL(hit.url).pathname}` };
		});
		const posts = state.web.postsOf(new URL(url), settings.growMs);
		const listed = state.web.siteAt(origin) ?? [...posts, ...found];
		const links = listed
			.slice(0, Math.max(0, (body.limit as number) ?? 5000))
			.map((link) => (typeof link === 'string' ? { url: link } : link));
		const id = state.newId();
		state.note(id, 'map', 'v2', url);
		return ok({ success: true, id, links });
	});
}

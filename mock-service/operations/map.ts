import { pageUrl } from '../data/crawlPage';
import { page } from '../data/page';
import { invalidUrls, ok, type ServiceResponse } from '../response';
import { isUrl } from '../urls';
import type { SetHit } from '../web';
import { paid, type Context } from './context';
import { pageFailure } from './pageFailures';
import { sitePaths } from './paths';

/**
 * Maps a site: the pages that a crawl finds, or none if the site can't be scraped. New posts come first, and, with
 * `search`, the pages whose title contains one of its words.
 */
export function map(context: Context): ServiceResponse {
	const { state, body, fileUrl, version } = context;
	const url = String(body.url);
	if (!isUrl(url)) return invalidUrls([['url']]);
	return paid(context, 'map', 1, () => {
		const { origin, hostname } = new URL(url);
		const words = String(body.search ?? '')
			.toLowerCase()
			.split(/\s+/)
			.filter(Boolean);
		const has = (title = '') => Number(words.some((word) => title.toLowerCase().includes(word)));
		const urls = pageFailure(url)
			? []
			: sitePaths.map((_, index) => pageUrl({ url, paths: sitePaths }, index));
		const found = urls.map((one) => {
			const { metadata } = page({ url: one, topic: hostname, formats: [] }, fileUrl);
			const { title, description } = metadata as { title: string; description: string };
			return { url: one, title, description };
		});
		const links = state.web
			.linksOf(origin, found)
			.map((link): Partial<SetHit> => (typeof link === 'string' ? { url: link } : link))
			.sort((a, b) => has(b.title) - has(a.title))
			.slice(0, Math.max(0, (body.limit as number) ?? 5000));
		const id = state.newId();
		state.note(id, 'map', version, url);
		return ok({ success: true, id, links });
	});
}

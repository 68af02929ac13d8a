import { hash, pick } from './hash';
import { ANGLES, capital, SENTENCES, SITES, slug, topicOf } from './texts';

export interface Hit {
	title: string;
	description: string;
	url: string;
}

/** Returns the web result at a position (from 0) of a query; with a category, a page of that kind. */
export function webHit(seed: number, query: string, index: number, category?: string): Hit {
	const topic = topicOf(query);
	const n = hash(seed, query, index);
	const [host, site] = pick(SITES, n);
	const angle = pick(ANGLES, n + index);
	const path = `${slug(topic)}/${slug(angle)}-${index + 1}`;
	const urls: Record<string, string> = {
		developer: `https://docs.${slug(site)}.example/${slug(topic)}-${index + 1}`,
		github: `https://github.com/${slug(site)}/${slug(topic)}-${index + 1}`,
		research: `https://papers.openlab.example/abs/${slug(topic)}-${index + 1}`,
		pdf: `https://${host}/${path}.pdf`,
	};
	return {
		title: `${capital(topic)}: ${angle} | ${site}`,
		description: `${site} on ${topic}. ${pick(SENTENCES, n >>> 4)}`,
		url: (category && urls[category]) || `https://${host}/${path}`,
	};
}

/** Returns the image result at a position (from 0). `file` is the URL of the image. */
export function imageHit(seed: number, query: string, index: number, file: string) {
	const { url } = webHit(seed, query, index);
	const title = `${capital(topicOf(query))}, picture ${index + 1}`;
	return { title, imageUrl: file, imageWidth: 1280, imageHeight: 720, url, position: index + 1 };
}

/** Returns the news result at a position (from 0). `file` is the URL of its image. */
export function newsHit(seed: number, query: string, index: number, file: string) {
	const topic = topicOf(query);
	const n = hash(seed, 'news', query, index);
	return {
		title: `In the news: ${topic}, ${pick(ANGLES, n + index)}`,
		snippet: `${pick(SENTENCES, n >>> 3)} ${pick(SENTENCES, n >>> 7)}`,
		url: `https://thedailyledger.example/news/${slug(topic)}-${index + 1}`,
		date: `${(n % 6) + 1} days ago`,
		imageUrl: file,
		position: index + 1,
	};
}

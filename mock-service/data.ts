import { pdf } from './files';

/** A number from 0 to 2^32-1 that depends on nothing but its arguments (FNV-1a, then mixed). */
export function hash(...parts: Array<string | number>): number {
	let h = 0x811c9dc5;
	const text = parts.join('\u0000');
	for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
	h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
	return (h ^ (h >>> 13)) >>> 0;
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length];

/** A version 4 UUID made from its arguments. */
export function uuid(...parts: Array<string | number>): string {
	const hex = [0, 1, 2, 3]
		.map((i) =>
			hash(...parts, i)
				.toString(16)
				.padStart(8, '0'),
		)
		.join('');
	const variant = '89ab'[parseInt(hex[16], 16) % 4];
	const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
	return [...groups, `${variant}${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

const SITES = [
	['fieldnotes.example', 'Field Notes'],
	['docs.northwind.example', 'Northwind Docs'],
	['thedailyledger.example', 'The Daily Ledger'],
	['guides.brightpath.example', 'Brightpath Guides'],
	['papers.openlab.example', 'Open Lab Papers'],
	['market.harbor.example', 'Harbor Market Watch'],
] as const;
const ANGLES = [
	'a practical guide',
	'what changed this year',
	'compared and explained',
	'lessons from the field',
	'the numbers behind it',
	'a beginner’s introduction',
	'best practices',
	'frequently asked questions',
] as const;
const SENTENCES = [
	'Teams that started small and measured often got there first.',
	'The figures come from a survey of 412 companies in eleven countries.',
	'Costs fell by a third once the manual steps were automated.',
	'Most of the work lies in keeping the data clean, not in collecting it.',
	'Reviewers agree that a clear owner matters more than the choice of tool.',
	'The next update is planned for the coming quarter.',
] as const;

const slug = (text: string) =>
	text
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-+|-+$/g, '')
		.slice(0, 60) || 'topic';

/** The topic of a query: its words without operators and quotes. */
export function topicOf(query: string): string {
	const words = query.replace(/(^|\s)-?\w+:\S+/g, ' ').replace(/["()]/g, ' ');
	return words.replace(/\s+/g, ' ').trim() || query.trim() || 'the web';
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export interface Hit {
	title: string;
	description: string;
	url: string;
}

/** The web result at a position (from 0) of a query; with a category, a page of that kind. */
export function webHit(seed: number, query: string, index: number, category?: string): Hit {
	const topic = topicOf(query);
	const n = hash(seed, query, index);
	const [host, site] = pick(SITES, n);
	const angle = pick(ANGLES, n + index);
	const path = `${slug(topic)}/${slug(angle)}-${index + 1}`;
	const urls: Record<string, string> = {
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

/** The image result at a position (from 0). `file` is the URL of the image. */
export function imageHit(seed: number, query: string, index: number, file: string) {
	const hit = webHit(seed, query, index);
	const [width, height] = pick(
		[
			[1280, 720],
			[1920, 1080],
			[800, 600],
		] as const,
		hash(seed, query, index),
	);
	return {
		title: `${capital(topicOf(query))}, picture ${index + 1}`,
		imageUrl: file,
		imageWidth: width,
		imageHeight: height,
		url: hit.url,
		position: index + 1,
	};
}

/** The news result at a position (from 0). `file` is the URL of its image. */
export function newsHit(seed: number, query: string, index: number, file: string) {
	const topic = topicOf(query);
	const n = hash(seed, 'news', query, index);
	const headline = pick(
		[
			`${capital(topic)} in the news: new figures published`,
			`Why everyone talks about ${topic}`,
			`Analysts expect more from ${topic}`,
			`${capital(topic)}: three things to know this week`,
		],
		n,
	);
	return {
		title: headline,
		snippet: `${pick(SENTENCES, n >>> 3)} ${pick(SENTENCES, n >>> 7)}`,
		url: `https://thedailyledger.example/news/${slug(topic)}-${index + 1}`,
		date: `${(n % 6) + 1} days ago`,
		imageUrl: file,
		position: index + 1,
	};
}

const titleOf = (url: string) => {
	const last =
		url
			.replace(/[?#].*$/, '')
			.split('/')
			.filter(Boolean)
			.pop() ?? url;
	return capital(last.replace(/\.\w+$/, '').replace(/[-_]+/g, ' '));
};

/** The text of a page as markdown. */
function pageMarkdown(url: string, topic: string): string {
	const n = hash(url);
	const facts = [0, 1, 2].map((i) => `- ${pick(SENTENCES, n + i)}`).join('\n');
	const intro = `This page at ${url} covers ${topic}. ${pick(SENTENCES, n >>> 5)}`;
	return `# ${titleOf(url)}\n\n${intro}\n\n## Key points\n\n${facts}\n\n[Read more](${url}/more)\n`;
}

type Entry = Record<string, unknown>;

export interface PageRequest {
	url: string;
	topic: string;
	formats: Array<Entry & { type: string }>;
	actions?: Array<Entry & { type: string }>;
	parsers?: unknown[];
}

/**
 * The result fields of one scraped page: metadata, and of the rest only what was asked for.
 * `fileUrl(name)` gives the address of one of this service's own files. Assumptions, as the
 * document doesn't show them: fields are named like their format, a PDF with `parsers: []` comes
 * base64-encoded in `markdown` (and rawHtml).
 */
export function page(request: PageRequest, fileUrl: (name: string) => string): Entry {
	const { url, topic } = request;
	const title = titleOf(url);
	const key = hash(url).toString(16);
	const asPdf = url.endsWith('.pdf') && request.parsers?.length === 0;
	const markdown = asPdf ? pdf(title).toString('base64') : pageMarkdown(url, topic);
	const html = `<h1>${title}</h1><p>This page covers ${topic}.</p><a href="${url}/more">Read more</a>`;
	const result: Entry = {};
	const fields: Record<string, (format: Entry) => unknown> = {
		markdown: () => markdown,
		summary: () => `${title}: ${pick(SENTENCES, hash(url, 'summary'))}`,
		html: () => html,
		rawHtml: () =>
			asPdf
				? markdown
				: `<!doctype html><html><head><title>${title}</title></head><body>${html}</body></html>`,
		links: () => [`${url}/more`, `${url}/about`, new URL('/', url).href],
		images: () => [fileUrl(`image-${key}.png`)],
		screenshot: () => fileUrl(`screenshot-${key}.png`),
		audio: () => fileUrl(`audio-${key}.mp3`),
		video: () => fileUrl(`video-${key}.mp3`),
		json: (format) => example(format.schema as Entry | undefined, topic, url),
		changeTracking: () => ({ previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' }),
		branding: () => ({
			colorScheme: 'light',
			colors: { primary: `#${key.padEnd(6, '0').slice(0, 6)}` },
		}),
		product: () => ({ title, price: (hash(url) % 9000) / 100 + 10, currency: 'USD' }),
		menu: () => ({ sections: [{ name: 'Lunch', items: [{ name: 'Soup', price: 6.5 }] }] }),
		question: () => `According to ${url}: ${pick(SENTENCES, hash(url, 'question'))}`,
		highlights: () => [pick(SENTENCES, hash(url, 'highlight'))],
	};
	for (const format of request.formats) {
		const name = format.type === 'question' ? 'answer' : format.type;
		result[name] = fields[format.type]?.(format) ?? null;
	}
	if (request.actions?.length) result.actions = actionResults(request.actions, url, html, fileUrl);
	result.metadata = {
		title,
		description: `A page about ${topic}.`,
		...pageFacts(url, title),
	};
	return result;
}

/** What a page's metadata has besides its texts. */
function pageFacts(url: string, title: string): Entry {
	return {
		language: 'en',
		robots: 'index, follow',
		ogTitle: title,
		'og:title': title,
		sourceURL: url,
		url,
		statusCode: 200,
		contentType: url.endsWith('.pdf') ? 'application/pdf' : 'text/html; charset=utf-8',
		proxyUsed: 'basic',
		scrapeId: uuid(url),
		creditsUsed: 1,
	};
}

function actionResults(
	actions: Array<Entry & { type: string }>,
	url: string,
	html: string,
	fileUrl: (name: string) => string,
): Entry {
	const key = hash(url).toString(16);
	const named = (type: string, name: (index: number) => unknown) =>
		actions.filter((action) => action.type === type).map((_, index) => name(index));
	return {
		screenshots: named('screenshot', (i) => fileUrl(`action-${key}-${i}.png`)),
		scrapes: named('scrape', () => ({ url, html })),
		javascriptReturns: named('executeJavascript', () => ({ type: 'string', value: 'ok' })),
		pdfs: named('pdf', (i) => fileUrl(`action-${key}-${i}.pdf`)),
	};
}

const TEXTS: Array<[RegExp, (topic: string, url: string, n: number) => unknown]> = [
	[/e-?mail/i, () => 'hello@northwind.example'],
	[/url|link|website|homepage/i, (_topic, url) => url],
	[/date|founded|since/i, (_topic, _url, n) => `20${10 + (n % 15)}-0${1 + (n % 9)}-15`],
	[/compan|organi[sz]ation|vendor|brand/i, (_topic, _url, n) => pick(SITES, n)[1]],
	[
		/name|author|person|ceo|founder/i,
		(_topic, _url, n) => pick(['Ada Larsen', 'Noor Haddad', 'Jun Okafor'], n),
	],
	[/currency/i, () => 'USD'],
	[/city|country|location/i, (_topic, _url, n) => pick(['Oslo', 'Lisbon', 'Nairobi'], n)],
	[/title|headline/i, (topic) => capital(topic)],
];

/** A value of a JSON Schema, plausible by the names of its properties; always the same. */
export function example(
	schema: Entry | undefined,
	topic: string,
	url: string,
	name = '',
	depth = 0,
): unknown {
	if (!schema || (Object.keys(schema).length === 0 && depth === 0)) {
		return { answer: `${capital(topic)}: ${pick(SENTENCES, hash(topic))}`, sources: [url] };
	}
	if ('const' in schema) return schema.const;
	if (Array.isArray(schema.enum)) return schema.enum[0];
	if ('default' in schema) return schema.default;
	const n = hash(topic, url, name, depth);
	const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
	if (depth > 8) return null;
	if (schema.properties || type === 'object') {
		const properties = Object.entries((schema.properties ?? {}) as Record<string, Entry>);
		return Object.fromEntries(
			properties.map(([key, value]) => [key, example(value, topic, url, key, depth + 1)]),
		);
	}
	if (type === 'array') {
		return [0, 1].map((i) =>
			example((schema.items ?? { type: 'string' }) as Entry, topic, `${url}#${i}`, name, depth + 1),
		);
	}
	if (type === 'integer') return (schema.minimum as number) ?? n % 1000;
	if (type === 'number') return (schema.minimum as number) ?? (n % 10000) / 100;
	if (type === 'boolean') return n % 2 === 0;
	if (type === 'null') return null;
	const made = TEXTS.find(([pattern]) => pattern.test(name));
	return made ? made[1](topic, url, n) : pick(SENTENCES, n);
}

const fillers = new Map<number, string>();

/** `bytes` of plausible text, the same for every call; kept once per size. */
function filler(bytes: number): string {
	let text = fillers.get(bytes);
	if (text === undefined) {
		const block = SENTENCES.join(' ');
		text = block.repeat(Math.ceil(bytes / block.length)).slice(0, bytes);
		fillers.set(bytes, text);
	}
	return text;
}

/**
 * One page of a crawl as JSON text of about `pageBytes` bytes (at least its fields): made when it
 * is asked for, so that a crawl of any size takes no memory. Every page has its own URL.
 */
export function crawlPage(
	crawl: { url: string; pageBytes: number },
	index: number,
	formats: Array<Entry & { type: string }>,
	fileUrl: (name: string) => string,
): string {
	const url = `${crawl.url.replace(/\/+$/, '')}/page-${index + 1}`;
	const topic = new URL(crawl.url).hostname;
	const result = page({ url, topic, formats }, fileUrl);
	result.metadata = {
		title: `Page ${index + 1} of ${topic}`,
		description: `Page ${index + 1} of the site ${topic}.`,
		keywords: 'guide, handbook, reference',
		ogLocaleAlternate: ['de_DE'],
		...pageFacts(url, `Page ${index + 1}`),
	};
	const text = JSON.stringify(result);
	const missing = crawl.pageBytes - text.length;
	if (missing <= 0 || typeof result.markdown !== 'string') return text;
	// The filler needs no escaping: it goes in as it is, at the start of the markdown.
	return text.replace('"markdown":"', () => `"markdown":"${filler(missing)}\\n\\n`);
}

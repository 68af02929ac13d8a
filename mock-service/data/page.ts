import type { Entry, Typed } from '../entry';
import { example } from './example';
import { sample } from './files';
import { hash, pick, uuid } from './hash';
import { capital, SENTENCES } from './texts';

/** Returns the title of a page, made from the last part of its address. */
export const titleOf = (url: string) => {
	const last =
		url
			.replace(/[?#].*$/, '')
			.split('/')
			.filter(Boolean)
			.pop() ?? url;
	return capital(last.replace(/\.\w+$/, '').replace(/[-_]+/g, ' '));
};

/** Returns the text of a page as markdown. */
function pageMarkdown(url: string, topic: string): string {
	const n = hash(url);
	const facts = [0, 1, 2].map((i) => `- ${pick(SENTENCES, n + i)}`).join('\n');
	const intro = `This page at ${url} covers ${topic}. ${pick(SENTENCES, n >>> 5)}`;
	return `# ${titleOf(url)}\n\n${intro}\n\n## Key points\n\n${facts}\n\n[Read more](${url}/more)\n`;
}

/** Returns the name of a format's result. */
const fieldOf = ({ type }: Typed) => (/^(question|query)$/.test(type) ? 'answer' : type);

export interface PageRequest {
	url: string;
	topic: string;
	formats: Typed[];
	actions?: Typed[];
	parsers?: unknown[];
}

/**
 * Returns the result fields of a scraped page: its metadata, plus whatever was requested. `fileUrl(name)` returns the
 * address of one of this service's own files. Assumptions, since the document doesn't show them: fields are named like
 * their format, and a PDF with `parsers: []` comes base64-encoded in `markdown` (and rawHtml).
 */
export function page(
	{ url, topic, formats, actions = [], parsers }: PageRequest,
	fileUrl: (name: string) => string,
): Entry {
	const title = titleOf(url);
	const key = hash(url).toString(16);
	const asPdf = url.endsWith('.pdf') && parsers?.length === 0;
	const markdown = asPdf ? sample('pdf').content.toString('base64') : pageMarkdown(url, topic);
	const html = `<h1>${title}</h1><p>This page covers ${topic}.</p><a href="${url}/more">Read more</a>`;
	const fields: Entry = {
		markdown,
		summary: `${title}: ${pick(SENTENCES, hash(url, 'summary'))}`,
		html,
		rawHtml: asPdf ? markdown : `<!doctype html><title>${title}</title><body>${html}</body>`,
		links: [`${url}/more`, `${url}/about`, new URL('/', url).href],
		images: [fileUrl(`image-${key}.png`)],
		screenshot: fileUrl(`screenshot-${key}.png`),
		audio: fileUrl(`audio-${key}.mp3`),
		video: fileUrl(`video-${key}.mp4`),
		branding: { colorScheme: 'light', colors: { primary: '#1f6feb' } },
		product: { title, price: (hash(url) % 9000) / 100 + 10, currency: 'USD' },
		menu: { sections: [{ name: 'Lunch', items: [{ name: 'Soup', price: 6.5 }] }] },
		rawBase64: Buffer.from(html).toString('base64'),
		answer: `According to ${url}: ${pick(SENTENCES, hash(url, 'question'))}`,
		highlights: pick(SENTENCES, hash(url, 'highlight')),
	};
	const valueOf = (format: Typed) => {
		if (format.type === 'json') return example(format.schema, { topic, url, title });
		if (format.type !== 'attributes') return fields[fieldOf(format)] ?? null;
		return (format.selectors as Entry[]).map((one) => ({ ...one, values: [title] }));
	};
	const metadata = {
		title,
		description: `A page about ${topic}.`,
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
	const found = formats.map((format) => [fieldOf(format), valueOf(format)]);
	return {
		...Object.fromEntries(found),
		...(actions.length > 0 && { actions: actionResults(actions, url, html, fileUrl) }),
		metadata,
	};
}

function actionResults(
	actions: Typed[],
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

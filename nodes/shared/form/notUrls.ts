import { UUID } from './ids';

/** What an entry was read as: the URL to send, or the original text, what it is (`which …`), and what to do. */
export interface Read {
	text: string;
	problem?: string;
	remedy?: string;
}

export const ALONE = 'Enter the URL alone.';

const WORDS = 'For words, use Web Data Search. A URL is like https://example.com.';

/** What strings that aren't URLs of web pages are, recognized by how they begin or what they contain. */
const OTHERS: Array<[pattern: RegExp, what: string, remedy: string]> = [
	[/.https?:\/\/[^/]/i, 'text with a URL in it, not a URL', ALONE],
	[/^(?:mailto:)?[^\s@/:]+@[^\s@/]+$/i, 'an email address, not a URL', 'Enter that of a web page.'],
	[
		/^(?:file:|[a-z]:\\)|^[^/\\]+\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|epub|csv)$/i,
		'the name of a file, not a URL',
		'For a file of the input, choose Web Data Scrape → Read PDF or Office File.',
	],
	[
		new RegExp(`^${UUID}$`, 'i'),
		'an ID, not a URL',
		'For an earlier scrape, choose Web Data Scrape → Get Earlier Scrape Again; for a job, the operation that gets it.',
	],
	// Words with a blank may have dots and operators.
	[/^(?!https?:|[./#])(?=\S+\s)(?=\P{L}*\p{L})[^\\@<>{}[\]]+$/u, 'not a URL', WORDS],
	[/^(?=.*\p{L})[^./\\:@#=<>{}[\]]+[.?!]?$/u, 'not a URL', WORDS],
	[/^#/, 'a place in a page, not a URL', ''],
	[/^\.{0,2}\//, 'a path without its site, not a URL', ''],
	[/^(?!https?:)[a-z][a-z\d+-]*:(?!\d{1,5}(?:\D|$))/i, 'not the URL of a web page', ''],
];

/** Matches what stands for something to fill in: in code, a command line or documentation. */
const PLACEHOLDERS = [
	/\{\{|%7b%7b|[$#%]\{[a-z]|<[a-z][\w -]{0,40}(?:>|$)|%[sd](?![\da-f])/i,
	// In a path. An ID in braces has more than a digit.
	/^[^?#]*[/_.-](?:\{|%7b)(?:[a-z][a-z_.-]{0,40})?\d?(?:\}|%7d)/i,
	/^[^?#]*(?:[[{]\d+(?:-|\.\.)\d+[\]}]|\/:[a-z]\w{0,40}(?=[/?#]|$))/i,
	/^[^?#]*\/\[(?:\.{3})?[a-z][\w-]{0,40}\](?=[/?#]|$)/i,
	// In a query, where braces and brackets may be part of a value.
	/^[^?#]*%3c[a-z][\w-]{0,40}%3e|[?&](?!query=)[\w-]+=\{[a-z]\w{0,40}\}(?=[&#]|$)/i,
	/[?&](?:page|p|id)=(?:\{\w{0,40}\}|:[a-z]\w{0,40}|[[{]\d+(?:-|\.\.)\d+[\]}])(?=[&#]|$)/i,
];

/** Whether what follows a host has a part that was not filled in. */
export const isTemplate = (rest: string): boolean =>
	PLACEHOLDERS.some((pattern) => pattern.test(rest));

/** Returns what a string is that isn't the URL of a web page. */
export function notUrl(text: string): Read {
	const [, what, remedy] = OTHERS.find(([pattern]) => pattern.test(text)) ?? [];
	return {
		text,
		problem: `which is ${what ?? 'not a URL'}`,
		remedy: remedy || 'Begin it with https://, e.g. https://example.com.',
	};
}

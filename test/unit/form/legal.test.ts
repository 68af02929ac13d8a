/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** Legal input goes out as it is: URLs as `URL` writes them, everything else character by character. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RRegex } from 'rregex';

import { randomOf } from '../../../mock-service/random';
import { start } from '../../../nodes/WebDataCrawl/operations/start';
import { search } from '../../../nodes/WebDataSearch/operations/search';
import { url, urls } from '../../../nodes/shared/form/urls';
import { formFieldsOf } from '../../../nodes/shared/run/properties';
import { composed, place } from '../../support/form';
import { seedCount } from '../../support/seeds';

/** Returns the lines of a file of real inputs; a line that begins with # and a blank names the source of the next ones. */
const samples = (name: string): string[] =>
	readFileSync(join(__dirname, 'samples', `${name}.txt`), 'utf8')
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('# '));

/** A generator of texts, with the same sequence in each run. */
class Texts {
	private readonly random = randomOf(11);
	readonly below = (most: number) => Math.floor(this.random() * most);
	readonly one = <T>(of: readonly T[]): T => of[this.below(of.length)];
	/** Returns up to `most` of the pieces, joined. */
	readonly some = (of: readonly string[], most: number, between = '') =>
		Array.from({ length: 1 + this.below(most) }, () => this.one(of)).join(between);
}

const HOSTS =
	'a.example www.b-c.example xn--bcher-kva.example bücher.example 例え.テスト 127.0.0.1 [::1] localhost:3000 A.Example. u:p@d.example'.split(
		' ',
	);
const IN_PATHS = [
	..."aZ09-._~!$&'()*+,;=:@/|[]",
	'%20',
	'%2F',
	'%E2%82%AC',
	'é',
	'日本',
	'//',
	'..',
];
const IN_QUERIES = [
	...IN_PATHS,
	'?',
	'=',
	'&a=',
	'https://b.example/x',
	'"',
	'<',
	'{',
	'}',
	'^',
	'`',
];

/** Returns a legal URL that isn't an entry for all pages, and has no part to fill in. */
function anyUrl({ one, some, below }: Texts): string {
	const path = `/${some(IN_PATHS, 12)}`;
	const query = below(2) ? `?${some(IN_QUERIES, 12)}` : '';
	const text = `${one(['http', 'https', 'HTTPS'])}://${one(HOSTS)}${path}${query}${below(4) ? '' : '#a/b?c'}x`;
	return /[$]\{|\{\{|,https/.test(text) ? anyUrl({ one, some, below } as Texts) : text;
}

const WORDS = [
	...'tea "green tea" -jobs site:a.example OR ( ) inurl:a/b filetype:pdf | * ~x #1 @a $5 50% c++ null undefined NaN [] {} {"q":1} <b> \\d € 日本 ? ! “x” 1..2 related:b.example'.split(
		' ',
	),
	'what is undefined',
	'a\tb',
	'a  b',
	'{"error": "ENOENT"}',
];

const IN_SEGMENTS = [..."abZ09-._~!%&'()@,;:=+", '%C3%A9', '.html'];

const generated = <T>(make: (texts: Texts) => T): T[] => {
	const texts = new Texts();
	return Array.from({ length: seedCount(500) }, () => make(texts));
};

const SITE = 'https://acme.example';

/** Returns what Include Paths sends for an entry. */
const patternOf = (entry: string, site = SITE, regexOnFullURL = false) =>
	(
		composed(formFieldsOf(start), {
			url: site,
			includePaths: entry,
			options: { pages: { regexOnFullURL } },
		}).body.includePaths as string[]
	)[0];

function isReadByRust(pattern: string): boolean {
	try {
		new RRegex(pattern).free();
		return true;
	} catch {
		return false;
	}
}

it.each([
	['generated', generated(anyUrl)],
	['real', samples('urls')],
])('%s URLs go out as they are', (_kind, all) => {
	const written = all.map((one) => new URL(one).href);
	expect(all.map((one) => url(one, place))).toEqual(written);
	expect(all.map((one) => url(` ${one}\n`, place))).toEqual(written);
	expect(urls(all, place)).toEqual(written);
	expect(urls(all.join('\n'), place)).toEqual(written);
	expect(urls(JSON.stringify(all), place)).toEqual(written);
});

it.each([
	['generated', generated(({ some }) => `${some(WORDS, 9, ' ')} x`)],
	['real', samples('queries')],
])('%s queries go out as they are', (_kind, all) => {
	const sent = all.map((query) => composed(search.fields, { query }).body.query);
	expect(sent).toEqual(all.map((query) => query.trim()));
});

it('paths match what they name, and nothing beside it', () => {
	for (const path of generated(({ some }) => `/${some(IN_SEGMENTS, 8)}/${some(IN_SEGMENTS, 8)}`)) {
		const { pathname } = new URL(SITE + path);
		// A regular expression, and every page.
		if (/[.)][*+]/.test(path) || pathname === '/') continue;
		const pattern = new RRegex(patternOf(path));
		const found = [pathname, `${pathname}/more`, `/a${pathname}`].map((one) =>
			pattern.isMatch(one),
		);
		expect([path, ...found]).toEqual([path, true, true, false]);
		pattern.free();
	}
});

it('of real patterns, all that a crawl reads go out, and no other', () => {
	const all = samples('patterns');
	let sent = 0;
	const wrong = all.filter((entry) => {
		const isFull = /^\^?https?/.test(entry);
		const site = /^https?:\/\/[\w.-]+/.exec(entry)?.[0] ?? SITE;
		try {
			const isRead = isReadByRust(patternOf(entry, site, isFull));
			sent++;
			return !isRead;
		} catch {
			// Rightly refused: a query while only paths are matched.
			return isReadByRust(entry) && (isFull || !/\\?\?[\w*%]/.test(entry));
		}
	});
	expect(wrong).toEqual([]);
	expect(sent).toBeGreaterThan(0.8 * all.length);
});

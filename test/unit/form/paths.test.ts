import { RRegex } from 'rregex';

import { start } from '../../../nodes/WebDataCrawl/operations/start';
import { readPattern } from '../../../nodes/shared/form/paths';
import { formFieldsOf } from '../../../nodes/shared/run/properties';
import { composed, errorOf } from '../../support/form';

const SITE = 'https://www.acme.example/shop';

const body = (entry: string, pages = {}, name = 'includePaths') =>
	composed(formFieldsOf(start), {
		url: SITE,
		...(name === 'includePaths' ? { includePaths: entry, options: { pages } } : {}),
		...(name === 'excludePaths' ? { options: { excludePaths: entry, pages } } : {}),
	}).body[name] as string[];

/** Whether the engine of crawls reads a pattern. */
function isReadByRust(pattern: string): boolean {
	try {
		new RRegex(pattern).free();
		return true;
	} catch {
		return false;
	}
}

const onPath = (pattern: string, path: string) => new RRegex(pattern).isMatch(path);

describe('a path', () => {
	it.each([
		['/docs', '^/docs(/|$)'],
		['/docs/*', '^/docs/.*'],
		['/docs/v1.2', '^/docs/v1\\.2(/|$)'],
		['/c++', '^/c\\+\\+(/|$)'],
		['/blog/*/comments', '^/blog/.*/comments(/|$)'],
		// People's own: a comma and a stop belong to a path.
		['/cart,*.html', '^/cart,.*\\.html(/|$)'],
		['/wiki/Mr.', '^/wiki/Mr\\.(/|$)'],
		['/wiki/Java_(island)', '^/wiki/Java_\\(island\\)(/|$)'],
		['/über-uns', '^/%C3%BCber-uns(/|$)'],
		['https://acme.example/docs', '^/docs(/|$)'],
		['acme.example/docs/*', '^/docs/.*'],
		['https://acme.example/wiki/Java_(island)', '^/wiki/Java_\\(island\\)(/|$)'],
	])('%s is anchored: %s', (entry, pattern) => {
		expect(body(entry)).toEqual([pattern]);
		expect(isReadByRust(pattern)).toBe(true);
	});

	it.each([
		['/blog', ['/blog', '/blog/a'], ['/blogger', '/a/blog', '/blog.html']],
		['/blog*', ['/blog', '/blogger'], ['/a/blog']],
	])('%s has no neighbors, also in whole URLs', (entry, inside, outside) => {
		const [ofPath] = body(entry);
		const [ofUrl] = body(entry, { regexOnFullURL: true });
		for (const path of [...inside, ...outside]) {
			expect([path, onPath(ofPath, path)]).toEqual([path, inside.includes(path)]);
			const url = `https://acme.example${path}`;
			expect([url, onPath(ofUrl, url)]).toEqual([url, inside.includes(path)]);
		}
		expect(onPath(ofUrl, 'https://acme.example/blog?page=2')).toBe(true);
	});

	it.each([
		['/search?q=', '/search?q=tea', '/searc'],
		['/item.php?id=5', '/item.php?id=5&x=1', '/item.php?id=55'],
	])('%s may have a query where whole URLs are matched', (entry, inside, outside) => {
		const [pattern] = body(entry, { regexOnFullURL: true });
		expect(onPath(pattern, `https://acme.example${inside}`)).toBe(true);
		expect(onPath(pattern, `https://acme.example${outside}`)).toBe(false);
	});

	it('may have a query where whole URLs are matched', () => {
		const [pattern] = body(`${SITE}?color=*`, { regexOnFullURL: true });
		expect(onPath(pattern, `${SITE}?color=red`)).toBe(true);
		expect(onPath(pattern, `${SITE}p?color=red`)).toBe(false);
	});
});

describe('a regular expression', () => {
	it.each([
		'/docs/.*',
		'/colou?rs',
		'(?i)/Blog',
		'(?P<year>\\d{4})',
		'(?<slug>[\\w-]+)',
		'/[^/]{1,255}$',
		'/(a|b|)$',
		'/(blog)+',
		'/blog/(.+)',
		'/a\\|',
	])('%s is sent as it is', (entry) => {
		expect(body(entry)).toEqual([entry]);
		expect(isReadByRust(entry)).toBe(true);
	});

	it.each([
		['/blog/[\\w-.]+', 'dash last'],
		['^/blog/.*\\Z', 'backslash'],
		['/products/{}', 'brace'],
		['/blog/[^]*', 'brackets'],
		['/a[b[c]', 'brackets'],
		['/blog/\\w{1,500}', 'count'],
		['/\\uD83D\\uDE00', 'backslash'],
		['(?ii)/a', 'look-ahead'],
		['/(?!blog)', 'look-ahead'],
		['/(a|b)/\\1', 'look-ahead'],
		['/a(b|', 'Write .\\*'],
		['*.pdf', 'Write .\\*'],
	])('%s is refused, since a crawl would ignore it and take the whole site', (entry, remedy) => {
		for (const pages of [{}, { regexOnFullURL: true }]) {
			const { message, description } = errorOf(() => body(entry, pages));
			expect(message).toBe(`Include Paths has "${entry}", which a crawl would ignore`);
			expect(description).toMatch(new RegExp(remedy));
		}
		expect(isReadByRust(entry)).toBe(false);
	});

	it('with a blank, which no path has, is refused', () => {
		const { description } = errorOf(() => body('/docs, /blog'));
		expect(description).toContain('enter one per line');
	});

	it.each([
		'/shop?color=red',
		'/search\\?.*',
		`${SITE}?color=red`,
		'https://other.example/docs',
		'^https?://.*',
	])('%s is refused while only paths are matched', (entry) => {
		expect(errorOf(() => body(entry)).message).toContain('while only paths are matched');
	});

	it.each(['^/blog', '^/blog/.*'])('%s is refused while whole URLs are matched', (entry) => {
		const read = () => body(entry, { regexOnFullURL: true });
		expect(errorOf(read).message).toContain('while whole URLs are matched');
		expect(body(entry, {})).toEqual([entry]);
	});

	it.each(['/blog|', '|/blog', '/blog||/news'])('%s is refused, since it matches all', (entry) => {
		expect(errorOf(() => body(entry)).message).toContain('which matches every page');
		expect(onPath(entry, '/other')).toBe(true);
	});

	it.each(['/', '/*', '.*', '.+', '^/.*', '(.*)', '^/', '$', 'https://acme.example', '\\/'])(
		'%s does not leave out every page',
		(entry) => {
			for (const pages of [{}, { regexOnFullURL: true }]) {
				// In whole URLs, this is no beginning of a path.
				if (entry.startsWith('^/') && 'regexOnFullURL' in pages) continue;
				const { message } = errorOf(() => body(entry, pages, 'excludePaths'));
				expect(message).toBe(`Exclude Paths has "${entry}", which leaves out every page`);
			}
		},
	);

	it.each(['(blog|news)*', '(/blog/.*)*', '(.*)+'])('%s leaves out every path', (entry) => {
		expect(errorOf(() => body(entry, {}, 'excludePaths')).message).toContain('every page');
	});

	it.each(['^/$', '^/[^/]*$', '/.+/', '\\d', '\\.html$', '^/\\D+$'])(
		'%s leaves out some pages',
		(entry) => {
			expect(body(entry, {}, 'excludePaths')).toEqual([entry]);
		},
	);
});

describe('what goes out', () => {
	const PIECES =
		'\\w \\d \\W [ ^ - ] . * + ? {2} {1,20} { } ( (?: (?i) (?P<a> ) | / a b \\. \\- \\Z \\1 & ~ $ \\b \\s é , \\p{L} {,3} \\x41 _ \\ (?= (?i: 0'.split(
			' ',
		);

	it("is readable by Rust's engine, whatever it is made of", () => {
		let seed = 7;
		const next = (below: number) => {
			seed = (seed * 48_271) % 2_147_483_647;
			return seed % below;
		};
		let sent = 0;
		for (let n = 0; n < 300; n++) {
			const pieces = Array.from({ length: 1 + next(7) }, () => PIECES[next(PIECES.length)]);
			const pattern = pieces.join('');
			if (typeof readPattern(pattern) === 'string') continue;
			sent++;
			expect([pattern, isReadByRust(pattern)]).toEqual([pattern, true]);
		}
		expect(sent).toBeGreaterThan(20);
	});
});

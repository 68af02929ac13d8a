import {
	excludedPatterns,
	pageKey,
	pathPatterns,
} from '../../../nodes/WebDataPageTrigger/sitePaths';
import { LIKE_BLOG } from '../../../nodes/shared/form/paths';
import { errorOf, place } from '../../support/form';

const SITE = 'https://www.acme.example/shop';
const patterns = (...lines: string[]) => pathPatterns(lines, SITE, place);

describe('a path of a site', () => {
	it.each([
		['/blog', '/blog/*'],
		['blog', '/blog/*'],
		['/blog/', '/blog/*'],
		['/blog/*', '/blog/*'],
		['/blog*', '/blog*'],
		['/blog/**', '/blog/*'],
		['/20*/', '/20*'],
		['*/news', '/*/news/*'],
		['/über uns', '/%C3%BCber%20uns/*'],
		['/docs/v1.2', '/docs/v1.2/*'],
		['https://acme.example/blog', '/blog/*'],
		['HTTPS://WWW.ACME.EXAMPLE/blog', '/blog/*'],
		['acme.example/blog', '/blog/*'],
	])('%j becomes %j', (line, pattern) => {
		expect(patterns(line)).toEqual([pattern]);
	});

	it('is also one of several in a line', () => {
		expect(patterns('/blog, /news', '/jobs')).toEqual(['/blog/*', '/news/*', '/jobs/*']);
	});

	it('is also a URL of the site in a line of several', () => {
		expect(patterns('http://acme.example/blog, https://acme.example/news')).toEqual([
			'/blog/*',
			'/news/*',
		]);
	});

	it.each([
		['/blog.*', 'which is not a path', LIKE_BLOG],
		['^/blog', 'which is not a path', LIKE_BLOG],
		['/blog$', 'which is not a path', LIKE_BLOG],
		['/blog?page=2', 'a query, while only paths are matched', LIKE_BLOG],
		['/blog?', 'a query, while only paths are matched', LIKE_BLOG],
		['https://other.example/blog', 'a whole URL, while only paths are matched', LIKE_BLOG],
		['blog, and the news', 'more than one path in it', 'Enter one per line.'],
		['!/blog', 'an exclamation mark in front', 'Write paths to leave out in Exclude Paths'],
	])('%j is refused: %s', (line, problem, remedy) => {
		const { message, description } = errorOf(() => patterns(line));
		expect(message).toContain(problem);
		expect(description).toContain(remedy);
	});
});

it.each(['/', '*', '/*', '/**', SITE.replace('/shop', '')])(
	'not every path is left out: %s',
	(line) => {
		expect(patterns(line)).toEqual(['/*']);
		expect(errorOf(() => excludedPatterns(['/blog', line], SITE, place)).message).toContain(
			`has "/blog, ${line}", which leaves out every page`,
		);
		expect(excludedPatterns(['/blog'], SITE, place)).toEqual(['/blog/*']);
	},
);

describe('the key of a page', () => {
	const keyOf = (url: string) => pageKey(new URL(url));

	it.each([
		['https://acme.example/blog', 'http://acme.example/blog'],
		['https://acme.example/blog', 'https://www.acme.example/blog'],
		['https://acme.example/blog', 'https://acme.example./blog'],
		['https://acme.example/blog', 'https://acme.example/blog#comments'],
		['https://acme.example/blog', 'https://acme.example/blog#a#/b'],
		['https://acme.example/%c3%bc', 'https://acme.example/%C3%BC'],
		['https://acme.example/%c3%bc', 'https://acme.example/ü'],
	])('is that of %s also for %s', (one, other) => {
		expect(keyOf(other)).toBe(keyOf(one));
	});

	it.each([
		['https://acme.example/blog', 'https://acme.example/Blog'],
		['https://acme.example/blog', 'https://acme.example/blog?page=2'],
		['https://acme.example/blog', 'https://acme.example:8080/blog'],
		['https://acme.example/blog', 'https://shop.acme.example/blog'],
		['https://wwwacme.example/', 'https://acme.example/'],
		['https://a.www.example/', 'https://a.example/'],
		['https://a.b.example/', 'https://ab.example/'],
		['https://acme.example/', 'https://acme.example/#/a'],
		['https://acme.example/#/a', 'https://acme.example/#/b'],
		['https://acme.example/#!a', 'https://acme.example/#!b'],
		['https://acme.example/100%25ab', 'https://acme.example/100%25AB'],
	])('tells %s from %s', (one, other) => {
		expect(keyOf(other)).not.toBe(keyOf(one));
	});
});

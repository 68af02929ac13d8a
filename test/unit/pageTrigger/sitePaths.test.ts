import {
	excludedPatterns,
	pageKey,
	pathPatterns,
} from '../../../nodes/WebDataPageTrigger/siteService';
import { errorOf, place } from '../../support/form';

const SITE = 'https://www.acme.example/shop';
const patterns = (...lines: string[]) => pathPatterns(lines, SITE, place);

it.each(['/', '/*', '/**', SITE.replace('/shop', '')])('not every path is left out: %s', (line) => {
	expect(patterns(line)).toEqual(['/*']);
	expect(errorOf(() => excludedPatterns(['/blog', line], SITE, place)).message).toContain(
		`has "/blog, ${line}", which leaves out every page`,
	);
	expect(excludedPatterns(['/blog'], SITE, place)).toEqual(['/blog/*']);
});

describe('the key of a page', () => {
	const keyOf = (url: string) => pageKey(new URL(url));

	it.each([
		['https://acme.example/blog', 'https://acme.example/Blog'],
		['https://acme.example/blog', 'https://acme.example/blog?page=2'],
		['https://acme.example/blog', 'https://acme.example:8080/blog'],
		['https://wwwacme.example/', 'https://acme.example/'],
		['https://a.www.example/', 'https://a.example/'],
		['https://acme.example/', 'https://acme.example/#/a'],
		['https://acme.example/#/a', 'https://acme.example/#/b'],
		['https://acme.example/100%25ab', 'https://acme.example/100%25AB'],
	])('tells %s from %s', (one, other) => {
		expect(keyOf(other)).not.toBe(keyOf(one));
	});
});

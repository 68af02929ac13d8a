import { pageKey } from '../../../nodes/WebDataPageTrigger/siteService';
import { keyOfUrl, parsedUrl } from '../../../nodes/shared/base/url';

const long = 'a'.repeat(64);

describe('a host longer than any can be', () => {
	it.each([
		`https://${long}.example/`,
		`https://user:pass@${long}.example:80/`,
		`ht\ntps://${long}`,
		`https://${'a.'.repeat(127)}`,
		`https://a${'\u0301\u0316'.repeat(100)}`,
	])('is none: %j', (text) => {
		expect(parsedUrl(text)).toBeUndefined();
	});

	it('is none where an address begins with it', () => {
		expect(parsedUrl(`//${long}/x`, 'https://a.example')).toBeUndefined();
	});
});

it.each([
	[`https://${long.slice(1)}.example/`, undefined],
	[`https://a.example/${long}/${long}?${long}=${'x'.repeat(300)}#${long}`, undefined],
	[`https://${'u'.repeat(300)}:p@a.example/`, undefined],
	[`/${long}${long}${long}${long}`, 'https://a.example'],
	[`${long}${long}${long}${long}`, 'https://a.example/b/'],
	[`data:text/plain,${long}${long}${long}${long}${long}`, undefined],
])('other long parts of an address are taken: %.40j', (text, base) => {
	expect(parsedUrl(text, base)?.href).toBe(new URL(text, base).href);
});

describe('the key of a URL', () => {
	it.each([
		['https://a.example/%c3%bc', 'https://a.example/%C3%BC'],
		['https://a.example/ü', 'https://a.example/%C3%BC'],
		['HTTPS://A.example:443/x', 'https://a.example/x'],
		['https://a.example', 'https://a.example/#top'],
	])('of %s is that of %s', (one, other) => {
		expect(keyOfUrl(one)).toBe(keyOfUrl(other));
	});

	it.each([
		['https://a.example/a', 'https://a.example/A'],
		['https://a.example/#/a', 'https://a.example/#/b'],
		['https://a.example/100%25af', 'https://a.example/100%25AF'],
	])('of %s is not that of %s', (one, other) => {
		expect(keyOfUrl(one)).not.toBe(keyOfUrl(other));
	});

	const stretched = 'x'.repeat(20_000);

	it.each([
		['a URL', keyOfUrl, 'https://a.example/'],
		['no URL', keyOfUrl, 'https://a b/'],
		['a page', (text: string) => pageKey(new URL(text)), 'https://a.example/'],
	])('of %s is short enough for Node to hash it whole', (_name, keyOf, start) => {
		const [one, other] = [keyOf(`${start}${stretched}1`), keyOf(`${start}${stretched}2`)];
		expect(one.length).toBeLessThan(16_384);
		expect(one).not.toBe(other);
	});

	it('names the host however long it is', () => {
		expect(keyOfUrl(`a.example/${stretched}%c3`)).toMatch(/^http:\/\/a\.example\/x{1000}/);
		expect(keyOfUrl(`a.example/${stretched}%c3`)).toBe(keyOfUrl(`a.example/${stretched}%C3`));
	});
});

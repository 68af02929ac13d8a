import { fitterOf, urlFitterOf } from '../../../nodes/shared/trigger/pattern';

const URL = 'https://shop.example/Blog/2026/coffee';

it.each([
	['without *, any part of the text', 'shop.example/blog', true],
	['without *, what is no part of it', 'shop.example/news', false],
	['with *, the whole text', 'https://*/blog/*', true],
	['with *, not what begins later', 'shop.example/*', false],
	['with *, not what ends earlier', '*/blog', false],
	['several parts in their order', 'https://*blog*2026*', true],
	['several parts not in another order', 'https://*2026*blog*', false],
	['a part and the end not in the same letters', '*cof*ffee', false],
	['a beginning and an end not in the same letters', `${URL.slice(0, 20)}*${URL.slice(10)}`, false],
	['a beginning and an end that touch', `${URL.slice(0, 20)}*${URL.slice(20)}`, true],
	['parts not in the letters of the beginning', 'https://shop*shop*', false],
	['a part right at the beginning', '*https*', true],
	['* alone', '*', true],
])('fits %s: %s', (_, pattern, fits) => {
	expect(fitterOf([pattern])(URL)).toBe(fits);
});

it('a URL fits where one of several patterns does, and no pattern fits nothing', () => {
	expect(fitterOf(['news', 'coffee'])(URL)).toBe(true);
	expect(fitterOf(['news', 'tea'])(URL)).toBe(false);
	expect(fitterOf([])(URL)).toBe(false);
});

it.each([
	['https://docs.example.com', 'https://docs.example.com/*', true],
	['https://docs.example.com', 'example.com/', true],
	['https://docs.example.com/', 'https://docs.example.com/*', true],
	['https://docs.example.com/a', 'https://docs.example.com/a/*', false],
	['https://docs.example.com?a', '*a/', false],
	['https://docs.example.com#a', '*a/', false],
	['docs.example.com', 'docs.example.com/*', false],
])('the URL %s and the pattern %s: %s', (url, pattern, fits) => {
	expect(urlFitterOf([pattern])(url)).toBe(fits);
});

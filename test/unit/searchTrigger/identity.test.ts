import { identified, plainUrl } from '../../../nodes/WebDataSearchTrigger/poll';

describe('plainUrl', () => {
	it.each([
		['https://A.example/x#top', 'https://a.example/x'],
		['https://a.example/x?utm_source=mail&id=5&UTM_Medium=x', 'https://a.example/x?id=5'],
		['https://a.example/x?utmost=1&reference=2', 'https://a.example/x?utmost=1&reference=2'],
		[' not a url ', 'not a url'],
		['https://a.example/?q=a%20b&utm_id=x&t=a,b&id=(7)', 'https://a.example/?q=a%20b&t=a,b&id=(7)'],
		['https://a.example/?utm%5Fsource=x', 'https://a.example/'],
		['https://a.example/?', 'https://a.example/?'],
	])('of %s is %s', (address, plain) => expect(plainUrl(address, true)).toBe(plain));
});

describe('identified', () => {
	const identities = async (...results: Array<Record<string, string>>) =>
		(await identified(results, true)).map(({ identity }) => identity);

	it('gives short names that are those of the address alone', async () => {
		const [a, b, c] = await identities(
			{ url: 'https://a.example/#1', title: 'One', source: 'web' },
			{ url: 'https://a.example/?fbclid=x', title: 'Two', source: 'news' },
			{ url: 'https://b.example/', title: 'One', source: 'web' },
		);
		expect(a).toMatch(/^[\w-]{8}$/);
		expect(b).toBe(a);
		expect(c).not.toBe(a);
	});

	it('knows an image by its own address, and a result without one by its text', async () => {
		const page = 'https://a.example/';
		const [a, b, same, none, other] = await identities(
			{ url: page, imageUrl: `${page}a.png`, source: 'images' },
			{ url: page, imageUrl: `${page}b.png`, source: 'images' },
			{ url: page, imageUrl: `${page}b.png`, source: 'news' },
			{ title: 'One' },
			{ title: 'Two' },
		);
		const [odd, unlike] = await identities({ result: 'a' }, { result: 'b' });
		expect(new Set([a, b, same, none, other, odd, unlike]).size).toBe(7);
	});

	it('knows an image without an address of its own by its page', async () => {
		const [a, same, b] = await identities(
			{ url: 'https://a.example/', title: 'One', source: 'images' },
			{ url: 'https://a.example/', title: 'Two', source: 'images' },
			{ url: 'https://b.example/', title: 'One', source: 'images' },
		);
		expect(same).toBe(a);
		expect(b).not.toBe(a);
	});

	it('tells texts apart, that of news by its snippet', async () => {
		const texts = await identified(
			[
				{ title: 'a', description: 'b', source: 'web' },
				{ title: 'a', description: 'c', source: 'web' },
				{ title: 'a', snippet: 'c', source: 'web' },
				{ title: 'a', snippet: 'c', source: 'news' },
			],
			true,
		);
		const [a, b, c, news] = texts.map(({ text }) => text);
		expect(a).toMatch(/^w[\w-]{4}$/);
		expect(b).not.toBe(a);
		expect(c).toBe(b);
		expect(news).toBe(`n${b.slice(1)}`);
	});
});

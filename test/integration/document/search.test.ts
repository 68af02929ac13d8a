/** What the API's document says of searches and scrape options, through the nodes. */
import { actionsOf, documented, expectRefused } from './run';

const { at, search, searchAndScrape, scrape } = documented();
const text = (length: number) => 'x'.repeat(length);

describe('a search', () => {
	it.each([
		[{ query: text(501) }, 'Query'],
		[{ limit: 0 }, 'Limit'],
		[{ limit: 101 }, 'Limit'],
		[{ options: { sources: ['news'], webOnly: { location: 'Paris' } } }, 'Web'],
	])('beyond its limits is not sent: %j', async (parameters, field) => {
		expectRefused(await search(parameters), field);
	});

	it.each([{ query: text(500) }, { limit: 1 }, { limit: 100 }])(
		'up to its limits is sent: %j',
		async (parameters) => {
			expect((await search(parameters)).bodies).toMatchObject([parameters]);
		},
	);

	it('that is left alone has the defaults of the service: five web results', async () => {
		const { bodies, items } = await search({});
		expect(bodies).toEqual([{ query: 'tea', limit: 5 }]);
		expect(items.map(({ source }) => source)).toEqual(Array(5).fill('web'));
	});

	it('sends categories as objects, and each result names its own', async () => {
		const { bodies, items } = await search({
			limit: 3,
			options: { categories: ['github', 'pdf'] },
		});
		expect(bodies[0].categories).toEqual([{ type: 'github' }, { type: 'pdf' }]);
		for (const { category } of items) expect(['github', 'pdf']).toContain(category);
	});

	it.each([
		[{ published: 'qdr:h' }, 'qdr:h'],
		[{ published: 'qdr:y', options: { newestFirst: true } }, 'sbd:1,qdr:y'],
		[
			{ published: 'dates', from: '2026-01-31', to: '2026-02-28' },
			'cdr:1,cd_min:01/31/2026,cd_max:02/28/2026',
		],
	])('filters by time: %j', async (parameters, tbs) => {
		expect((await search(parameters)).bodies).toMatchObject([{ tbs }]);
	});

	it.each([
		['zdr', 10],
		['anon', 2],
	])('with %s costs %d credits per ten results', async (mode, credits) => {
		const found = await search({
			limit: 10,
			options: { enterprise: [mode], includeRunDetails: true },
		});
		expect(found.bodies).toMatchObject([{ enterprise: [mode] }]);
		expect(found.credits).toBe(credits);
		expect(found.items[0].run).toMatchObject({ search: { creditsUsed: credits } });
	});

	it('has the operators of its query', async () => {
		const queryOperators = {
			exactPhrase: 'green tea',
			exclude: 'coffee',
			excludeSite: 'b.example',
			fileType: 'pdf',
			inUrl: 'shop',
			allInUrl: 'a b',
			inTitle: 'best',
			allInTitle: 'c d',
			related: 'c.example',
			imageSize: '10x20',
			largerThan: '30x40',
		};
		const [{ query }] = (await search({ options: { queryOperators } })).bodies;
		for (const part of [
			'"green tea"',
			'-coffee',
			'-site:b.example',
			'filetype:pdf',
			'inurl:shop',
			'allinurl:a b',
			'intitle:best',
			'allintitle:c d',
			'related:c.example',
			'imagesize:10x20',
			'larger:30x40',
		]) {
			expect(query).toContain(part);
		}
	});

	it('has the place that it is made from, and drops what other endpoints reject', async () => {
		const options = { country: 'DE', location: 'Berlin', ignoreInvalidURLs: true, timeout: 5 };
		expect((await search({ options })).bodies).toMatchObject([
			{ country: 'DE', location: 'Berlin', ignoreInvalidURLs: true, timeout: 5_000 },
		]);
	});

	it('without formats gives only the URL, title and description of a result', async () => {
		const [item] = (await search({ limit: 1, simplify: false })).items;
		expect(Object.keys(item)).toEqual(expect.arrayContaining(['url', 'title', 'description']));
		for (const name of ['markdown', 'html', 'links', 'metadata'])
			expect(item).not.toHaveProperty(name);
	});

	it('gives the size and position of images, the snippet and date of news', async () => {
		const { items } = await search({
			limit: 1,
			options: { sources: ['images', 'news'] },
			simplify: false,
		});
		expect(items[0]).toMatchObject({
			imageUrl: expect.any(String),
			imageWidth: expect.any(Number),
			imageHeight: expect.any(Number),
			position: 1,
		});
		expect(items[1]).toMatchObject({
			snippet: expect.any(String),
			date: expect.any(String),
			position: 1,
		});
	});
});

describe('scrape options', () => {
	it.each([
		[{ options: { browserOptions: { timeout: 0.999 } } }, 'Timeout'],
		[{ options: { cacheOptions: { maxAge: 172_800_000 } } }, 'Max Age'],
		[{ options: { browserOptions: { timeout: 300.001 } } }, 'Timeout'],
		[{ options: { contentOptions: { parsers: { maxPages: 10_001 } } } }, 'Max Pages'],
		[{ options: { browserOptions: { profile: { name: text(129) } } } }, 'Name'],
		[{ options: { browserOptions: { location: { country: 'usa1' } } } }, 'Country'],
		[{ formats: ['screenshot'], screenshotOptions: { quality: 101 } }, 'Quality'],
		[actionsOf({ type: 'wait', seconds: 0 }), 'Time'],
	])('beyond their limits are not sent: %j', async (parameters, field) => {
		expectRefused(await scrape(parameters), field);
	});

	it('that are left alone are not sent, so that the defaults of the service hold', async () => {
		expect((await scrape({})).bodies).toEqual([{ url: 'https://a.example/tea' }]);
	});

	it('with Min Age ask the cache alone: without a copy nothing is scraped', async () => {
		const url = 'https://cached.example/a';
		const cached = async () => await scrape({ url, options: { cacheOptions: { minAge: 0 } } });
		expect(await cached()).toMatchObject({ credits: 0, message: expect.stringContaining('cache') });
		await scrape({ url });
		expect(await cached()).toMatchObject({ items: [{ url }] });
	});

	it('with Max Age take a younger copy, and not an older one', async () => {
		const url = 'https://cached.example/b';
		await scrape({ url });
		const stateOf = async (maxAge: number) =>
			(await scrape({ url, options: { cacheOptions: { maxAge } } })).bodies[0].maxAge;
		expect([await stateOf(2), await stateOf(0)]).toEqual([7_200_000, 0]);
	});

	it('by an enhanced proxy cost five credits, by a basic one what a page costs', async () => {
		const by = async (proxy: string) =>
			(await scrape({ options: { browserOptions: { proxy } } })).credits;
		expect([await by('enhanced'), await by('basic')]).toEqual([5, 1]);
	});

	it('make markdown of a PDF for a credit, or leave it base64-encoded', async () => {
		const of = async (parse: boolean) =>
			await scrape({
				url: 'https://a.example/b.pdf',
				options: { contentOptions: { parsers: { parse } } },
			});
		const [parsed, whole] = [await of(true), await of(false)];
		expect(parsed).toMatchObject({ credits: 1, bodies: [{ parsers: [{ type: 'pdf' }] }] });
		expect(whole).toMatchObject({ credits: 1, bodies: [{ parsers: [] }] });
		expect(String(parsed.items[0].markdown)).toMatch(/^# B/);
		expect(Buffer.from(String(whole.items[0].markdown), 'base64').toString('latin1')).toMatch(
			/^%PDF/,
		);
	});

	it('have how PDFs are read', async () => {
		const parsers = { mode: 'ocr', maxPages: 3 };
		expect((await scrape({ options: { contentOptions: { parsers } } })).bodies).toMatchObject([
			{ parsers: [{ type: 'pdf', mode: 'ocr', maxPages: 3 }] },
		]);
	});

	it('have actions in their order, each with what it takes', async () => {
		const { bodies, message } = await scrape(
			actionsOf(
				{ type: 'click', selector: '#a', clickOptions: { all: true } },
				{ type: 'write', text: 'tea' },
				{ type: 'press', key: 'Enter' },
				{ type: 'wait', seconds: 0.005 },
				{ type: 'waitForElement', selector: '.b' },
				{ type: 'scroll', scrollOptions: { direction: 'up' } },
				{ type: 'executeJavascript', script: '1' },
				{ type: 'pdf', pdfOptions: { format: 'A4' } },
				{ type: 'scrape' },
			),
		);
		expect(message).toBeUndefined();
		expect(bodies[0].actions).toEqual([
			{ type: 'click', selector: '#a', all: true },
			{ type: 'write', text: 'tea' },
			{ type: 'press', key: 'Enter' },
			{ type: 'wait', milliseconds: 5 },
			{ type: 'wait', selector: '.b' },
			{ type: 'scroll', direction: 'up' },
			{ type: 'executeJavascript', script: '1' },
			{ type: 'pdf', format: 'A4' },
			{ type: 'scrape' },
		]);
	});

	it('have a profile, a place and headers', async () => {
		const { bodies } = await scrape({
			options: {
				browserOptions: {
					profile: { name: 'shop', saveChanges: false },
					location: { country: 'DE', languages: ['de', 'en'] },
					headers: { pair: [{ name: 'Cookie', value: 'a=b' }] },
				},
			},
		});
		expect(bodies).toMatchObject([
			{
				profile: { name: 'shop', saveChanges: false },
				location: { country: 'DE', languages: ['de', 'en'] },
				headers: { Cookie: 'a=b' },
			},
		]);
	});

	it('apply to each result of a search', async () => {
		const { bodies, items } = await searchAndScrape({
			formats: ['markdown', 'links'],
			options: { browserOptions: { timeout: 5 } },
		});
		expect(bodies).toMatchObject([
			{ scrapeOptions: { timeout: 5_000, formats: ['markdown', 'links'] } },
		]);
		expect(items).toEqual([
			expect.objectContaining({ markdown: expect.any(String), links: expect.any(Array) }),
		]);
		expect(at.service.requests).toHaveLength(1);
	});
});

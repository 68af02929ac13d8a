/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { setTimeout as wait } from 'node:timers/promises';
import { type LocalService, startService } from '../../../mock-service';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses are read as they come */

let service: LocalService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => await service.close());

beforeEach(() => service.set({ crawlMs: 1, growMs: 0 }));

async function asked(path: string, body?: object): Promise<any> {
	const response = await fetch(`${service.url}${path}`, {
		method: body ? 'POST' : 'GET',
		headers: {
			authorization: `Bearer ${service.apiKey}`,
			'content-type': 'application/json',
		},
		body: body && JSON.stringify(body),
	});
	expect(response.status).toBe(200);
	return await response.json();
}

/** Waits until there is something new. */
async function grown(): Promise<void> {
	service.set({ growMs: 1 });
	await wait(5);
}

it('map, crawl and scrape agree about the pages below an address and their titles', async () => {
	const url = 'https://shop.example/docs';
	const { links } = await asked('/v2/map', { url });
	const titles = new Map(links.map((link: any) => [link.url, link.title]));
	const { id } = await asked('/v2/crawl', { url, limit: 5 });
	await wait(5);
	const { data } = await asked(`/v2/crawl/${id}`);
	expect(data.length).toBeGreaterThan(0);
	for (const { metadata } of data) {
		expect(titles.get(metadata.url)).toBe(metadata.title);
		const scraped = await asked('/v2/scrape', { url: metadata.url });
		expect(scraped.data.metadata.title).toBe(metadata.title);
	}
});

it('a map shows the pages first whose title has a word of the search', async () => {
	const { links } = await asked('/v2/map', { url: 'https://shop.example', search: 'guide' });
	expect(links[0].title).toMatch(/^Guide/);
	expect(links.at(-1).title).not.toMatch(/guide/i);
});

it('the fields of a page are about the page', async () => {
	const properties = {
		name: { type: 'string' },
		author: { type: 'string' },
		email: { type: 'string' },
	};
	const formats = [{ type: 'json', schema: { type: 'object', properties } }];
	const { data } = await asked('/v2/scrape', { url: 'https://shop.example/desk-lamp', formats });
	expect(data.json).toMatchObject({ name: 'Desk lamp', email: 'hello@shop.example' });
	expect(data.json.author).toMatch(/^[A-Z]\w+ [A-Z]\w+$/);
});

it.each([
	['Find the founders of Northwind Coffee and the year', 'Northwind Coffee'],
	['who sells the most tea?', 'who sells the most tea?'],
])('an agent’s facts are about what it was asked: %s', async (prompt, subject) => {
	service.set({ jobMs: 1 });
	const schema = { type: 'object', properties: { company: { type: 'string' } } };
	const { id } = await asked('/v2/agent', { prompt, schema });
	await wait(5);
	expect((await asked(`/v2/agent/${id}`)).data.company).toBe(subject);
});

describe('Something new', () => {
	it.each(['web', 'news'])(
		'is found first by each search (%s), as many results in all',
		async (source) => {
			const body = { query: 'tea', sources: [source], limit: 3 };
			const before = (await asked('/v2/search', body)).data[source];
			await grown();
			const { [source]: after } = (await asked('/v2/search', body)).data;
			expect(after).toHaveLength(before.length);
			expect(before.map((hit: any) => hit.url)).not.toContain(after[0].url);
			expect(after[0].title).toMatch(/^Tea: report \d+$/);
		},
	);

	it('is on each site and in each page, and moves its price', async () => {
		const formats = ['markdown', 'product'];
		const scraped = async () =>
			(await asked('/v2/scrape', { url: 'https://shop.example/lamp', formats })).data;
		const before = await scraped();
		expect(await scraped()).toMatchObject({ markdown: before.markdown, product: before.product });
		await grown();
		expect((await scraped()).markdown).toMatch(/## Latest\n\n- Update \d+: .+\.\n$/);
		const [{ url }] = (await asked('/v2/map', { url: 'https://shop.example' })).links;
		expect(Number(/post-(\d+)$/.exec(url)?.[1])).toBeGreaterThan(4);
	});
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputSchemas, type OutputSchema } from '../../scripts/lib/outputSchemas';

const ROOT = join(__dirname, '../..');
const read = (file: string) =>
	existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';

let schemas: OutputSchema[];
beforeAll(async () => {
	schemas = await outputSchemas();
});

const propertiesOf = (node: string, version: string, operation: string) => {
	const file = `nodes/${node}/__schema__/${version}/${operation}.json`;
	return (JSON.parse(read(file)) as { properties: Record<string, { type: string }> }).properties;
};

it('the output schemas are what the nodes make of the contract (renew them: npm run docs)', () => {
	const stale = schemas.filter(({ file, text }) => text !== read(file));
	expect(stale.map(({ file }) => `${file}: run npm run docs`)).toEqual([]);
});

it('there is none of an operation that is gone', () => {
	const there = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => /__schema__.*\.json$/.test(file))
		.map((file) => `nodes/${file}`);
	expect(there.sort()).toEqual(schemas.map(({ file }) => file).sort());
});

it('they say what a new node gives, and what one of the first version gives', () => {
	expect(propertiesOf('WebDataScrape', 'v1.1.0', 'scrape')).toMatchObject({
		url: { type: 'string' },
		markdown: { type: 'string' },
		statusCode: { type: 'number' },
		cacheState: { type: 'string' },
	});
	expect(propertiesOf('WebDataScrape', 'v1.0.0', 'scrape')).toMatchObject({
		markdown: { type: 'string' },
		metadata: { type: 'object', properties: { title: { type: 'string' } } },
	});
	expect(propertiesOf('WebDataScrape', 'v1.1.0', 'scrape').highlights).toEqual({ type: 'string' });
	expect(propertiesOf('WebDataSearch', 'v1.1.0', 'searchAndScrape')).toMatchObject({
		summary: { type: 'string' },
		answer: { type: 'string' },
		images: { type: 'array' },
		cacheState: { type: 'string' },
		creditsUsed: { type: 'number' },
		search: { type: 'object' },
	});
	expect(propertiesOf('WebDataCrawl', 'v1.1.0', 'startAndWait')).toHaveProperty('creditsUsed');
	expect(propertiesOf('WebDataUsage', 'v1.1.0', 'getCredits')).toHaveProperty('remainingCredits');
});

it('they offer the content of pages where pages are scraped, and only there', () => {
	for (const version of ['v1.0.0', 'v1.1.0']) {
		expect(propertiesOf('WebDataSearch', version, 'search')).not.toHaveProperty('markdown');
		const page = {
			markdown: { type: 'string' },
			summary: { type: 'string' },
			json: { type: 'object' },
			answer: { type: 'string' },
			highlights: { type: 'string' },
			images: { type: 'array' },
			pages: { type: 'array' },
			blocks: { type: 'array' },
			warning: { type: 'string' },
		};
		expect(propertiesOf('WebDataSearch', version, 'searchAndScrape')).toMatchObject(page);
		expect(propertiesOf('WebDataCrawl', version, 'startAndWait')).toMatchObject(page);
		expect(propertiesOf('WebDataCrawl', version, 'getPages')).toMatchObject(page);
	}
	expect(propertiesOf('WebDataCrawl', 'v1.1.0', 'listActive')).toMatchObject({
		limit: { type: 'number' },
		formats: { type: 'array' },
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type OutputSchema, outputSchemas } from '../../scripts/lib/outputSchemas';

const ROOT = join(__dirname, '../..');
const read = (file: string) =>
	existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';

let schemas: OutputSchema[];
beforeAll(async () => {
	schemas = await outputSchemas();
});

const propertiesOf = (node: string, operation: string) => {
	const file = `nodes/${node}/__schema__/v1.0.0/${operation}.json`;
	return (JSON.parse(read(file)) as { properties: Record<string, { type: string }> }).properties;
};

it('the output schemas are what the nodes make of the contract (renew them: npm run docs)', () => {
	const stale = schemas.filter(({ file, text }) => text !== read(file));
	expect(stale.map(({ file }) => `${file}: run npm run docs`)).toEqual([]);
});

it('there is no output schema of an operation that is gone', () => {
	const there = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => /__schema__.*\.json$/.test(file))
		.map((file) => `nodes/${file}`);
	expect(there.sort()).toEqual(schemas.map(({ file }) => file).sort());
});

it('the output schemas say what a node gives', () => {
	expect(propertiesOf('WebDataScrape', 'scrape')).toMatchObject({
		url: { type: 'string' },
		markdown: { type: 'string' },
	});
	expect(propertiesOf('WebDataScrape', 'scrape').highlights).toEqual({ type: 'string' });
	expect(propertiesOf('WebDataSearch', 'searchAndScrape')).toMatchObject({
		summary: { type: 'string' },
		answer: { type: 'string' },
		images: { type: 'array' },
	});
	for (const [node, operation] of [
		['WebDataSearch', 'searchAndScrape'],
		['WebDataCrawl', 'startAndWait'],
	])
		expect(propertiesOf(node, operation)).not.toHaveProperty('run');
	expect(propertiesOf('WebDataUsage', 'getCredits')).toHaveProperty('remainingCredits');
});

it('the output schemas offer the content of pages where pages are scraped, and only there', () => {
	expect(propertiesOf('WebDataSearch', 'search')).not.toHaveProperty('markdown');
	const page = {
		markdown: { type: 'string' },
		summary: { type: 'string' },
		answer: { type: 'string' },
		highlights: { type: 'string' },
		images: { type: 'array' },
		pages: { type: 'array' },
		blocks: { type: 'array' },
		warning: { type: 'string' },
	};
	expect(propertiesOf('WebDataSearch', 'searchAndScrape')).toMatchObject(page);
	expect(propertiesOf('WebDataCrawl', 'startAndWait')).toMatchObject(page);
	expect(propertiesOf('WebDataCrawl', 'getPages')).toMatchObject(page);
	expect(propertiesOf('WebDataCrawl', 'listActive')).toMatchObject({
		limit: { type: 'number' },
		formats: { type: 'array' },
	});
});

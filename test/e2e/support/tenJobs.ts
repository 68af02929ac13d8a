import type { IDataObject } from 'n8n-workflow';

import type { LocalService } from '../../../mock-service';
import type { Hand } from './hand';

/** A beginner's job, from the node found in the panel to the filled-in form. */
export interface Job {
	/** The words searched for in the panel. */
	node: string;
	/** Where the panel is opened: on an empty canvas, after a table of URLs or a file, or at an agent's tools. */
	at?: 'table' | 'file' | 'agent';
	before?: (service: LocalService) => void;
	fill: (hand: Hand) => Promise<void>;
	/** Number of clicks, as in docs/maintainers/verification.md. */
	clicks: number;
	fields: number;
	/**
	 * What the step requests from the service when it is then run, with a part of its body or query. A tool needs its
	 * agent to run.
	 */
	asks?: { path: RegExp; with?: IDataObject };
	/** A text that the output then shows. */
	shows?: RegExp;
}

/** The column of the table. The second one is no URL, and not sent. */
export const URLS = ['https://a.example/', 'nonsense'];

/** Makes crawls and batches end by themselves, so that no step continues into the next test. */
const ends = (service: LocalService) => service.set({ crawlMs: 300 });

/** Those that don't begin on an empty canvas are first and last, so that the others can share one. */
export const JOBS: Record<string, Job> = {
	'A list of URLs from a table, some failing': {
		node: 'Web Data Scrape',
		at: 'table',
		before: ends,
		clicks: 2,
		fields: 1,
		fill: async (hand) => {
			await hand.pick('Web Data Scrape');
			await hand.pick('Scrape many pages and wait');
			await hand.drop('url', 'urls');
		},
		asks: { path: /batch/, with: { urls: URLS.slice(0, 1) } },
	},
	"A file's answer to a question": {
		node: 'Web Data Scrape',
		at: 'file',
		clicks: 4,
		fields: 1,
		fill: async (hand) => {
			await hand.pick('Web Data Scrape');
			await hand.pick('Read PDF or office file');
			await hand.choose('formats', 'Question');
			await hand.type('question', 'What is due, and when?');
		},
		asks: { path: /parse$/ },
		shows: /answer/,
	},
	'Pages of the past week with full text': {
		node: 'Web Data Search',
		clicks: 4,
		fields: 1,
		fill: async (hand) => {
			await hand.pick('Web Data Search');
			await hand.pick('Search web and scrape results');
			await hand.type('query', 'heat pumps');
			await hand.choose('published', 'Past Week');
		},
		asks: { path: /search$/, with: { tbs: 'qdr:w' } },
	},
	'`/docs` of a site, at most 20 pages': {
		node: 'Web Data Crawl',
		before: ends,
		clicks: 2,
		fields: 3,
		fill: async (hand) => {
			await hand.pick('Web Data Crawl');
			await hand.pick('Crawl site and get pages');
			await hand.type('url', 'https://northwind.example');
			await hand.type('maxPages', '20');
			await hand.type('includePaths', '/docs');
		},
		asks: { path: /crawl$/, with: { limit: 20, includePaths: ['^/docs(/|$)'] } },
	},
	'Name and price as fields, by schema': {
		node: 'Web Data Scrape',
		clicks: 7,
		fields: 3,
		fill: async (hand) => {
			await hand.pick('Web Data Scrape');
			await hand.pick('Scrape page');
			await hand.type('url', 'https://shop.example/lamp');
			await hand.choose('formats', 'Fields (JSON)');
			await hand.type('name', 'name');
			await hand.press('Add Field');
			await hand.type('name', 'price', 1);
			await hand.choose('type', 'Number', 1);
		},
		asks: {
			path: /scrape$/,
			with: {
				formats: [
					'markdown',
					{
						type: 'json',
						schema: {
							type: 'object',
							properties: { name: { type: 'string' }, price: { type: 'number' } },
						},
					},
				],
			},
		},
	},
	'A product by a ready-made list of fields': {
		node: 'Web Data Scrape',
		clicks: 6,
		fields: 1,
		fill: async (hand) => {
			await hand.pick('Web Data Scrape');
			await hand.pick('Scrape page');
			await hand.type('url', 'https://shop.example/lamp');
			await hand.choose('formats', 'Fields (JSON)');
			await hand.choose('schemaFrom', 'Product Details');
		},
		asks: { path: /scrape$/ },
		shows: /price/,
	},
	'Credits of this month by key': {
		node: 'Web Data Usage',
		clicks: 6,
		fields: 0,
		fill: async (hand) => {
			await hand.pick('Web Data Usage');
			await hand.pick('Get historical credit usage');
			await hand.choose('groupBy', 'Month and API Key');
			await hand.choose('months', 'This Month');
		},
		asks: { path: /historical$/, with: { byApiKey: 'true' } },
	},
	'When a crawl ends': {
		node: 'Web Data Crawl',
		before: ({ crawls }) => void crawls.end(crawls.add({ pages: 2 }).id),
		clicks: 3,
		fields: 0,
		fill: async (hand) => {
			await hand.pick('Web Data Crawl');
			// If there are actions as well, the list of triggers is closed.
			await hand.pick(/^Triggers \(/);
			await hand.pick('When a crawl has finished');
		},
		asks: { path: /crawl\/active$/ },
	},
	'Stop a running crawl': {
		node: 'Web Data Crawl',
		clicks: 4,
		fields: 0,
		before: (service) => {
			service.set({ crawlMs: 0 });
			service.crawls.add({ url: 'https://northwind.example', pages: 9 });
		},
		fill: async (hand) => {
			await hand.pick('Web Data Crawl');
			await hand.pick('Cancel crawl');
			await hand.click(hand.page.getByTestId('rlc-input-container'));
			await hand.click(hand.page.getByTestId('rlc-item').filter({ hasText: 'northwind.example' }));
		},
		asks: { path: /crawl\/(?!active)[^/]+$/ },
	},
	'A search tool for an AI agent': {
		node: 'Web Data Search',
		at: 'agent',
		clicks: 2,
		fields: 0,
		fill: async (hand) => {
			await hand.pick('Web Data Search Tool');
			await hand.click(hand.page.getByTestId('from-ai-override-button'));
			await hand.page.getByText('Defined automatically by the').waitFor();
		},
	},
};

/** Figures, units and defaults that the API's document names, through the nodes. */
import type { INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { agent, extract, scrape, search } from '../support/nodes';
import { served } from '../support/served';

const PAGE = 'https://a.example/tea';
const SITE = 'https://a.example/*';

/** Operations with what they need. */
const FORMS: Record<string, [INodeType, INodeParameters]> = {
	search: [search, { operation: 'search', query: 'tea' }],
	searchAndScrape: [search, { operation: 'searchAndScrape', query: 'tea' }],
	scrape: [scrape, { operation: 'scrape', url: PAGE }],
	task: [agent, { operation: 'start', prompt: 'Find the price' }],
	extraction: [extract, { operation: 'start', urls: SITE, prompt: 'Prices' }],
};

let service: LocalService;
const run = served({ credits: 1_000_000, jobMs: 1 }, (started) => (service = started));
const runForm = async (form: string, parameters: INodeParameters) =>
	await run(FORMS[form][0], { ...FORMS[form][1], ...parameters });

const text = (length: number) => 'x'.repeat(length);
const browser = (browserOptions: INodeParameters) => ({ options: { browserOptions } });
const content = (contentOptions: INodeParameters) => ({ options: { contentOptions } });
const cache = (cacheOptions: INodeParameters) => ({ options: { cacheOptions } });
const actions = (...action: INodeParameters[]) => browser({ actions: { action } });

it.each<[form: string, parameters: INodeParameters, field: string]>([
	['search', { query: text(501) }, 'Query'],
	['search', { limit: 0 }, 'Limit'],
	['search', { limit: 101 }, 'Limit'],
	['search', { options: { sources: ['news'], webOnly: { location: 'Paris' } } }, 'Web'],
	['scrape', browser({ timeout: 0.999 }), 'Timeout'],
	['scrape', browser({ timeout: 300.001 }), 'Timeout'],
	['scrape', browser({ profile: { name: text(129) } }), 'Name'],
	['scrape', browser({ location: { country: 'usa1' } }), 'Country'],
	['scrape', cache({ maxAge: 172_800_000 }), 'Max Age'],
	['scrape', content({ parsers: { maxPages: 10_001 } }), 'Max Pages'],
	['scrape', { formats: ['screenshot'], screenshotOptions: { quality: 101 } }, 'Quality'],
	['scrape', actions({ type: 'wait', seconds: 0 }), 'Time'],
	['task', { prompt: text(10_001) }, 'Prompt'],
])('a %s beyond the limits is not sent: %j', async (form, parameters, field) => {
	const { error } = await runForm(form, parameters);
	expect(`${error?.message} ${error?.description}`).toContain(field);
	expect(service.requests).toEqual([]);
});

it.each<[form: string, body: object]>([
	['search', { query: 'tea', limit: 5 }],
	['scrape', { url: PAGE }],
	['task', { prompt: 'Find the price', maxCredits: 500 }],
	['extraction', { urls: [SITE], prompt: 'Prices' }],
])(
	'a %s that is left alone sends what is required, and what could cost more',
	async (form, body) => {
		await runForm(form, {});
		expect(service.requests[0].body).toEqual(body);
	},
);

it.each<[form: string, parameters: INodeParameters, body: object]>([
	['search', { query: text(500), limit: 1 }, { query: text(500), limit: 1 }],
	['search', { limit: 100 }, { limit: 100 }],
	['search', { published: 'qdr:h' }, { tbs: 'qdr:h' }],
	['search', { published: 'qdr:y', options: { newestFirst: true } }, { tbs: 'sbd:1,qdr:y' }],
	[
		'search',
		{ published: 'dates', from: '2026-01-31', to: '2026-02-28' },
		{ tbs: 'cdr:1,cd_min:01/31/2026,cd_max:02/28/2026' },
	],
	[
		'search',
		{ options: { enterprise: ['zdr'], country: 'DE', location: 'Berlin', timeout: 5 } },
		{ enterprise: ['zdr'], country: 'DE', location: 'Berlin', timeout: 5_000 },
	],
	[
		'search',
		{
			options: {
				ignoreInvalidURLs: true,
				queryOperators: {
					...{ exactPhrase: 'green', exclude: 'coffee', excludeSite: 'b.example', fileType: 'pdf' },
					...{ inUrl: 'shop', allInUrl: 'a b', inTitle: 'best', allInTitle: 'c d' },
					...{ related: 'c.example', imageSize: '10x20', largerThan: '30x40' },
				},
			},
		},
		{
			ignoreInvalidURLs: true,
			query: expect.stringMatching(
				/^(?=.*"green")(?=.* -coffee)(?=.* -site:b.example)(?=.* filetype:pdf)(?=.* inurl:shop)(?=.* allinurl:a b)(?=.* intitle:best)(?=.* allintitle:c d)(?=.* related:c.example)(?=.* imagesize:10x20)(?=.* larger:30x40)/,
			),
		},
	],
	['search', { options: { categories: ['github'] } }, { categories: [{ type: 'github' }] }],
	[
		'searchAndScrape',
		{ formats: ['markdown', 'links'], ...browser({ timeout: 5 }) },
		{ scrapeOptions: { timeout: 5_000, formats: ['markdown', 'links'] } },
	],
	['scrape', cache({ maxAge: 2 }), { maxAge: 7_200_000 }],
	['scrape', cache({ maxAge: 0 }), { maxAge: 0 }],
	['scrape', content({ parsers: { parse: true } }), { parsers: [{ type: 'pdf' }] }],
	['scrape', content({ parsers: { parse: false, mode: 'fast' } }), { parsers: [] }],
	[
		'scrape',
		content({ parsers: { mode: 'ocr', maxPages: 3 } }),
		{ parsers: [{ type: 'pdf', mode: 'ocr', maxPages: 3 }] },
	],
	[
		'scrape',
		browser({
			profile: { name: 'shop', saveChanges: false },
			location: { country: 'DE', languages: ['de', 'en'] },
			headers: { pair: [{ name: 'Cookie', value: 'a=b' }] },
		}),
		{
			profile: { name: 'shop', saveChanges: false },
			location: { country: 'DE', languages: ['de', 'en'] },
			headers: { Cookie: 'a=b' },
		},
	],
	[
		'scrape',
		actions(
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
		{
			actions: [
				{ type: 'click', selector: '#a', all: true },
				{ type: 'write', text: 'tea' },
				{ type: 'press', key: 'Enter' },
				{ type: 'wait', milliseconds: 5 },
				{ type: 'wait', selector: '.b' },
				{ type: 'scroll', direction: 'up' },
				{ type: 'executeJavascript', script: '1' },
				{ type: 'pdf', format: 'A4' },
				{ type: 'scrape' },
			],
		},
	],
	['task', { prompt: text(10_000), maxCredits: 7 }, { prompt: text(10_000), maxCredits: 7 }],
	[
		'extraction',
		{ options: { showSources: true, scrapeOptions: { parsePDF: false, waitFor: 0.01 } } },
		{ showSources: true, scrapeOptions: { parsePDF: false, waitFor: 10 } },
	],
])('a %s is sent in the units of the service: %j', async (form, parameters, body) => {
	const { error } = await runForm(form, parameters);
	expect(error).toBeUndefined();
	expect(service.requests[0].body).toMatchObject(body);
});

it('Min Age asks the cache alone: without a copy nothing is scraped', async () => {
	const body = { success: false, code: 'SCRAPE_NO_CACHED_DATA', error: 'None' };
	service.fail({ status: 404, body });
	const { error } = await runForm('scrape', cache({ minAge: 2 }));
	expect(error?.message).toContain('No cached copy');
	expect(service.requests[0].body).toMatchObject({ minAge: 7_200_000 });
	expect(service.ledger).toEqual([]);
});

it('every request carries the key, is JSON, and goes to the address with its prefix', async () => {
	await runForm('scrape', {});
	const [{ headers, path }] = service.requests;
	expect(path).toBe('/v2/scrape');
	// The stand-in doesn't keep the key.
	const sent = {
		authorization: 'right',
		'content-type': expect.stringContaining('application/json'),
	};
	expect(headers).toMatchObject(sent);
});

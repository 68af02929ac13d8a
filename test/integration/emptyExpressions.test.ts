/** A request is never wider than what was entered: what gives nothing is refused, and nothing is sent. */
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { type Field, childrenOf } from '../../nodes/shared/form/field';
import { actionNodes, allNodes } from '../../scripts/lib/nodes';
import { fieldsOf, operationsOf, requiredParameters } from '../contract/controls';
import { itemsOf, toolOf } from '../support/engine';
import { served } from '../support/served';

let service: LocalService;
const run = served({ credits: 1_000_000 }, (started) => (service = started));

const nodeOf = (name: string): INodeType =>
	allNodes().find(({ description }) => description.name === `webData${name}`)!;
const A = 'https://a.example';
const VALUE = '={{ $json.value }}';

/** Runs a node with a value of its item, and returns what the person is told. */
async function told(name: string, parameters: IDataObject, value: unknown): Promise<string> {
	const items = itemsOf({ value } as IDataObject);
	const { error } = await run(nodeOf(name), parameters as INodeParameters, { items });
	expect(service.requests).toEqual([]);
	return error?.message ?? 'It was sent';
}

/** Texts that read as a list without an entry. */
const EMPTY_LISTS = ['[]', ' [ ] ', '[""]', "['']", '["", " "]', '```json\n[]\n```', '\u200b'];
const SEPARATORS = [',', ' ; ', '|', '\u200b,'];
const QUOTES = ['""', "''", '``', '- ""', '"" ""', '"",'];

const NARROWING: Array<[label: string, node: string, parameters: IDataObject, values?: string[]]> =
	[
		[
			'Include Paths',
			'Crawl',
			{ operation: 'start', url: A, includePaths: VALUE },
			[...SEPARATORS, ...QUOTES],
		],
		[
			'Exclude Paths',
			'Crawl',
			{ operation: 'start', url: A, excludePaths: VALUE },
			[...SEPARATORS, ...QUOTES],
		],
		['URLs', 'Agent', { operation: 'start', prompt: 'a', urls: VALUE }],
		...(
			[
				['Include Domains', { options: { includeDomains: VALUE } }, SEPARATORS],
				['Exclude Domains', { options: { excludeDomains: VALUE } }, SEPARATORS],
				['Categories', { options: { categories: VALUE } }, [',', '[]']],
				['Only Sites', { queryOperators: { site: VALUE } }],
				['Exclude Words', { queryOperators: { exclude: VALUE } }],
				['Exact Phrase', { queryOperators: { exactPhrase: VALUE } }],
				['Sources', { sources: VALUE }, [',', '[]']],
			] as Array<[string, IDataObject, string[]?]>
		).map(([label, more, values]): (typeof NARROWING)[number] => [
			label,
			'Search',
			{ operation: 'search', query: 'tea', ...more },
			values,
		]),
		[
			'Include Tags',
			'Scrape',
			{ operation: 'scrape', url: A, contentOptions: { includeTags: VALUE } },
		],
		[
			'Exclude Tags',
			'Scrape',
			{ operation: 'scrape', url: A, contentOptions: { excludeTags: VALUE } },
		],
	];

it.each(NARROWING)(
	'%s is not left out where it reads as an empty list',
	async (label, name, parameters, more = []) => {
		const isChoice = ['Categories', 'Sources'].includes(label);
		for (const value of [...(isChoice ? [] : EMPTY_LISTS), ...more, '', [], null, undefined]) {
			expect([value, await told(name, parameters, value)]).toEqual([value, `${label} is empty`]);
		}
	},
);

describe('a collection that is one expression', () => {
	/** The paths of the collections in a form, with what has to be around each. */
	function collections(
		field: Field,
		around = (value: unknown): unknown => value,
	): Array<[string, unknown]> {
		if (field.type !== 'collection') return [];
		return [
			[field.displayName, around(VALUE)],
			...childrenOf(field).flatMap((child) =>
				collections(child, (value) => around({ ...shownBy(child), [child.name]: value })),
			),
		];
	}

	/** What is beside a control that its neighbors show. */
	function shownBy({ displayOptions }: Field): IDataObject {
		const shown = Object.entries(displayOptions?.show ?? {}).filter(([name]) =>
			/^[a-z]/i.test(name),
		);
		return Object.fromEntries(
			shown.map(([name, conditions]) => [name, name === 'formats' ? conditions : conditions![0]]),
		) as IDataObject;
	}

	const cases = actionNodes().flatMap((node) =>
		operationsOf(node).flatMap((operation) =>
			fieldsOf(node, operation)
				.filter(({ displayOptions }) => displayOptions === undefined)
				.flatMap((field) =>
					collections(field).map(([label, value]) => ({
						name: `${node.description.displayName}: ${operation}, ${label}`,
						node,
						label,
						parameters: {
							...requiredParameters(node, operation),
							[field.name]: value,
						} as INodeParameters,
					})),
				),
		),
	);

	it.each(cases)('is not dropped: $name', async ({ node, label, parameters }) => {
		const items = itemsOf({ value: { limit: 3, a: 1 } });
		const { error } = await run(node, parameters, { items });
		expect(error?.message).toBe(
			`${label} is one expression or text, of which n8n hands over nothing`,
		);
		expect(service.requests).toEqual([]);
	});

	it.each(['{"limit": 3}', '={"limit": 3}'])(
		'is not dropped as text either: %s',
		async (options) => {
			const { error } = await run(nodeOf('Search'), { operation: 'search', query: 'tea', options });
			expect(error?.message).toContain('Options is one expression or text');
			expect(service.requests).toEqual([]);
		},
	);
});

it.each([
	[['best tea in town'], { query: 'best tea in town' }],
	[{ query: 'best tea in town' }, { query: 'best tea in town' }],
])('a query in %j is taken out of it', async (value, sent) => {
	const parameters = { operation: 'search', query: VALUE };
	const { error } = await run(nodeOf('Search'), parameters, { items: itemsOf({ value }) });
	expect(error).toBeUndefined();
	expect(service.requests[0].body).toMatchObject(sent);
});

it.each<[unknown, RegExp]>([
	[['a', 'b'], /several queries/],
	[[5], /not text/],
	[{ query: 'a', limit: 3 }, /more than a query/],
	[{ a: 'b' }, /not text/],
])('a query is none in %j', async (value, says) => {
	expect(await told('Search', { operation: 'search', query: VALUE }, value)).toMatch(says);
});

describe('a prompt that says nothing', () => {
	const scrape = (more: IDataObject) => ({ operation: 'scrape', url: A, ...more });
	/** Each prompt of a form, with its value. */
	const prompts: Array<[label: string, node: string, form: (prompt: string) => IDataObject]> = [
		['Prompt', 'Agent', (prompt) => ({ operation: 'start', prompt })],
		['Prompt', 'Crawl', (prompt) => ({ operation: 'start', url: A, pages: { prompt } })],
		['Prompt', 'Crawl', (prompt) => ({ operation: 'previewSettings', url: A, prompt })],
		['Prompt', 'Extract', (prompt) => ({ operation: 'start', urls: A, prompt })],
		[
			'Prompt',
			'Extract',
			(prompt) => ({
				...{ operation: 'start', urls: A, prompt: 'Prices' },
				scrapeOptions: { formats: ['json'], jsonOptions: { prompt } },
			}),
		],
		['Prompt', 'Scrape', (prompt) => ({ operation: 'interact', scrapeId: 'a-b', prompt })],
		[
			'Code',
			'Scrape',
			(code) => ({ operation: 'interact', scrapeId: 'a-b', instructions: 'code', code }),
		],
		['JSON Prompt', 'Scrape', (jsonPrompt) => scrape({ formats: ['json'], jsonPrompt })],
		['Question', 'Scrape', (question) => scrape({ formats: ['question'], question })],
		[
			'Highlights Query',
			'Scrape',
			(highlightsQuery) => scrape({ formats: ['highlights'], highlightsQuery }),
		],
		[
			'Prompt',
			'Scrape',
			(prompt) =>
				scrape({
					formats: ['markdown', 'changeTracking'],
					changeTrackingOptions: { modes: ['json'], prompt },
				}),
		],
	];
	const NOTHING = [
		...['-', '–', '.', '...', '?', '*', '()', 'N/A', 'n.a.', 'none', 'None', 'null', 'undefined'],
		...['(none)', 'None.', 'nothing', 'TBD', '${prompt}', '{{prompt}}', '|', '<>'],
		...['""', '"none"', '[]', '{}', '#N/A', '#REF!', '#DIV/0!', '\u200b', '{{ $json.prompt }}'],
	];

	it.each(prompts)('is not paid for: %s of %s', async (label, name, form) => {
		for (const value of NOTHING) {
			expect([value, await told(name, form(VALUE), value)]).toEqual([
				value,
				expect.stringMatching(new RegExp(`^${label} is (empty|".*", which says nothing|".*"$)`)),
			]);
		}
	});

	it.each(prompts)(
		'is not paid for either where it is typed: %s of %s',
		async (label, name, form) => {
			for (const value of ['N/A', '-', 'none', '...']) {
				expect(await told(name, form(value), 1)).toBe(`${label} is "${value}", which says nothing`);
			}
		},
	);

	it('is not paid for where an expression gives yes or no', async () => {
		for (const [label, name, form] of prompts) {
			expect(await told(name, form(VALUE), false)).toBe(`${label} is "false", which says nothing`);
		}
	});

	it('is no prompt of a word among others, or of a symbol', async () => {
		for (const prompt of [
			'None of the prices?',
			'5',
			'€',
			'N/A values',
			'日本',
			'What is {{ a }}?',
			'{"find":"tea"}',
		]) {
			const { error } = await run(
				nodeOf('Agent'),
				{ operation: 'start', prompt: VALUE },
				{
					items: itemsOf({ value: prompt }),
				},
			);
			expect(error).toBeUndefined();
		}
	});
});

it.each<[label: string, node: string, parameters: IDataObject]>([
	['Location', 'Search', { operation: 'search', query: 'tea', options: { location: VALUE } }],
	['Search', 'Scrape', { operation: 'map', url: A, options: { search: VALUE } }],
	['Name', 'Scrape', { operation: 'scrape', url: A, browserOptions: { profile: { name: VALUE } } }],
	[
		'Selector',
		'Scrape',
		{
			...{ operation: 'scrape', url: A },
			browserOptions: { actions: { action: [{ type: 'click', selector: VALUE }] } },
		},
	],
])('%s is no word for nothing that an expression gives', async (label, name, parameters) => {
	for (const value of ['N/A', 'none', 'null', '#N/A', '-']) {
		expect(await told(name, parameters, value)).toMatch(
			new RegExp(`^${label} is ".*"(, which says nothing)?$`),
		);
	}
});

it.each(['-', ' ', '.'])('a key may be %j', async (value) => {
	const action = [{ type: 'press', key: VALUE }, { type: 'scrape' }];
	const parameters = { operation: 'scrape', url: A, browserOptions: { actions: { action } } };
	const { error } = await run(nodeOf('Scrape'), parameters, { items: itemsOf({ value }) });
	expect(error).toBeUndefined();
	expect(service.requests[0].body).toMatchObject({ actions: [{ type: 'press', key: value }, {}] });
});

describe('an option that makes another call of it', () => {
	const NONE = '={{ $json.none }}';
	it.each<[label: string, node: string, parameters: IDataObject]>([
		['Search', 'Scrape', { operation: 'map', url: A, options: { search: NONE } }],
		[
			'Country Name or ID',
			'Search',
			{ operation: 'search', query: 'tea', options: { country: NONE } },
		],
		[
			'Country Name or ID',
			'Scrape',
			{ operation: 'scrape', url: A, browserOptions: { location: { country: NONE } } },
		],
		[
			'Language Names or IDs',
			'Scrape',
			{ operation: 'scrape', url: A, browserOptions: { location: { languages: NONE } } },
		],
		[
			'Robots.txt User Agent',
			'Crawl',
			{ operation: 'start', url: A, manners: { robotsUserAgent: NONE } },
		],
		[
			'Audit Username',
			'Scrape',
			{ operation: 'scrape', url: A, cacheOptions: { auditUsername: NONE } },
		],
		[
			'System Prompt',
			'Extract',
			{
				...{ operation: 'start', urls: A, prompt: 'Prices' },
				scrapeOptions: { formats: ['json'], jsonOptions: { prompt: 'a', systemPrompt: NONE } },
			},
		],
		['Kind of Job', 'Usage', { operation: 'listActivity', options: { endpoint: NONE } }],
		[
			'If Still Running',
			'Crawl',
			{ operation: 'getPages', crawlId: 'a', options: { ifRunning: NONE } },
		],
		[
			'If a Later Chunk Fails',
			'Crawl',
			{ operation: 'getPages', crawlId: 'a', options: { ifPartFails: NONE } },
		],
		[
			'API Version',
			'Crawl',
			{ operation: 'getStatus', crawlId: 'a', options: { apiVersion: NONE } },
		],
	])('is not left out: %s of %s', async (label, name, parameters) => {
		expect(await told(name, parameters, 1)).toBe(`${label} is empty`);
	});

	it('may be left out where the default that the form shows applies then', async () => {
		const browserOptions = { waitFor: NONE, timeout: NONE, mobile: NONE };
		const parameters = { operation: 'scrape', url: A, browserOptions };
		const { error } = await run(nodeOf('Scrape'), parameters);
		expect(error).toBeUndefined();
		expect(service.requests[0].body).not.toHaveProperty('mobile');
	});
});

describe('a part of a row, or a place, whose expression gives nothing', () => {
	const actions = (step: IDataObject) => ({
		operation: 'scrape',
		url: A,
		browserOptions: { actions: { action: [{ type: 'scrape' }, step] } },
	});
	const NONE = '={{ $json.none }}';
	const cases: Array<[label: string, node: string, parameters: IDataObject]> = [
		['Action', 'Scrape', actions({ type: NONE, selector: '#a' })],
		['Type', 'Scrape', schemaOfRow({ name: 'a', type: NONE })],
		[
			'All Matches',
			'Scrape',
			actions({ type: 'click', selector: '#a', clickOptions: { all: NONE } }),
		],
		['Location', 'Search', { operation: 'search', query: 'tea', options: { location: NONE } }],
		[
			'Location',
			'Search',
			{ operation: 'search', query: 'tea', options: { webOnly: { location: NONE } } },
		],
	];
	function schemaOfRow(row: IDataObject): IDataObject {
		return { operation: 'scrape', url: A, formats: ['json'], schemaFields: { field: [row] } };
	}

	it.each(cases)('is not left out: %s of %s', async (label, name, parameters) => {
		expect(await told(name, parameters, 1)).toMatch(new RegExp(`${label} is empty$`));
	});

	it('is not left out in a tool either, where no model gives it', async () => {
		for (const [label, name, parameters] of cases) {
			const { error } = await run(toolOf(nodeOf(name)), parameters as INodeParameters);
			expect(error?.message).toMatch(new RegExp(`${label} is empty\\.`));
		}
		expect(service.requests).toEqual([]);
	});

	it('may be that of a description', async () => {
		const parameters = schemaOfRow({ name: 'a', description: NONE, required: NONE });
		const { error } = await run(nodeOf('Scrape'), parameters as INodeParameters);
		expect(error).toBeUndefined();
	});
});

describe('a header whose expression gives nothing', () => {
	const headers = { pair: [{ name: 'Cookie', value: VALUE }] };
	const places: Array<[string, string, IDataObject]> = [
		['Scrape', 'Scrape', { operation: 'scrape', url: A, browserOptions: { headers } }],
		['Batch', 'Scrape', { operation: 'batchStart', urls: A, browserOptions: { headers } }],
		['Crawl', 'Crawl', { operation: 'start', url: A, browserOptions: { headers } }],
		['Search', 'Search', { operation: 'searchAndScrape', query: 'a', browserOptions: { headers } }],
		[
			'Extract',
			'Extract',
			{ operation: 'start', urls: A, prompt: 'a', scrapeOptions: { headers } },
		],
		['Webhook', 'Crawl', { operation: 'start', url: A, options: { webhook: { url: A, headers } } }],
	];

	it.each(places)('is not sent empty in %s', async (_, name, parameters) => {
		for (const value of ['', ' ', null, undefined]) {
			expect(await told(name, parameters, value)).toBe(
				'Headers has "Cookie" without a value (number 1)',
			);
		}
	});

	it.each([
		['=Bearer {{ $json.a }}', 'Authorization'],
		['={{ "Bearer " + $json.a }}', 'Authorization'],
		['={{ `Bearer ${$json.a ?? ""}` }}', 'Authorization'],
		['={{ "Basic " + ($json.a ?? "") }}', 'Authorization'],
		['=session={{ $json.a }}', 'Cookie'],
		['Bearer ', 'Authorization'],
		['={{ $json.value + $json.a }}', 'Cookie'],
	])('is not sent without the part that counts: %s', async (value, name) => {
		const headers = { pair: [{ name, value }] };
		const parameters = { operation: 'scrape', url: A, browserOptions: { headers } };
		expect(await told('Scrape', parameters, 'secret=1')).toBe(
			`Headers has "${name}" without a value (number 1)`,
		);
	});

	it('is not sent with what an item gives for nothing, nor with a gap', async () => {
		for (const [name, value, says] of [
			['Authorization', 'Bearer undefined', 'has "Authorization" without a value'],
			[
				'Authorization',
				'Bearer {{ $json.t }}',
				'has a value of "Authorization" that was not filled',
			],
			['Authorization', '"Bearer x"', 'has a value of "Authorization" in quotes'],
			['X-Tag', 'N/A', 'has "X-Tag" without a value'],
		]) {
			const headers = { pair: [{ name, value: VALUE }] };
			const parameters = { operation: 'scrape', url: A, browserOptions: { headers } };
			expect(await told('Scrape', parameters, value)).toContain(`Headers ${says}`);
		}
		const headers = { pair: [{ name: '=X-{{ $json.none }}', value: 'a' }] };
		const parameters = { operation: 'scrape', url: A, browserOptions: { headers } };
		expect(await told('Scrape', parameters, 1)).toMatch(
			/^Headers has a name without all its parts/,
		);
	});

	it('may be a part that its expression says may be empty', async () => {
		const headers = { pair: [{ name: 'X-Tag', value: '=v{{ $json.a ?? "" }}' }] };
		const parameters = { operation: 'scrape', url: A, browserOptions: { headers } };
		const { error } = await run(nodeOf('Scrape'), parameters);
		expect(error).toBeUndefined();
		expect(service.requests[0].body).toMatchObject({ headers: { 'X-Tag': 'v' } });
	});

	it('is refused where the headers are one expression, or their name gives nothing', async () => {
		const scrape = { operation: 'scrape', url: A };
		expect(await told('Scrape', { ...scrape, browserOptions: { headers: VALUE } }, { a: 1 })).toBe(
			'Headers is empty',
		);
		const nameless = { pair: [{ name: VALUE, value: VALUE }] };
		expect(await told('Scrape', { ...scrape, browserOptions: { headers: nameless } }, '')).toMatch(
			/^Headers /,
		);
	});
});

it.each([
	['lockdown', '{ lockdown: $json.none, x: 1 }'],
	['b', '{ a: { b: $json.none } }'],
	['maxAge', '{ maxAge: $json.none * 2 }'],
])('a key of JSON without a value is not left out: %s', async (key, json) => {
	const options = { additionalBodyFields: `={{ (${json}) }}` };
	expect(await told('Scrape', { operation: 'scrape', url: A, options }, 1)).toBe(
		`Additional Body Fields (JSON) has "${key}" without a value`,
	);
});

describe('a schema without fields', () => {
	const extract = { operation: 'start', urls: A, prompt: 'Prices' };
	const row = { field: [{ name: VALUE, type: 'string' }] };
	const formats = ['json'];
	const json = { operation: 'scrape', url: A, formats, jsonPrompt: 'Prices' };

	it.each<[string, string, IDataObject, unknown[], string]>([
		['Extract', 'List of Fields', { ...extract, schemaFields: row }, ['', null], 'Name is empty'],
		['Scrape', 'List of Fields', { ...json, schemaFields: row }, ['', null], 'Name is empty'],
		...['{}', '[]', '[{}]', {}, [], [{}]].flatMap(
			(value): Array<[string, string, IDataObject, unknown[], string]> => [
				[
					'Extract',
					'Example Object',
					{ ...extract, schemaFrom: 'example', schemaExample: VALUE },
					[value],
					'Example Object has no fields',
				],
				[
					'Scrape',
					'Example Object',
					{ ...json, schemaFrom: 'example', schemaExample: VALUE },
					[value],
					'Example Object has no fields',
				],
				[
					'Agent',
					'Example Object',
					{ operation: 'start', prompt: 'a', schemaFrom: 'example', schemaExample: VALUE },
					[value],
					'Example Object has no fields',
				],
			],
		),
		[
			'Agent',
			'JSON Schema',
			{ operation: 'start', prompt: 'a', schemaFrom: 'json', schemaJson: VALUE },
			['{}', {}, { type: 'object', properties: {} }],
			'JSON Schema has no fields',
		],
		[
			'Extract',
			'JSON Schema',
			{ ...extract, schemaFrom: 'json', schemaJson: VALUE },
			['{}', {}, { type: 'array', items: {} }],
			'JSON Schema has no fields',
		],
	])('%s is not paid for with an empty %s', async (name, _way, parameters, values, message) => {
		for (const value of values) expect(await told(name, parameters, value)).toContain(message);
	});
});

describe('a choice that an expression gives', () => {
	const LONG = 'x'.repeat(20_000);
	it.each<[string, string, IDataObject]>([
		['Proxy', 'Scrape', { operation: 'scrape', url: A, browserOptions: { proxy: VALUE } }],
		['Model', 'Agent', { operation: 'start', prompt: 'a', options: { model: VALUE } }],
		['Formats', 'Scrape', { operation: 'scrape', url: A, formats: VALUE }],
		['Sources', 'Search', { operation: 'search', query: 'a', sources: VALUE }],
		['Categories', 'Search', { operation: 'search', query: 'a', options: { categories: VALUE } }],
	])('%s is no trace of a mistake', async (label, name, parameters) => {
		for (const value of ['undefined', 'NaN', 'null', '[object Object]', LONG, 'a b']) {
			expect(await told(name, parameters, value)).toMatch(
				new RegExp(`^${label} (is|has) ".*", which is`),
			);
		}
	});
});

it.each([
	['Group By', 'Usage', { operation: 'getHistorical', groupBy: VALUE }, 'Weeks'],
	[
		'From',
		'Usage',
		{ operation: 'getHistorical', months: 'range', from: VALUE },
		['2026-01-01', '2026-02-01'],
	],
	['Max Credits', 'Agent', { operation: 'start', prompt: 'a', maxCredits: VALUE }, 1e21],
	['Query', 'Search', { operation: 'search', query: VALUE }, 'Invalid DateTime'],
	['Limit', 'Search', { operation: 'search', query: 'a', limit: VALUE }, '0x10'],
	['Limit', 'Search', { operation: 'search', query: 'a', limit: VALUE }, '1.000'],
])('%s takes nothing that is none', async (label, name, parameters, value) => {
	expect(await told(name, parameters, value)).toMatch(new RegExp(`^${label} is `));
});

describe('an address to which an expression adds nothing', () => {
	const site = '=https://a.example/{{ $json.value }}';
	const addresses: Array<[label: string, node: string, parameters: IDataObject]> = [
		['Start URL', 'Crawl', { operation: 'start', url: site }],
		['URL', 'Scrape', { operation: 'scrape', url: site }],
		['URLs', 'Scrape', { operation: 'batchStart', urls: site }],
		['URLs', 'Extract', { operation: 'start', prompt: 'a', urls: `${site}*` }],
		['Include Paths', 'Crawl', { operation: 'start', url: A, includePaths: '=/{{ $json.value }}' }],
		[
			'Exclude Paths',
			'Crawl',
			{ operation: 'start', url: A, excludePaths: '=^/{{ $json.value }}' },
		],
	];
	const cases = addresses.flatMap((one) =>
		[null, '', undefined].map((value) => [...one, value] as const),
	);

	it.each(cases)(
		'is refused in %s of %s: %j, value %j',
		async (_label, name, parameters, value) => {
			expect(await told(name, parameters, value)).toMatch(/expressions added nothing|site/);
		},
	);

	it.each([
		['beside others', `=${A}/1\n{{ $json.value }}`, ''],
		['where it adds something', site, 'x'],
	])('is sent %s', async (_name, urls, value) => {
		const items = itemsOf({ value });
		const { error } = await run(nodeOf('Scrape'), { operation: 'batchStart', urls }, { items });
		expect(error).toBeUndefined();
	});
});

describe('a text in which an expression has no value', () => {
	const forms: Array<[label: string, node: string, form: (text: string) => IDataObject]> = [
		['Query', 'Search', (query) => ({ operation: 'search', query })],
		['Prompt', 'Agent', (prompt) => ({ operation: 'start', prompt })],
		['URL', 'Scrape', (url) => ({ operation: 'scrape', url })],
	];
	const refused: Array<[label: string, text: string, made: string]> = [
		['Query', '={{ $json.a + " " + $json.b }}', 'is "undefined undefined"'],
		['Query', '={{ "site:" + $json.a }}', 'is "site:undefined"'],
		['Query', '={{ $("before").item.json.a + " tea" }}', 'is "undefined tea"'],
		['Query', '={{ `${$json.topic} ${$json.a}` }}', 'is "Null Island undefined"'],
		['Query', '=tea {{ $json.a }}', 'is "tea ", to which its expressions added nothing'],
		['Prompt', '={{ "Find " + $json.a }}', 'is "Find undefined"'],
		['Prompt', '={{ $json.topic + $json.a }}', 'is "Null Islandundefined"'],
		['Prompt', '=Find {{ $json.a }}', 'is "Find ", to which its expressions added nothing'],
		['URL', '={{ "https://a.example/" + $json.a }}', 'is "https://a.example/undefined"'],
		['URL', '={{ "https://a.example/" + $json.a + "/x" }}', 'is "https://a.example/undefined/x"'],
		['URL', '={{ $json.url + "?page=" + ($json.a + 1) }}', 'is "https://a.example?page=NaN"'],
	];
	const meant: Array<[label: string, text: string, sent: string]> = [
		['Query', 'what is undefined behavior', 'what is undefined behavior'],
		['Query', '=what is undefined behavior', 'what is undefined behavior'],
		['Query', '={{ $json.topic }}', 'Null Island'],
		['Query', '={{ "where is " + $json.topic.toLowerCase() }}', 'where is null island'],
		['Query', '={{ "undefined " + $json.topic }}', 'undefined Null Island'],
		['Query', '={{ $("before").item.json.topic.toLowerCase() }}', 'null island'],
		['Query', '=tea {{ $json.a ?? "" }}', 'tea '],
		['Prompt', '=Explain {{ $json.topic }}', 'Explain Null Island'],
		['Prompt', '={{ ["Explain", $json.topic].join(" ") }}', 'Explain Null Island'],
		['URL', '={{ $json.url }}/null', 'https://a.example/null'],
	];
	const item = { topic: 'Null Island', url: A };
	const formOf = (label: string) => forms.find(([one]) => one === label)!;

	it.each(refused)('is refused for %s: %s', async (label, text, made) => {
		const [, name, form] = formOf(label);
		const { error } = await run(nodeOf(name), form(text) as INodeParameters, {
			items: itemsOf(item),
		});
		expect(error?.message).toBe(`${label} ${made}`);
		expect(service.requests).toEqual([]);
	});

	it.each(meant)('passes for %s where it was meant: %s', async (label, text, sent) => {
		const [, name, form] = formOf(label);
		const { error } = await run(nodeOf(name), form(text) as INodeParameters, {
			items: itemsOf(item),
		});
		expect(error?.message).toBeUndefined();
		expect(Object.values(service.requests[0].body as IDataObject)).toContain(sent);
	});
});

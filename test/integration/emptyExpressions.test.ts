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

/** Values that are a list without an entry. */
const EMPTY_LISTS = ['[]', '["", " "]', ' \n ', '\u200b', [], [''], null, undefined];

/** Controls without which a request is wider. */
const NARROWING: Array<[label: string, node: string, parameters: IDataObject]> = [
	['Include Paths', 'Crawl', { operation: 'start', url: A, includePaths: VALUE }],
	['Exclude Paths', 'Crawl', { operation: 'start', url: A, options: { excludePaths: VALUE } }],
	['URLs', 'Agent', { operation: 'start', prompt: 'a', options: { urls: VALUE } }],
	['URLs', 'Scrape', { operation: 'batchStart', urls: VALUE }],
	...(
		[
			['Include Domains', { options: { includeDomains: VALUE } }],
			['Exclude Domains', { options: { excludeDomains: VALUE } }],
			['Categories', { options: { categories: VALUE } }],
			['Only Sites', { options: { queryOperators: { site: VALUE } } }],
			['Exclude Words', { options: { queryOperators: { exclude: VALUE } } }],
			['Exact Phrase', { options: { queryOperators: { exactPhrase: VALUE } } }],
			['Sources', { options: { sources: VALUE } }],
		] as Array<[string, IDataObject]>
	).map(([label, more]): (typeof NARROWING)[number] => [
		label,
		'Search',
		{ operation: 'search', query: 'tea', ...more },
	]),
	...['Include Tags', 'Exclude Tags'].map((label): (typeof NARROWING)[number] => [
		label,
		'Scrape',
		{
			operation: 'scrape',
			url: A,
			options: { contentOptions: { [`${label.slice(0, 7).toLowerCase()}Tags`]: VALUE } },
		},
	]),
];

it.each(NARROWING)(
	'%s of %s is not left out where it turns out as an empty list',
	async (label, name, parameters) => {
		for (const value of EMPTY_LISTS) {
			const message = await told(name, parameters, value);
			expect(message).toMatch(
				new RegExp(`^${label}(: .* gives nothing| (is|has) "",? .*not a URL)$`),
			);
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

	/** What a control with this label needs beside its collection. */
	const NEEDED: Record<string, IDataObject> = {
		'Crawl Options': { watch: 'crawl', url: 'https://a.example' },
	};

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
							...NEEDED[label],
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

it('an option may be left out where the default that the form shows applies then', async () => {
	const NONE = '={{ $json.none }}';
	const browserOptions = { waitFor: NONE, timeout: NONE, mobile: NONE };
	const { error } = await run(nodeOf('Scrape'), {
		operation: 'scrape',
		url: A,
		options: { browserOptions },
	});
	expect(error).toBeUndefined();
	expect(service.requests[0].body).not.toHaveProperty('mobile');
});

it('a part of a row is not left out in a tool either, where no model gives it', async () => {
	const actions = [
		{ type: '={{ $json.none }}', selector: '#a' },
		{ type: 'click', selector: '#a', clickOptions: { all: '={{ $json.none }}' } },
	];
	for (const action of actions) {
		const browserOptions = { actions: { action: [{ type: 'scrape' }, action] } };
		const parameters = {
			operation: 'scrape',
			url: A,
			options: { browserOptions },
		} as INodeParameters;
		const { error } = await run(toolOf(nodeOf('Scrape')), parameters);
		expect(error?.message).toMatch(/^(Action|All Matches): \{\{ \$json\.none \}\} gives nothing/);
	}
	expect(service.requests).toEqual([]);
});

it('headers are not left out where they are one expression', async () => {
	const parameters = {
		operation: 'scrape',
		url: A,
		options: { browserOptions: { headers: VALUE } },
	};
	expect(await told('Scrape', parameters, { a: 1 })).toMatch(/^Headers/);
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

it.each([
	['Group By', 'Usage', { operation: 'getHistorical', groupBy: VALUE }, 'Weeks'],
	[
		'From',
		'Usage',
		{ operation: 'getHistorical', months: 'range', from: VALUE },
		['2026-01-01', 7],
	],
	['Max Credits', 'Agent', { operation: 'start', prompt: 'a', maxCredits: VALUE }, 1e21],
])('%s takes nothing that is none', async (label, name, parameters, value) => {
	expect(await told(name, parameters, value)).toMatch(new RegExp(`^${label} is `));
});

import {
	NodeHelpers,
	Workflow,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';

import { findOperation } from '../../../api/contract';
import { startService } from '../../../mock-service';

import type { Field } from '../../../nodes/shared/form/field';
import { allNodes, operationOf } from '../../../scripts/lib/nodes';
import { formsOf } from '../../contract/controls';
import { cases as operationCases } from '../../contract/nodes';
import { engine, nodeOf, runNode } from '../../support/engine';

const cases = operationCases.map(({ node, operation: value, name }) => ({
	node,
	operation: { ...operationOf(node, value), value },
	name,
}));

describe('the routing of an operation', () => {
	it.each(cases)('$name: declares the endpoint of $operation.name', ({ node, operation }) => {
		const dropdown = node.description.properties.find(({ name }) => name === 'operation')!;
		const entry = (dropdown.options as INodePropertyOptions[]).find(
			({ value }) => value === operation.value,
		)!;
		const { method, url } = entry.routing!.request!;
		expect(findOperation(method as 'GET', url!)).toBeDefined();
		expect(method).toBe(operation.method);
	});

	it('is where the hook takes the endpoint from', async () => {
		const { node } = cases.find(({ operation }) => operation.value === 'getQueueStatus')!;
		const service = await startService();
		try {
			const dropdown = node.description.properties.find(({ name }) => name === 'operation')!;
			const entry = (dropdown.options as INodePropertyOptions[]).find(
				({ value }) => value === 'getQueueStatus',
			)!;
			entry.routing!.request!.url = '/v2/elsewhere';
			await runNode({
				nodeType: node,
				parameters: { operation: 'getQueueStatus' },
				credentials: { baseUrl: service.url, apiKey: service.apiKey },
				items: [{ json: {} }],
			});
			expect(service.requests.map(({ path }) => path)).toEqual(['/v2/elsewhere']);
		} finally {
			await service.close();
		}
	});
});

describe('n8n evaluates a value as often as its name stands in the description', () => {
	it.each(allNodes().map(({ description }) => description))(
		'so each name of $displayName stands once, but for the text that only tools have',
		({ properties }) => {
			const names = properties.map(({ name }) => name).filter((name) => name !== 'toolDescription');
			expect(names).toEqual([...new Set(names)]);
		},
	);
});

describe('what a form says of itself', () => {
	/**
	 * Returns the fields of a form and in its collections; entries of lists are identified by the list and their names.
	 */
	const fieldsIn = (fields: Field[]): Field[] =>
		fields.flatMap((field) =>
			field.type === 'collection' ? fieldsIn(field.options as Field[]) : [field],
		);
	const saysWhatItIs = ({ type, description, hint, options = [] }: Field) =>
		type === 'notice' ||
		Boolean(description ?? hint) ||
		(type === 'options' && options.every((choice) => 'description' in choice));

	it.each(allNodes().map(({ description }) => description))(
		'$displayName: every field has a description or a hint, or choices that do',
		({ properties }) => {
			const silent = fieldsIn(properties).filter((field) => !saysWhatItIs(field));
			expect(silent.map(({ displayName }) => displayName)).toEqual([]);
		},
	);
});

it('numbers are whole in all forms, but for those that the service takes with a fraction', () => {
	const numbersIn = (fields: Field[]): Field[] =>
		fields.flatMap((field) => [
			...(field.type === 'number' ? [field] : []),
			...numbersIn(
				(field.options ?? []).flatMap((option) =>
					'values' in option ? option.values : 'type' in option ? [option] : [],
				),
			),
		]);
	const fractions = allNodes()
		.flatMap((node) => numbersIn(formsOf(node)))
		.filter(({ typeOptions, wire }) => typeOptions?.numberPrecision !== 0 && !wire?.unitMs);
	expect(new Set(fractions.map(({ name }) => name))).toEqual(
		new Set(['scale', 'maxCredits', 'delay']),
	);
});

describe('the line under a node on the canvas', () => {
	/** Evaluates a subtitle as the editor does, which knows no items. */
	const subtitleOf = (nodeType: INodeType, parameters: INodeParameters) => {
		const node = nodeOf({ nodeType, parameters, credentials: { baseUrl: '', apiKey: '' } });
		const { nodeTypes } = engine(nodeType, { baseUrl: '', apiKey: '' });
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		const { subtitle } = nodeType.description;
		return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	};

	it.each(cases)('$name: is the name $operation.name', ({ node, operation }) => {
		expect(subtitleOf(node, { operation: operation.value })).toBe(operation.name);
	});

	it.each([
		['webDataSearch', 'query', 'Search Web'],
		['webDataSearchTrigger', 'query', 'new results'],
		['webDataScrape', 'url', 'Scrape Page'],
		['webDataCrawl', 'url', 'Crawl Site and Get Pages'],
		['webDataExtract', 'urls', 'Extract Data From Pages'],
		['webDataAgent', 'prompt', 'Run Agent Task and Get Result'],
		['webDataPageTrigger', 'urls', 'page changed'],
	])('%s: has the first line of its %s, unless it is an expression', (name, field, words) => {
		const nodeType = allNodes().find(({ description }) => description.name === name)!;
		expect(subtitleOf(nodeType, { [field]: 'tea\nand more' })).toBe(`${words}: tea`);
		const site = 'https://a.example/b?c=https://d.example';
		expect(subtitleOf(nodeType, { [field]: site })).toBe(`${words}: ${site.slice(8)}`);
		expect(subtitleOf(nodeType, { [field]: '={{ $json.topic }}\n' })).toBe(words);
		expect(subtitleOf(nodeType, {})).toBe(words);
	});
});

describe('what a model is told of a tool', () => {
	/** Returns what n8n tells the model of the tool that it makes of a node with these parameters. */
	function toldOf({ description }: INodeType, parameters: INodeParameters): string {
		const type = { ...description, name: `${description.name}Tool` };
		const node = nodeOf({
			nodeType: { description: type } as INodeType,
			parameters,
			credentials: { baseUrl: '', apiKey: '' },
		});
		const { properties } = type;
		const filled = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, type);
		const shown = { ...node, parameters: filled ?? {} };
		return NodeHelpers.getToolDescriptionForNode(shown, { description: type } as INodeType);
	}

	it.each(cases)('of $name: $operation.name is what it does', ({ node, operation }) => {
		const told = toldOf(node, { operation: operation.value });
		expect(told.startsWith(operation.description)).toBe(true);
	});

	it.each([
		['webDataAgent', 'start', 'Schema: one of none, fields, '],
		['webDataCrawl', 'start', 'Include Paths: one per line; '],
		['webDataScrape', 'scrape', 'Formats: some of markdown, json, product, '],
		['webDataSearch', 'search', 'Published: one of any, qdr:h'],
		['webDataUsage', 'getHistorical', 'From: as YYYY-MM-DD; To: as YYYY-MM-DD'],
	])('of %s: %s says how to write what it takes', (name, value, how) => {
		const { node } = cases.find(
			(one) => one.node.description.name === name && one.operation.value === value,
		)!;
		expect(toldOf(node, { operation: value })).toContain(how);
	});

	it('names no field that only a choice shows', () => {
		const { node } = cases.find(({ operation }) => operation.value === 'scrape')!;
		expect(toldOf(node, { operation: 'scrape' })).not.toContain('JSON Schema');
	});

	it('is what the user wrote, also when n8n still asked whether to', () => {
		const toolDescription = 'Reads our handbook';
		for (const saved of [{}, { descriptionType: 'manual' }]) {
			const parameters = { operation: 'map', toolDescription, ...saved };
			const { node } = cases.find(({ operation }) => operation.value === 'map')!;
			expect(toldOf(node, parameters)).toBe(toolDescription);
		}
	});
});

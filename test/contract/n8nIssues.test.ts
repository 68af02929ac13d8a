/** What n8n itself says of a form, before a workflow runs or is published. */
import {
	NodeHelpers,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import type { Field } from '../../nodes/shared/form/field';
import { actionNodes, allNodes } from '../../scripts/lib/nodes';
import { node as anyNode } from '../support/form';
import { fieldsOf, operationsOf, requiredParameters, triggerParameters } from './controls';

const EXPRESSION = '={{ $json.value }}';

/** What n8n finds missing or wrong. */
function issuesOf({ description }: INodeType, parameters: INodeParameters): unknown {
	const node: INode = { ...anyNode, type: description.name, parameters };
	const whole = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		node,
		description,
	)!;
	const filled = { ...node, parameters: whole };
	return NodeHelpers.getNodeParametersIssues(description.properties, filled, description);
}

/** Each control below a field, with the values that hold it alone: as an expression, beside its neighbors' defaults. */
function withExpression(field: Field, path = field.name): Array<[path: string, value: unknown]> {
	if (field.type === 'hidden' || field.type === 'notice') return [];
	if (field.type === 'collection') {
		return (field.options as Field[]).flatMap((child) =>
			withExpression(child, `${path}.${child.name}`).map(([name, value]): [string, unknown] => [
				name,
				{ [child.name]: value },
			]),
		);
	}
	if (field.type === 'fixedCollection') {
		const [group] = field.options as Array<{ name: string; values: Field[] }>;
		return group.values.flatMap((child) =>
			withExpression(child, `${path}.${child.name}`).map(([name, value]): [string, unknown] => {
				const others = group.values.map((one) => [one.name, one.required ? 'x' : one.default]);
				const row = { ...(Object.fromEntries(others) as IDataObject), [child.name]: value };
				return [name, { [group.name]: field.typeOptions?.multipleValues ? [row] : row }];
			}),
		);
	}
	return [[path, EXPRESSION]];
}

const forms: Array<[name: string, node: INodeType, fields: Field[], base: INodeParameters]> = [
	...actionNodes().flatMap((one) =>
		operationsOf(one).map((operation): (typeof forms)[number] => [
			`${one.description.displayName}: ${operation}`,
			one,
			fieldsOf(one, operation),
			requiredParameters(one, operation),
		]),
	),
	...allNodes()
		.filter(({ description }) => description.polling)
		.map((one): (typeof forms)[number] => [
			one.description.displayName,
			one,
			one.description.properties,
			triggerParameters(one),
		]),
];

it.each(forms)('n8n lets %s run with an expression in any one control', (_, one, fields, base) => {
	expect(issuesOf(one, base)).toBeNull();
	const found = fields
		.flatMap((field) =>
			withExpression(field).map(([path, value]) => ({
				path,
				issues: issuesOf(one, { ...base, [field.name]: value } as INodeParameters),
			})),
		)
		.filter(({ issues }) => issues !== null);
	expect(found).toEqual([]);
});

it('n8n demands what is always needed', () => {
	const scrape = actionNodes().find(({ description }) => description.name === 'webDataScrape')!;
	expect(issuesOf(scrape, { operation: 'scrape' })).toEqual({
		parameters: { url: ['Parameter "URL" is required.'] },
	});
});

/** What n8n itself says of a form, before a workflow runs or is published. */
import { NodeHelpers, type INode, type INodeParameters, type INodeType } from 'n8n-workflow';

import { actionNodes, allNodes } from '../../scripts/lib/nodes';
import { node as anyNode } from '../support/form';
import {
	type ControlSample,
	controlSamples,
	requiredParameters,
	triggerParameters,
	triggerSamples,
} from './controls';
import { withValue } from './entered';
import { cases } from './nodes';

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

type Form = [name: string, node: INodeType, base: INodeParameters, samples: ControlSample[]];

const forms: Form[] = [
	...cases.map(({ node, operation, name }): Form => [
		`${name}: ${operation}`,
		node,
		requiredParameters(node, operation),
		controlSamples(node, operation),
	]),
	...allNodes()
		.filter(({ description }) => description.polling)
		.map((one): Form => [
			one.description.displayName,
			one,
			triggerParameters(one),
			triggerSamples(one),
		]),
];

it.each(forms)('n8n lets %s run with an expression in any one control', (_, one, base, samples) => {
	expect(issuesOf(one, base)).toBeNull();
	const found = samples
		.map((sample) => [sample.control, issuesOf(one, withValue(sample, EXPRESSION))])
		.filter(([, issues]) => issues !== null);
	expect(found).toEqual([]);
});

it('n8n demands what is always needed', () => {
	const scrape = actionNodes().find(({ description }) => description.name === 'webDataScrape')!;
	expect(issuesOf(scrape, { operation: 'scrape' })).toEqual({
		parameters: { url: ['Parameter "URL" is required.'] },
	});
});

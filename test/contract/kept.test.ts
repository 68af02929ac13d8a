/** n8n's editor computes a form anew when its operation changes: what was entered stays where both forms have it. */
import { type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { allNodes } from '../../scripts/lib/nodes';
import { node as anyNode } from '../support/form';
import { CHANGING, changesOf } from './kept';

const descriptions = allNodes()
	.map(({ description }) => description)
	.filter(({ properties }) => properties.some(({ name }) => CHANGING.includes(name)));

it.each(descriptions)('$displayName keeps what was entered', (description) => {
	const { field, entered, changes } = changesOf(description);
	for (const { from, to, shared } of changes) {
		const change = (values: INodeParameters, value: string) => {
			const parameters = { ...values, [field.name]: value };
			const node = { ...anyNode, type: description.name, parameters };
			const { properties } = description;
			return NodeHelpers.getNodeParameters(
				properties,
				parameters,
				false,
				false,
				node,
				description,
			)!;
		};
		const before = change(entered as INodeParameters, String(from.value));
		const after = change(before, String(to.value));
		for (const name of shared) expect([name, after[name]]).toEqual([name, entered[name]]);
	}
});

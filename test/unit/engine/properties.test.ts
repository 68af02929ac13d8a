import { formFieldsOf } from '../../../nodes/shared/engine/operationForm';
import { actionNodes, operationOf } from '../../../scripts/lib/nodes';
import { operationsOf } from '../../contract/controls';

const cases = actionNodes().flatMap((node) =>
	operationsOf(node).map((value) => ({
		node,
		operation: operationOf(node, value),
		name: node.description.displayName,
	})),
);

describe('the form of an operation in its node', () => {
	it.each(cases)('$name: $operation.name has its own order', ({ node, operation }) => {
		const shown = node.description.properties.filter(({ displayOptions }) =>
			displayOptions?.show?.operation?.includes(operation.value),
		);
		expect(shown.map(({ name }) => name)).toEqual(formFieldsOf(operation).map(({ name }) => name));
	});
});

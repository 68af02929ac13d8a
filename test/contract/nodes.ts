import { actionNodes } from '../../scripts/lib/nodes';
import { operationsOf } from './controls';

/** Every action node of the package, as its package.json lists them. */
export const nodes = actionNodes();

/** Every operation of every node. */
export const cases = nodes.flatMap((node) =>
	operationsOf(node).map((operation) => ({ node, operation, name: node.description.displayName })),
);

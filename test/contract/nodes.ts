import { actionNodes } from '../../scripts/lib/nodes';

/** Every action node of the package, as its package.json lists them. */
export const nodes = actionNodes();

import type { INodeType } from 'n8n-workflow';

import { actionNodes, allNodes } from '../../../scripts/lib/nodes';

interface Hinted {
	builderHint?: {
		searchHint: string;
		relatedNodes: Array<{ nodeType: string; relationHint: string }>;
	};
}

const ours = new Set(
	allNodes().map(({ description }) => `n8n-nodes-web-data-service.${description.name}`),
);

it.each(actionNodes().map((node) => [node.description.name, node] as [string, INodeType]))(
	'%s tells the workflow builder when to use it, and with which nodes that exist',
	(name, { description }) => {
		const { builderHint } = description as unknown as Hinted;
		if (!builderHint) throw new Error(`${name} lacks ...builderHint(…) in its description`);
		const { searchHint, relatedNodes } = builderHint;
		expect(searchHint.length).toBeGreaterThan(30);
		expect(relatedNodes.length).toBeGreaterThan(0);
		for (const { nodeType, relationHint } of relatedNodes) {
			expect(relationHint).toBeTruthy();
			const isKnown = ours.has(nodeType) || /^(n8n-nodes-base|@n8n\/)/.test(nodeType);
			expect([nodeType, isKnown]).toEqual([nodeType, true]);
		}
	},
);

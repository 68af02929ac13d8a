import type { IDataObject } from 'n8n-workflow';

import { PACKAGE_NAME } from '../../../scripts/lib/paths.mjs';

export interface FlowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: IDataObject;
	credentials?: Record<string, { id: string; name: string }>;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	webhookId?: string;
}

export interface Flow {
	id?: string;
	name: string;
	nodes: FlowNode[];
	connections: Record<
		string,
		Record<string, Array<Array<{ node: string; type: string; index: number }>>>
	>;
	pinData?: Record<string, Array<{ json: IDataObject }>>;
	settings: IDataObject;
}

let made = 0;

/** Creates a node; its name follows from its type unless given in `more`. */
export function node(
	type: string,
	parameters: IDataObject = {},
	more: Partial<FlowNode> = {},
): FlowNode {
	made += 1;
	return {
		id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
		name: `${type.split('.').at(-1)} ${made}`,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		...more,
	};
}

/** Creates one of the package's nodes, e.g. `ours('webDataSearch', { operation: 'search', query: 'x' })`. */
export const ours = (type: string, parameters: IDataObject, more: Partial<FlowNode> = {}) =>
	node(`${PACKAGE_NAME}.${type}`, parameters, { name: type, ...more });

/** Returns poll times every so many seconds: n8n allows none shorter than a minute, but several of them. */
export const polledEvery = (seconds: number): IDataObject => ({
	pollTimes: {
		item: Array.from({ length: 60 / seconds }, (_, n) => ({
			mode: 'custom',
			cronExpression: `${seconds * n} * * * * *`,
		})),
	},
});

/**
 * Creates a flow of consecutive nodes, after a manual trigger that outputs `items` (one empty item by default). With
 * `trigger`, that node starts the flow instead.
 */
export function chain(
	nodes: FlowNode[],
	{
		items = [{}],
		trigger,
		name = 'Test',
	}: { items?: IDataObject[]; trigger?: FlowNode; name?: string } = {},
): Flow {
	const start = trigger ?? node('n8n-nodes-base.manualTrigger', {}, { name: 'Start' });
	const all = [start, ...nodes].map((one, index) => ({
		...one,
		position: [index * 240, 0] as [number, number],
	}));
	const connections: Flow['connections'] = {};
	all.slice(0, -1).forEach((one, index) => connect(connections, one.name, all[index + 1].name));
	return {
		name,
		nodes: all,
		connections,
		...(trigger ? {} : { pinData: { [start.name]: items.map((json) => ({ json })) } }),
		settings: { executionOrder: 'v1' },
	};
}

/** Creates a flow that a trigger of the package starts, whose items are those of the node `Emitted`. */
export const emitting = (trigger: FlowNode, name = trigger.name): Flow =>
	chain([node('n8n-nodes-base.noOp', {}, { name: 'Emitted' })], { name, trigger });

/** Adds a connection: `output` counts from 0, `type` is `main` or one of the AI kinds such as `ai_tool`. */
function connect(
	connections: Flow['connections'],
	from: string,
	to: string,
	{ output = 0, type = 'main' }: { output?: number; type?: string } = {},
): void {
	const outputs = ((connections[from] ??= {})[type] ??= []);
	while (outputs.length <= output) outputs.push([]);
	outputs[output].push({ node: to, type, index: 0 });
}

/** Returns a flow with further nodes after outputs of one of its nodes. */
export function branch(flow: Flow, from: string, branches: Record<number, FlowNode[]>): Flow {
	const connections = structuredClone(flow.connections);
	const nodes = [...flow.nodes];
	for (const [output, added] of Object.entries(branches)) {
		let last = { name: from, output: Number(output) };
		for (const one of added) {
			nodes.push({ ...one, position: [nodes.length * 240, Number(output) * 200] });
			connect(connections, last.name, one.name, { output: last.output });
			last = { name: one.name, output: 0 };
		}
	}
	return { ...flow, nodes, connections };
}

/**
 * Creates a flow with an AI Agent that receives a text, with one tool and the model behind a credential of type
 * `openAiApi`.
 */
export function agentFlow(
	text: string,
	tool: FlowNode,
	{ id, name }: { id: string; name: string },
): Flow {
	const agent = node(
		'@n8n/n8n-nodes-langchain.agent',
		{ promptType: 'define', text, options: {} },
		{ name: 'AI Agent', typeVersion: 3.1 },
	);
	const model = node(
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		{
			model: { __rl: true, mode: 'id', value: 'stand-in' },
			responsesApiEnabled: false,
			options: {},
		},
		{ name: 'Model', typeVersion: 1.3, credentials: { openAiApi: { id, name } } },
	);
	const flow = chain([agent]);
	connect(flow.connections, model.name, agent.name, { type: 'ai_languageModel' });
	connect(flow.connections, tool.name, agent.name, { type: 'ai_tool' });
	return { ...flow, nodes: [...flow.nodes, model, tool] };
}

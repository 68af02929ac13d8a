import type { INodeType } from 'n8n-workflow';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { Operation } from '../../nodes/shared/operation';

const NODES = join(__dirname, '../../nodes');

/** Every node that has operations; a node's file and its class are named like its folder. */
export async function actionNodes(): Promise<INodeType[]> {
	return await nodesIn(folders().filter((name) => existsSync(join(NODES, name, 'operations'))));
}

/** Every node, triggers too. */
export async function allNodes(): Promise<INodeType[]> {
	return await nodesIn(folders());
}

/** The folders of the nodes that the package lists, in its order. */
function folders(): string[] {
	const file = readFileSync(join(__dirname, '../../package.json'), 'utf8');
	const { n8n } = JSON.parse(file) as { n8n: { nodes: string[] } };
	return n8n.nodes.map((path) => basename(dirname(path)));
}

async function nodesIn(names: string[]): Promise<INodeType[]> {
	return await Promise.all(
		names.map(async (name) => {
			const NodeClass = await exportOf<new () => INodeType>(`${name}/${name}.node.ts`, name);
			return new NodeClass();
		}),
	);
}

/** The operation of a node; its file is named like its value. */
export async function operationOf(node: INodeType, value: string): Promise<Operation> {
	return await exportOf(`${node.constructor.name}/operations/${value}.ts`, value);
}

/** An export of a file under nodes/, which is named with its .ts: without it, tsx takes `X.node` for `X.node.json`. */
async function exportOf<T>(file: string, name: string): Promise<T> {
	return ((await import(join(NODES, file))) as Record<string, T>)[name];
}

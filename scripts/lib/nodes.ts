/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import type { INodeType } from 'n8n-workflow';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

import type { Field } from '../../nodes/shared/form/field';
import type { Operation } from '../../nodes/shared/run/operation';

const NODES = join(__dirname, '../../nodes');
const load = createRequire(__filename);

/** Returns every node that has operations; a node's file and its class are named like its folder. */
export function actionNodes(): INodeType[] {
	return nodesIn(folders().filter((name) => existsSync(join(NODES, name, 'operations'))));
}

/** Returns every node, including triggers. */
export function allNodes(): INodeType[] {
	return nodesIn(folders());
}

/** Returns the folders of the nodes that the package lists, in its order. */
function folders(): string[] {
	const file = readFileSync(join(__dirname, '../../package.json'), 'utf8');
	const { n8n } = JSON.parse(file) as { n8n: { nodes: string[] } };
	return n8n.nodes.map((path) => basename(dirname(path)));
}

function nodesIn(names: string[]): INodeType[] {
	return names.map((name) => {
		const NodeClass = exportOf<new () => INodeType>(`${name}/${name}.node.ts`, name);
		return new NodeClass();
	});
}

/** Returns the operation of a node; its file is named like its value. */
export function operationOf(node: INodeType, value: string): Operation {
	return exportOf(`${node.constructor.name}/operations/${value}.ts`, value);
}

/** Returns the controls of a trigger's form. */
export function triggerFields(node: INodeType): Field[] {
	return exportOf(`${node.constructor.name}/fields.ts`, 'fields');
}

/**
 * Returns an export of a file under nodes/. Its name must include .ts: without it, tsx takes `X.node` for
 * `X.node.json`.
 */
function exportOf<T>(file: string, name: string): T {
	return (load(join(NODES, file)) as Record<string, T>)[name];
}

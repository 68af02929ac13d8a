/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import type { INodeType } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findOperation } from '../../api/contract';
import type { Operation } from '../../nodes/shared/run/operation';
import { operationsOf } from '../../test/contract/controls';
import { errorTables } from './errorTables';
import { fieldsPage } from './fieldsPage';
import { limitsTable } from './limitsTable';
import { type Table, withParts } from './markdown';
import { allNodes, operationOf } from './nodes';
import { priceTable } from './priceTable';
import { retryTable } from './retryTable';

/** A docs page with its generated parts updated. */
export interface GeneratedDoc {
	/** Path from the root of the project. */
	file: string;
	text: string;
}

/**
 * Returns the pages with their generated parts up to date. A part is between `<!-- generated: name -->` and `<!-- end
 * -->`; `read` returns the current text of a page. Throws for a part that nothing generates.
 */
export function generatedDocs(read: (file: string) => string): GeneratedDoc[] {
	const nodes = allNodes();
	const tables: Record<string, Record<string, Table | string>> = {
		'docs/fields.md': { fields: fieldsPage(nodes) },
		'docs/maintainers/reliability.md': { retries: retryTable(), limits: limitsTable() },
		'docs/costs.md': { prices: priceTable() },
		'docs/maintainers/error-texts.md': errorTables(),
		'docs/maintainers/operations.md': { requests: requestTable(nodes) },
	};
	for (const node of nodes.filter((one) => operationsOf(one).length > 0)) {
		const file = pageOf(node);
		tables[file] = { ...tables[file], operations: operationList(node) };
	}
	return Object.entries(tables).map(([file, parts]) => ({
		file,
		text: withParts(read(file), parts, file),
	}));
}

/** Returns the page in docs/ to which n8n links from a node. */
export function pageOf({ constructor: { name } }: INodeType): string {
	const file = readFileSync(join(__dirname, `../../nodes/${name}/${name}.node.json`), 'utf8');
	return /main\/(docs\/[\w-]+\.md)/.exec(file)![1];
}

/** Returns the operations of a node, in the order of its dropdown. */
const operationsIn = (node: INodeType): Operation[] =>
	operationsOf(node).map((value) => operationOf(node, value));

const operationList = (node: INodeType) =>
	operationsIn(node)
		.map(({ name, description }) => `- **${name}**: ${description}`)
		.join('\n');

/** Returns the table of the request that each operation begins with. */
function requestTable(nodes: INodeType[]): Table {
	const rows = nodes.flatMap((node) =>
		operationsIn(node).map(({ name, method, path }) => {
			const isBeyond = findOperation(method, path)?.source === 'beyond';
			return [node.description.displayName, isBeyond ? `${name} †` : name, `\`${method} ${path}\``];
		}),
	);
	return [['Node', 'Operation', 'First request'], rows];
}

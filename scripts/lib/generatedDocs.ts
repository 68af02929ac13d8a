import type { INodeType } from 'n8n-workflow';

import { findOperation } from '../../api/contract';
import { type Field, choicesOf } from '../../nodes/shared/form/field';
import { outputFields } from '../../nodes/shared/fields/shapes';
import type { Operation } from '../../nodes/shared/run/operation';
import { fieldsOf, operationsOf } from '../../test/contract/controls';
import { errorTables } from './errorTables';
import { limitsTable } from './limitsTable';
import { type Table, markdownTable } from './markdown';
import { allNodes, operationOf } from './nodes';
import { priceTable } from './priceTable';
import { retryTable } from './retryTable';

/** A docs page with its generated parts updated. */
export interface GeneratedDoc {
	/** Path from the root of the project. */
	file: string;
	text: string;
}

/** A field in the form of a node, and the operations that have it. */
interface FieldRow {
	label: string;
	detail: string;
	operations: string[];
}

/** For each of these fields, the page that lists its parts. */
const PARTS_ON: Record<string, string> = {
	scrapeOptions: 'scrape',
	contentOptions: 'scrape',
	browserOptions: 'scrape',
	cacheOptions: 'scrape',
	queryOperators: 'search',
};
/** Sentence that n8n's rules add to each dropdown whose choices are loaded. */
const STANDARD = / Choose from the list, or specify (an ID|IDs) using an .*$/;

/** Longest list of choices that the docs repeat. */
const MAX_CHOICES = 16;
/** The limits at the beginning of a number's hint. */
const LIMITS = /^(Up to \d+|\d+ to \d+)(\. |$)/;
/** Hint for list fields, which docs/options.md states only once. */
const LIST_HINT = 'One per line, or an expression that returns an array';

/**
 * Returns the pages with their generated parts up to date. A part is between `<!-- generated: name -->` and `<!-- end
 * -->`; `read` returns the current text of a page. Throws for a part that nothing generates.
 */
export function generatedDocs(read: (file: string) => string): GeneratedDoc[] {
	const nodes = allNodes();
	const fields = new Map(nodes.map((node) => [node, fieldRows(node)]));
	const common = commonRows(fields);
	const told = new Set(
		[...fields].flatMap(([node, rows]) => (isAction(node) ? rows : [])).map(leafOf),
	);
	const tables: Record<string, Record<string, Table>> = {
		'README.md': { nodes: nodeTable(nodes) },
		'docs/options.md': { options: commonTable(common) },
		'docs/reliability.md': { retries: retryTable(), limits: limitsTable() },
		'docs/costs.md': { prices: priceTable() },
		'docs/maintainers/error-texts.md': errorTables(),
		'docs/maintainers/operations.md': { requests: requestTable(nodes) },
	};
	for (const node of nodes) {
		tables[`docs/${pageOf(node)}.md`] = {
			operations: operationTable(node),
			fields: fieldTable(node, fields.get(node)!, common, told),
		};
	}
	return Object.entries(tables).map(([file, parts]) => ({
		file,
		text: withParts(read(file), parts, file),
	}));
}

/** Returns the name of a node's page in docs/, without its extension. */
export const pageOf = ({ constructor }: INodeType) =>
	constructor.name
		.replace('WebData', '')
		.replace(/\B[A-Z]/g, '-$&')
		.toLowerCase();

/**
 * Returns a page with these tables in its parts. The formatter leaves them as they are: with aligned columns, each change
 * would make a long diff.
 */
function withParts(page: string, parts: Record<string, Table>, file: string): string {
	return page.replace(
		/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
		(_, begin: string, name: string, end: string) => {
			if (parts[name] === undefined) throw new Error(`${file}: nothing makes the part ${name}`);
			const [ignore, again] = ['start', 'end'].map((word) => `<!-- prettier-ignore-${word} -->`);
			return [begin, ignore, markdownTable(...parts[name]), again, '', end].join('\n');
		},
	);
}

/** Returns the operations of a node, in the order of its dropdown. */
const operationsIn = (node: INodeType): Operation[] =>
	operationsOf(node).map((value) => operationOf(node, value));

const operationTable = (node: INodeType): Table => [
	['Operation', 'What it does'],
	operationsIn(node).map(({ name, description }) => [name, description]),
];

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

function nodeTable(nodes: INodeType[]): Table {
	const rows = nodes.map((node) => {
		const { displayName, description } = node.description;
		const names = operationsIn(node).map(({ name }) => name);
		// A trigger's description may begin with what the node of the same name does.
		const what = names.join(', ') || description.replace(/^.*, or start /, 'Start ');
		return [`[${displayName}](docs/${pageOf(node)}.md)`, what];
	});
	return [['Node', 'Operations'], rows];
}

/** Returns the fields of a form, each followed by those of its collection; leaves out what another page lists. */
function fieldRows(node: INodeType): FieldRow[] {
	const rows = new Map<string, FieldRow>();
	const operations = operationsIn(node);
	const add = (fields: Field[], trail: string[], operation: string[]) => {
		for (const field of fields) {
			// Output, in the row above, says enough.
			if (field.name === outputFields.name) continue;
			const label = [...trail, field.displayName].join(' → ');
			const detail = detailOf(field);
			const key = keyOf({ label, detail });
			const known = rows.get(key) ?? rows.set(key, { label, detail, operations: [] }).get(key)!;
			known.operations.push(...operation);
			const page = PARTS_ON[field.name.replace(/V\d$/, '')];
			if (page !== undefined && page !== pageOf(node)) continue;
			add(childrenOf(field), [...trail, field.displayName], operation);
		}
	};
	if (operations.length === 0) add(node.description.properties, [], []);
	for (const { name, value } of operations) add(fieldsOf(node, value), [], [name]);
	return [...rows.values()].filter(({ detail }) => !['', 'Required.'].includes(detail));
}

const keyOf = ({ label, detail }: Pick<FieldRow, 'label' | 'detail'>) => `${label}\n${detail}`;

/** Returns what describes a field, wherever it is in the form. */
const leafOf = ({ label, detail }: Pick<FieldRow, 'label' | 'detail'>) =>
	`${label.split(' → ').at(-1)}\n${detail}`;

const isAction = (node: INodeType) => operationsOf(node).length > 0;

/** Returns the nodes that have each field shared by several action nodes, by the field's key. */
function commonRows(fields: Map<INodeType, FieldRow[]>): Map<string, INodeType[]> {
	const users = new Map<string, INodeType[]>();
	for (const [node, rows] of fields) {
		for (const key of rows.map(keyOf)) users.set(key, [...(users.get(key) ?? []), node]);
	}
	return new Map([...users].filter(([, nodes]) => nodes.filter(isAction).length > 1));
}

function commonTable(common: Map<string, INodeType[]>): Table {
	const rows = [...common].map(([key, users]) => {
		const [label, detail] = key.split('\n');
		const names = users.map(({ description }) => description.displayName.replace('Web Data ', ''));
		return [label, names.join(', '), detail];
	});
	return [['Field', 'Nodes (if empty, as above)', 'What to know'], withoutRepeats(rows)];
}

/** Returns the table of a node's own fields. `told` are the fields of other nodes, to which a trigger's page links. */
function fieldTable(
	node: INodeType,
	all: FieldRow[],
	common: Map<string, INodeType[]>,
	told: Set<string>,
): Table {
	const rows = all.filter((row) => !common.has(keyOf(row)));
	const { length } = operationsOf(node);
	if (length === 0) {
		const own = rows.filter((row) => !told.has(leafOf(row)));
		return [['Field', 'What to know'], own.map(({ label, detail }) => [label, detail])];
	}
	// What collections have in common is listed with the first of them.
	const leaves = rows.map(leafOf);
	const own = rows.filter(
		({ label }, n) => !label.includes(' → ') || leaves.indexOf(leaves[n]) === n,
	);
	const cells = own.map(({ label, detail, operations }) => {
		const used = operations.length === length ? 'All' : [...new Set(operations)].join(', ');
		return [label, used, detail];
	});
	return [['Field', 'Operations (if empty, as above)', 'What to know'], withoutRepeats(cells)];
}

/** Empties the second column if it is the same as in the row above. */
function withoutRepeats(rows: string[][]): string[][] {
	return rows.map(([label, used, detail], index) => [
		label,
		used === rows[index - 1]?.[1] ? '' : used,
		detail,
	]);
}

/** Returns the controls of a collection, one level down; the entries of fixed collections explain themselves. */
const childrenOf = ({ type, options }: Field): Field[] =>
	type === 'collection' ? (options as Field[]).filter((child) => child.type !== 'hidden') : [];

function detailOf(field: Field): string {
	const { minValue, maxValue } = field.typeOptions ?? {};
	const limit = maxValue ?? minValue;
	const range = maxValue === undefined ? `At least ${minValue}.` : `${minValue} to ${maxValue}.`;
	const said = `${field.description} ${field.hint}`;
	const choices = /^(options|multiOptions)$/.test(field.type) ? choicesIn(choicesOf(field)) : '';
	const sentence = (text = '') => (text === '' || /[.!?)]$/.test(text) ? text : `${text}.`);
	const isSaid = maxValue !== undefined && field.description?.includes(String(maxValue));
	const hint = isSaid ? field.hint?.replace(LIMITS, '') : field.hint;
	return [
		field.required ? 'Required.' : '',
		sentence(field.description?.replace(STANDARD, '')),
		hint === LIST_HINT ? '' : sentence(hint),
		choices,
		// Most texts mention the limits themselves.
		limit === undefined || said.includes(String(limit)) ? '' : range,
	]
		.filter((text) => text !== '')
		.join(' ')
		.replace(/\s+/g, ' ');
}

function choicesIn(options: Array<{ name: string }>): string {
	return options.length > MAX_CHOICES
		? `${options.length} choices.`
		: `Choices: ${options.map(({ name }) => name).join(', ')}.`;
}

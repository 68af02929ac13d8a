import type { INodeProperties, INodeType } from 'n8n-workflow';

import { findOperation } from '../../api/contract';
import { type LocalService, startService } from '../../mock-service';
import { type Field, choicesOf } from '../../nodes/shared/form/field';
import { outputFields } from '../../nodes/shared/fields/shapes';
import { fieldsOf, operationsOf, requiredParameters } from '../../test/contract/controls';
import { runNode } from '../../test/support/engine';
import { errorTables } from './errorTables';
import { priceTable } from './priceTable';
import { allNodes, operationOf } from './nodes';
import { limitsTable } from './limitsTable';
import { retryTable } from './retryTable';

/** A docs page with its generated parts updated. */
export interface GeneratedDoc {
	/** Path from the root of the project. */
	file: string;
	text: string;
}

/** A request as the contract writes it, e.g. `GET /v2/agent/{jobId}`. */
interface SentRequest {
	text: string;
	isBeyond: boolean;
}

/** A field in the form of a node, and the operations that have it. */
interface FieldRow {
	label: string;
	detail: string;
	operations: string[];
}

interface OperationRow {
	name: string;
	description: string;
	requests: SentRequest[];
}

/** A page and the text of each of its generated parts. */
interface Page {
	file: string;
	parts: Record<string, string>;
}

const PAGES: Record<string, string> = {
	WebDataSearch: 'search',
	WebDataScrape: 'scrape',
	WebDataCrawl: 'crawl',
	WebDataAgent: 'agent',
	WebDataExtract: 'extract',
	WebDataUsage: 'usage',
	WebDataCrawlTrigger: 'crawl-trigger',
	WebDataSearchTrigger: 'search-trigger',
	WebDataPageTrigger: 'page-trigger',
};

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
export async function generatedDocs(read: (file: string) => string): Promise<GeneratedDoc[]> {
	const nodes = allNodes();
	const service = await startService({ credits: 1_000_000, jobMs: 1, crawlMs: 1 });
	try {
		const operations = new Map<INodeType, OperationRow[]>();
		for (const node of nodes) operations.set(node, await operationRows(node, service));
		const fields = new Map(nodes.map((node) => [node, fieldRows(node)]));
		const common = commonRows(fields);
		const told = new Set(
			[...fields].flatMap(([node, rows]) => (isAction(node) ? rows : [])).map(leafOf),
		);
		const pages = nodes.map((node) => ({
			file: `docs/${pageOf(node)}.md`,
			parts: {
				operations: operationTable(operations.get(node) ?? []),
				fields: fieldTable(node, fields.get(node)!, common, told),
			},
		}));
		const readme = { file: 'README.md', parts: { nodes: nodeTable(nodes, operations) } };
		const options = { file: 'docs/options.md', parts: { options: commonTable(nodes, common) } };
		const errors = {
			file: 'docs/maintainers/error-texts.md',
			parts: Object.fromEntries(
				Object.entries(errorTables()).map(([name, { head, rows }]) => [name, table(head, rows)]),
			) as Record<string, string>,
		};
		const parts = Object.entries({ retries: retryTable(), limits: limitsTable() });
		const reliability = {
			file: 'docs/reliability.md',
			parts: Object.fromEntries(parts.map(([name, { head, rows }]) => [name, table(head, rows)])),
		};
		const others: Page[] = [
			{ file: 'docs/maintainers/operations.md', parts: { requests: requestTable(operations) } },
		];
		const costs = { file: 'docs/costs.md', parts: { prices: table(...priceTable()) } };
		return [readme, options, errors, reliability, costs, ...others, ...pages].map(
			({ file, parts }) => ({
				file,
				text: withParts(read(file), parts, file),
			}),
		);
	} finally {
		await service.close();
	}
}

/** Returns the name of a node's page in docs/, without its extension. Throws for a node that has none. */
export function pageOf(node: INodeType): string {
	const page = PAGES[node.constructor.name];
	if (page === undefined) {
		const { name } = node.constructor;
		throw new Error(`PAGES in scripts/lib/generatedDocs.ts names no page of docs/ for ${name}`);
	}
	return page;
}

function withParts(page: string, parts: Record<string, string>, file: string): string {
	return page.replace(
		/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
		(_, begin: string, name: string, end: string) => {
			if (parts[name] === undefined) throw new Error(`${file}: nothing makes the part ${name}`);
			return `${begin}\n${parts[name]}\n${end}`;
		},
	);
}

/** Runs each operation with only its required fields and records what it sends. */
async function operationRows(node: INodeType, service: LocalService): Promise<OperationRow[]> {
	const rows: OperationRow[] = [];
	for (const value of operationsOf(node)) {
		const { name, description } = operationOf(node, value);
		service.requests.length = 0;
		service.clearFaults();
		// A job that is waited for has already ended at the first poll. Requests that an operation can do without are
		// avoided: for a crawl with few pages, the warning would be requested, too.
		service.fail({
			method: 'GET',
			path: /\/(agent|extract|crawl|scrape)\/[^/]+$/,
			when: ({ path }) => !path.endsWith('/active'),
			status: 200,
			body: { success: true, status: 'completed', data: [] },
		});
		const { error } = await runNode({
			nodeType: node,
			parameters: requiredParameters(node, value),
			credentials: { baseUrl: service.url, apiKey: service.apiKey },
		});
		// There is no job with the ID that the forms use as an example.
		if (error && error.httpCode !== '404') {
			throw new Error(`${node.constructor.name} ${value}: ${error.message}`);
		}
		const requests = new Map<string, SentRequest>();
		for (const { method, path } of service.requests) {
			const found = findOperation(method, path);
			if (found === undefined) throw new Error(`Not in the contract: ${method} ${path}`);
			const text = `${found.method} ${found.path}`;
			requests.set(text, { text, isBeyond: found.source === 'beyond' });
		}
		if (requests.size === 0) throw new Error(`${node.constructor.name} ${value} sent nothing`);
		rows.push({ name, description, requests: [...requests.values()] });
	}
	return rows;
}

const isBeyond = ({ requests }: OperationRow) => requests.some((request) => request.isBeyond);

function operationTable(rows: OperationRow[]): string {
	return table(
		['Operation', 'What it does'],
		rows.map(({ name, description }) => [name, description]),
	);
}

/** Returns the table of what each operation sends with only its required fields. */
function requestTable(operations: Map<INodeType, OperationRow[]>): string {
	return table(
		['Node', 'Operation', 'Requests'],
		[...operations].flatMap(([{ description }, rows]) =>
			rows.map((row) => [
				description.displayName,
				isBeyond(row) ? `${row.name} †` : row.name,
				row.requests.map(({ text }) => `\`${text}\``).join(', then '),
			]),
		),
	);
}

function nodeTable(nodes: INodeType[], operations: Map<INodeType, OperationRow[]>): string {
	return table(
		['Node', 'Operations'],
		nodes.map((node) => [
			`[${node.description.displayName}](docs/${pageOf(node)}.md)`,
			operations
				.get(node)
				?.map(({ name }) => name)
				.join(', ') || ofTrigger(node.description.description),
		]),
	);
}

/** Returns the fields of a form, each followed by those of its collection; leaves out what another page lists. */
function fieldRows(node: INodeType): FieldRow[] {
	const rows = new Map<string, FieldRow>();
	const operations = operationsOf(node);
	const places = new Map<string, string>();
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
			// The parts of a field that occurs in several places are only listed once.
			const place = places.get(field.displayName) ?? label;
			if (trail.length > 0) places.set(field.displayName, place);
			if (trail.length > 0 && place !== label) continue;
			add(childrenOf(field), [...trail, field.displayName], operation);
		}
	};
	const isControl = ({ type }: Field) => type !== 'notice';
	if (operations.length === 0) add(node.description.properties.filter(isControl), [], []);
	for (const value of operations) {
		const options = dropdownOf(node).find((entry) => entry.value === value)!;
		add(fieldsOf(node, value), [], [options.name]);
	}
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

function commonTable(nodes: INodeType[], common: Map<string, INodeType[]>): string {
	const actions = nodes.filter(isAction);
	const named = (users: INodeType[]) => {
		if (actions.every((node) => users.includes(node)) && users.length === actions.length) {
			return 'All but the triggers';
		}
		return users.map((node) => node.description.displayName.replace('Web Data ', '')).join(', ');
	};
	return table(
		['Field', 'Nodes (if empty, as above)', 'What to know'],
		withoutRepeats(
			[...common].map(([key, users]) => {
				const [label, detail] = key.split('\n');
				return [label, named(users), detail];
			}),
		),
	);
}

/** Returns the table of a node's own fields. `told` are the fields of other nodes, to which a trigger's page links. */
function fieldTable(
	node: INodeType,
	all: FieldRow[],
	common: Map<string, INodeType[]>,
	told: Set<string>,
): string {
	const rows = all.filter((row) => !common.has(keyOf(row)));
	const { length } = operationsOf(node);
	if (length === 0) {
		const own = rows.filter((row) => !told.has(leafOf(row)));
		return table(
			['Field', 'What to know'],
			own.map(({ label, detail }) => [label, detail]),
		);
	}
	return table(
		['Field', 'Operations (if empty, as above)', 'What to know'],
		withoutRepeats(
			withoutTold(rows, common).map(({ label, detail, operations }) => {
				const used = operations.length === length ? 'All' : [...new Set(operations)].join(', ');
				return [label, used, detail];
			}),
		),
	);
}

/** Leaves out parts of a field that stand in the table above them, or with that field in the list of shared fields. */
function withoutTold(rows: FieldRow[], common: Map<string, unknown>): FieldRow[] {
	const partOf = (label: string, detail: string) =>
		`${label.split(' → ').slice(-2).join()}\n${detail}`;
	const shared = new Set(
		[...common.keys()].map((key) => {
			const [label, detail] = key.split('\n');
			return partOf(label, detail);
		}),
	);
	const listed = new Set<string>();
	return rows.filter((row) => {
		const depth = row.label.split(' → ').length;
		const isTold = depth > 2 && shared.has(partOf(row.label, row.detail));
		const isRepeated = depth > 1 && listed.has(leafOf(row));
		listed.add(leafOf(row));
		return !isTold && !isRepeated;
	});
}

/** Empties the second column if it is the same as in the row above. */
function withoutRepeats(rows: string[][]): string[][] {
	return rows.map(([label, used, detail], index) => [
		label,
		used === rows[index - 1]?.[1] ? '' : used,
		detail,
	]);
}

/**
 * Returns what a trigger does. If n8n also shows its description for the node of the same name, the description begins
 * with what that node does, which is dropped here.
 */
function ofTrigger(description: string): string {
	return description.replace(/^.*, or start /, 'Start ');
}

function dropdownOf(node: INodeType): Array<{ name: string; value: string }> {
	const dropdown = node.description.properties.find(({ name }) => name === 'operation');
	return (dropdown?.options ?? []) as Array<{ name: string; value: string }>;
}

/** Returns the controls of a collection, one level down; the entries of fixed collections explain themselves. */
function childrenOf(field: INodeProperties | Field): Field[] {
	const children = field.type === 'collection' ? (field.options as Field[]) : [];
	return children.filter(({ type }) => type !== 'hidden');
}

function detailOf(field: Field): string {
	const { minValue, maxValue } = field.typeOptions ?? {};
	const range =
		minValue === undefined && maxValue === undefined
			? ''
			: maxValue === undefined
				? `At least ${minValue}.`
				: `${minValue} to ${maxValue}.`;
	const said = `${field.description} ${field.hint}`;
	const choices =
		field.type === 'options' || field.type === 'multiOptions' ? choicesIn(choicesOf(field)) : '';
	const sentence = (text = '') => (text === '' || /[.!?)]$/.test(text) ? text : `${text}.`);
	const isSaid = maxValue !== undefined && field.description?.includes(String(maxValue));
	const hint = isSaid ? field.hint?.replace(LIMITS, '') : field.hint;
	return [
		field.required ? 'Required.' : '',
		sentence(field.description?.replace(STANDARD, '')),
		hint === LIST_HINT ? '' : sentence(hint),
		choices,
		// Most texts mention the limits themselves.
		said.includes(String(maxValue ?? minValue)) ? '' : range,
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

/**
 * Returns a Markdown table that the formatter leaves as it is: with aligned columns, each change would make a long
 * diff.
 */
function table(head: string[], rows: string[][]): string {
	const line = (row: string[]) =>
		`| ${row.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
	return [
		'<!-- prettier-ignore-start -->',
		line(head),
		line(head.map(() => '---')),
		...rows.map(line),
		'<!-- prettier-ignore-end -->',
		'',
	].join('\n');
}

import type { INodeType } from 'n8n-workflow';

import { type Field, choicesOf } from '../../nodes/shared/form/field';
import { fieldsToReturn, outputFields } from '../../nodes/shared/fields/shapes';
import { fieldsOf, operationsOf } from '../../test/contract/controls';
import { operationOf, triggerFields } from './nodes';

/** A field that is told once, wherever forms have it. */
interface FieldRow {
	/** Its label and those of the collections around it, outermost first. */
	trail: string[];
	detail: string;
	nodes: Set<INodeType>;
	operations: Set<string>;
}

/** Sentence that n8n's rules add to each dropdown whose choices are loaded. */
const STANDARD = / Choose from the list, or specify (an ID|IDs) using an .*$/;
/** Longest list of choices that the docs repeat. */
const MAX_CHOICES = 6;
/** Hint for list fields, which docs/fields.md states only once. */
const LIST_HINT = 'One per line, or an array';
/** The node whose service ends: the parts of its options are left to the form. */
const ENDING = 'WebDataExtract';
/** Between two sentences. */
const NEXT = /(?<=[.)])(?<!e\.g\.) (?=[A-Z_])/;
/** What is said beyond the first sentence: the default, what it costs, and who has it. */
const NEEDED = /service default|credit|Newer services only|enabled for your team|^_/;
/** What the page says once at its top, or with fewer words than a form. */
const SHORTER: Array<[RegExp, string]> = [
	[/^Whether to (\w)/, '$1'],
	[/^(?:Max|Maximum) number of /, 'Most '],
	[/ The service default is off\./, ''],
	[/\bThe service default is /g, 'Default: '],
	[/these parameters: utm_.*/, 'parameters such as utm_source.'],
	[/ Must be enabled for your team\./, ' ‡'],
	[/ Newer services only\.(.*)/, '$1 †'],
];

/** Returns the list of fields in docs/fields.md: those of several nodes, then what only one has. */
export function fieldsPage(nodes: INodeType[]): string {
	const rows = fieldRows(nodes);
	const shared = rows.filter((row) => ownerOf(row) === undefined);
	const lists = nodes.map((node) => {
		const own = rows.filter((row) => ownerOf(row) === node);
		return [`## ${node.description.displayName}`, ownList(node, own)];
	});
	return ['## In several nodes', listOf(shared), ...lists.flat()].join('\n\n');
}

/** Returns the node that has a field; a trigger may have it, too. */
function ownerOf({ nodes }: FieldRow): INodeType | undefined {
	const actions = [...nodes].filter((node) => operationsOf(node).length > 0);
	const owners = actions.length > 0 ? actions : [...nodes];
	return owners.length === 1 ? owners[0] : undefined;
}

/** Returns the fields of a node below the names of the operations that have them, unless all do. */
function ownList(node: INodeType, rows: FieldRow[]): string {
	const { length } = operationsOf(node);
	const byUsers = new Map<string, FieldRow[]>();
	for (const row of rows) {
		const users = row.operations.size === length ? '' : [...row.operations].join(', ');
		byUsers.set(users, [...(byUsers.get(users) ?? []), row]);
	}
	return [...byUsers]
		.sort(([one], [other]) => Number(one !== '') - Number(other !== ''))
		.map(([users, used]) => [...(users === '' ? [] : [`_${users}_`]), listOf(used)].join('\n\n'))
		.join('\n\n');
}

/** A field in a list, and those of its collection by their labels. */
interface Entry {
	detail?: string;
	parts: Map<string, Entry>;
}

/** Returns a list in Markdown, in which the fields of a collection stand below it. */
function listOf(rows: FieldRow[]): string {
	const whole: Entry = { parts: new Map() };
	for (const { trail, detail } of rows) {
		let entry = whole;
		for (const label of trail) {
			const part = entry.parts.get(label) ?? { parts: new Map() };
			entry.parts.set(label, part);
			entry = part;
		}
		entry.detail = detail;
	}
	return linesOf(whole).join('\n');
}

const linesOf = ({ parts }: Entry): string[] =>
	[...parts].flatMap(([label, part]) => [
		`- **${label}**${part.detail === undefined ? '' : `: ${part.detail}`}`,
		...linesOf(part).map((line) => `  ${line}`),
	]);

/** Returns the fields of all forms that their names don't explain, each once. */
function fieldRows(nodes: INodeType[]): FieldRow[] {
	const rows = new Map<string, FieldRow>();
	const add = (node: INodeType, fields: Field[], around: string[], operation?: string) => {
		for (const field of fields) {
			// Output, in the line above, says enough.
			if (field.name === outputFields.name) continue;
			const trail = [...around, field.displayName];
			const detail = detailOf(field);
			const key = `${field.displayName}\n${detail}`;
			const row = rows.get(key) ?? { trail, detail, nodes: new Set(), operations: new Set() };
			row.nodes.add(node);
			if (operation !== undefined) row.operations.add(operation);
			if (detail !== '') rows.set(key, row);
			const isLeft = around.length > 0 && node.constructor.name === ENDING;
			if (field.type === 'collection' && !isLeft)
				add(node, field.options as Field[], trail, operation);
		}
	};
	for (const node of nodes) {
		const operations = operationsOf(node);
		if (operations.length === 0) add(node, triggerFields(node), []);
		for (const value of operations) {
			add(node, fieldsOf(node, value), [], operationOf(node, value).name);
		}
	}
	return [...rows.values()];
}

/** Returns what there is to know of a field first, empty if its name says it all. */
function detailOf(field: Field): string {
	const { description, hint, name, type } = field;
	const hasChoices = /^(options|multiOptions)$/.test(type) && name !== fieldsToReturn.name;
	const said = [
		sentence(description?.replace(STANDARD, '')),
		hint === LIST_HINT ? '' : sentence(hint),
		hasChoices ? choicesIn(choicesOf(field)) : '',
	].filter((text) => text !== '');
	const [first = '', ...others] = said.join(' ').replace(/\s+/g, ' ').split(NEXT);
	const text = [first, ...others.filter((one) => NEEDED.test(one))].join(' ');
	const short = SHORTER.reduce((all, [long, words]) => all.replace(long, words), text);
	return `${short.charAt(0).toUpperCase()}${short.slice(1)}`;
}

const sentence = (text = '') => (text === '' || /[.!?)]$/.test(text) ? text : `${text}.`);

const choicesIn = (options: Array<{ name: string }>) =>
	options.length > MAX_CHOICES ? '' : `_${options.map(({ name }) => name).join(', ')}_`;

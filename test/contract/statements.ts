import type { INodePropertyOptions, INodeType } from 'n8n-workflow';

import { ourEndpoints } from '../../api/properties';
import type { RequestField } from '../../api/requestFields';
import { type Field, choicesOf, isRequired } from '../../nodes/shared/form/field';
import { controlsOfFields } from './sent';
import { actionNodes, allNodes, operationOf, triggerFields } from '../../scripts/lib/nodes';
import { fieldsOf, operationsOf } from './controls';

/** What a person reads of a control, of one of its choices, or of a node. */
export interface Statement {
	/** E.g. `Web Data Scrape: Scrape Page → browserOptions.timeout`; of a choice, with ` = ` and its value. */
	where: string;
	name: string;
	texts: string[];
	/** The control; unset for a node's own texts. */
	field?: Field;
	/** The value of the choice. */
	value?: unknown;
	/** What the contract says of the request's fields that the control fills, one for each version of the API. */
	contract: RequestField[];
}

/** The endpoints to which triggers send what their forms say. */
const SENT_BY: Record<string, string[]> = {
	webDataSearchTrigger: ['POST /v2/search'],
	webDataPageTrigger: ['POST /v2/scrape', 'POST /v2/map'],
	webDataCrawlTrigger: [],
};

type Known = (control: string, field: Field) => RequestField[];

const lastOf = (path: string) => /[^.[\]?]*$/.exec(path)![0];
const nameOf = ({ name, wire }: Field) => lastOf(wire?.as ?? name);

/** Returns every statement of all forms. */
export function statements(): Statement[] {
	return [...allNodes().flatMap(statementsOfNode), ...formsOf().flatMap(statementsOfForm)];
}

interface Form {
	title: string;
	fields: Field[];
	known: Known;
}

function formsOf(): Form[] {
	const found = controlsOfFields();
	const byControl = new Map<string, Array<[string, RequestField]>>();
	for (const [endpoint, { controls }] of found) {
		for (const [path, names] of controls) {
			const field = ourEndpoints.get(endpoint)!.fields.get(path)!;
			for (const name of names)
				byControl.set(name, [...(byControl.get(name) ?? []), [path, field]]);
		}
	}
	const actions = actionNodes().flatMap((node) =>
		operationsOf(node).map((operation) => {
			const title = `${node.description.displayName}: ${operationOf(node, operation).name}`;
			const known: Known = (control, field) => {
				const all = byControl.get(`${title} → ${control}`) ?? [];
				// What a value needs besides is filled along with it.
				const own = all.filter(([path]) => lastOf(path) === nameOf(field));
				return (own.length > 0 ? own : all.length === 1 ? all : []).map(([, one]) => one);
			};
			return { title, fields: fieldsOf(node, operation), known };
		}),
	);
	const triggers = allNodes()
		.filter(({ description }) => description.polling)
		.map((node) => {
			const { displayName, name, properties } = node.description;
			const own = triggerFields(node);
			const notices = properties.filter((one) => !own.some((field) => field.name === one.name));
			const known: Known = (control, field) => {
				const parts = [...control.split('.').slice(0, -1), nameOf(field)];
				const all = SENT_BY[name].flatMap((endpoint) => [...ourEndpoints.get(endpoint)!.fields]);
				// The field with most of the control's path counts.
				for (let from = 0; from < parts.length; from++) {
					const path = parts.slice(from).join('.');
					const own = all.filter(([one]) => one === path || one.endsWith(`.${path}`));
					const whole = own.filter(([one]) => one === path);
					const best = whole.length > 0 ? whole : own;
					if (best.length > 0) return best.map(([, one]) => one);
				}
				return [];
			};
			return { title: displayName, fields: [...notices, ...own], known };
		});
	return [...actions, ...triggers];
}

function statementsOfForm({ title, fields, known }: Form): Statement[] {
	const walk = (field: Field, path: string): Statement[] => {
		const where = `${title} → ${path}`;
		const contract = known(path, field);
		const texts = textsIn([field.displayName, field.description, field.hint]);
		const own: Statement = { where, name: field.displayName, texts, field, contract };
		const children = (field.options ?? choicesOf(field)).flatMap((option) => {
			if ('values' in option) {
				return option.values.flatMap((child) => walk(child, `${path}.${child.name}`));
			}
			if ('type' in option) return walk(option, `${path}.${option.name}`);
			const said = textsIn([option.name, option.description]);
			const { name, value } = option;
			return [{ where: `${where} = ${String(value)}`, name, texts: said, field, value, contract }];
		});
		return [own, ...children];
	};
	return fields.flatMap((field) => walk(field, field.name));
}

/** A node's description with what newer versions of n8n read in it. */
type Described = INodeType['description'] & { builderHint?: unknown };

function statementsOfNode({ description }: INodeType): Statement[] {
	const { displayName, properties, builderHint, hints = [] } = description as Described;
	const texts = textsIn([
		description.description,
		JSON.stringify(builderHint),
		...hints.map(({ message }) => message),
	]);
	const operations = properties.find(({ name }) => name === 'operation')?.options ?? [];
	const choices = operations.map((option) => {
		const { name, value, description: text, action } = option as INodePropertyOptions;
		const where = `${displayName} = ${String(value)}`;
		return { where, name, texts: textsIn([name, text, action]), contract: [] };
	});
	return [{ where: displayName, name: displayName, texts, contract: [] }, ...choices];
}

const textsIn = (all: unknown[]) =>
	all.filter((text): text is string => typeof text === 'string' && text !== '');

/** Whether the form sends the control's shown value, or demands one. */
export const isAlwaysSent = (field: Field): boolean =>
	isRequired(field) || field.wire?.always === true;

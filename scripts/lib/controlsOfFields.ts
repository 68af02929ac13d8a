/* eslint-disable @n8n/community-nodes/require-node-api-error */
import type { INode, INodeParameters, INodeType } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type Endpoint, filledFields, keyOf } from '../../api/requestFields';
import { Form } from '../../nodes/shared/form/form';
import { type Composed, compose } from '../../nodes/shared/form/compose';
import { type Field, type ItemPlace, isRequired } from '../../nodes/shared/form/field';
import type { Operation } from '../../nodes/shared/run/operation';
import {
	controlSamples,
	fieldsOf,
	operationsOf,
	requiredParameters,
} from '../../test/contract/controls';
import { actionNodes, operationOf } from './nodes';

/** The forms that send to an endpoint, and which of their controls fill which of its fields. */
export interface EndpointControls {
	/** E.g. `Web Data Search: Search`. */
	forms: Set<string>;
	/** Field → controls such as `Web Data Search: Search → options.limit`. */
	controls: Map<string, Set<string>>;
}

/**
 * Fills in every control of every form and returns which fields of which endpoints get a value. Its keys are those of
 * `endpoints`, which must be our contracts' endpoints.
 */
export function controlsOfFields(endpoints: Map<string, Endpoint>): Map<string, EndpointControls> {
	const found = new Map<string, EndpointControls>();
	for (const node of actionNodes()) {
		for (const value of operationsOf(node)) {
			const operation = operationOf(node, value);
			const form = `${node.description.displayName}: ${operation.name}`;
			for (const { control, endpoint, fields } of reachedBy(node, operation, endpoints)) {
				const entry = found.get(endpoint) ?? { forms: new Set(), controls: new Map() };
				found.set(endpoint, entry);
				entry.forms.add(form);
				for (const field of fields) {
					const controls = entry.controls.get(field) ?? new Set();
					entry.controls.set(field, controls.add(`${form} → ${control}`));
				}
			}
		}
	}
	return found;
}

interface Reached {
	control: string;
	endpoint: string;
	fields: string[];
}

function reachedBy(
	node: INodeType,
	operation: Operation,
	endpoints: Map<string, Endpoint>,
): Reached[] {
	const all = fieldsOf(node, operation.value);
	const required = requiredParameters(node, operation.value);
	const base = sentBy(node, all, operation, required, endpoints);
	if (base === undefined) throw new Error(`${operation.name} rejects its own required fields`);
	const reached: Reached[] = [{ control: '', endpoint: base.endpoint, fields: [] }];
	// Fields that are required or always sent are part of every request, so each of these controls is examined alone.
	for (const field of all.filter((one) => isRequired(one) || one.wire?.always)) {
		const sent = sentBy(node, [field], operation, required, endpoints);
		if (sent) reached.push({ control: field.name, ...sent, fields: innermost(sent.fields) });
	}
	for (const { control, isSetting, parameters } of controlSamples(node, operation.value)) {
		if (control.endsWith('additionalBodyFields')) continue;
		const sent = sentBy(node, all, operation, parameters, endpoints);
		if (sent === undefined) continue;
		const { endpoint, fields } = sent;
		const isNew = (field: string) => endpoint !== base.endpoint || !base.fields.includes(field);
		// A setting fills no field, but may decide the endpoint.
		reached.push({
			control,
			endpoint,
			fields: isSetting ? [] : innermost(fields.filter(isNew)),
		});
	}
	return reached;
}

/**
 * Returns what the form sends with these parameters: the endpoint and the fields that have a value. Undefined if the
 * form rejects them, e.g. because one value requires another.
 */
function sentBy(
	{ description: { name, version } }: INodeType,
	fields: Field[],
	operation: Operation,
	parameters: INodeParameters,
	endpoints: Map<string, Endpoint>,
): { endpoint: string; fields: string[] } | undefined {
	const place: ItemPlace = {
		node: { name: '', type: name, typeVersion: [version].flat().at(-1), parameters } as INode,
		itemIndex: 0,
		timezone: 'UTC',
		labels: [],
	};
	let composed: Composed;
	try {
		composed = compose(fields, (path) => valueAt(parameters, path), place);
	} catch (error) {
		if (!(error instanceof NodeOperationError)) throw error;
		return undefined;
	}
	const { body, query } = composed;
	const path = operation.otherPath?.(new Form(composed, place)) ?? operation.path;
	const endpoint = keyOf(`${operation.method} ${path}`);
	const known = endpoints.get(endpoint);
	return { endpoint, fields: known ? filledFields(known, body, query) : [] };
}

/** Returns a value of the form; its path may lead into a collection, as in n8n's conditions. */
export function valueAt(parameters: INodeParameters, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((at, name) => (at as INodeParameters | undefined)?.[name], parameters);
}

/** Returns the fields that don't contain any other. */
function innermost(fields: string[]): string[] {
	return fields.filter(
		(field) =>
			!fields.some(
				(other) =>
					other !== field && /^[.[]/.test(other.slice(field.length)) && other.startsWith(field),
			),
	);
}

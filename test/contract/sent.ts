import type { IDataObject, INode, INodeParameters, INodeType } from 'n8n-workflow';
import { NodeHelpers, getGlobalState } from 'n8n-workflow';

import { findOperation } from '../../api/contract';
import { propertiesIn } from '../../api/properties';
import { keyOf } from '../../api/requestFields';
import { valueAt } from '../../nodes/shared/base/json';
import { formFieldsOf } from '../../nodes/shared/run/properties';
import { composeCall } from '../../nodes/shared/run/runOperation';
import { actionNodes, operationOf } from '../../scripts/lib/nodes';
import { controlSamples, operationsOf, requiredParameters } from './controls';

/** The first request of a run. */
export interface Sent {
	operationId: string;
	/** The endpoint, as `keyOf` names it. */
	endpoint: string;
	/** The properties that have a value, with it. */
	properties: Map<string, string>;
	call: ReturnType<typeof composedCall>;
}

/** Fills in every control of an operation, one at a time, and composes the request as the node does. */
export const samplesSent = (node: INodeType, operation: string) =>
	controlSamples(node, operation)
		// At its lowest value, a budget would prevent requests that cost more.
		.filter(({ control }) => !/(additionalBodyFields|creditBudget)$/.test(control))
		.map(({ parameters, ...sample }) => ({
			...sample,
			sent: sentWith(node, operation, parameters),
		}));

/** Returns what is sent if only the required fields are filled in. */
export const bareSent = (node: INodeType, operation: string) =>
	sentWith(node, operation, requiredParameters(node, operation));

/** The forms that send to an endpoint, and which of their controls fill which of its fields. */
export interface EndpointControls {
	/** E.g. `Web Data Search: Search`. */
	forms: Set<string>;
	/** Field → controls such as `Web Data Search: Search → options.limit`. */
	controls: Map<string, Set<string>>;
}

/** Returns which controls of all forms fill which fields, by endpoint. */
export function controlsOfFields(): Map<string, EndpointControls> {
	const found = new Map<string, EndpointControls>();
	for (const node of actionNodes()) {
		for (const operation of operationsOf(node)) {
			const form = `${node.description.displayName}: ${operationOf(node, operation).name}`;
			const bare = bareSent(node, operation);
			// What the form sends anyway, by endpoint: a setting may choose another one.
			const bases = new Map([[bare.endpoint, bare]]);
			const nothing = { control: '', isSetting: true, sent: bare };
			for (const { control, isSetting, sent } of [nothing, ...samplesSent(node, operation)]) {
				const { endpoint, properties } = sent;
				const entry = found.get(endpoint) ?? { forms: new Set(), controls: new Map() };
				found.set(endpoint, entry);
				entry.forms.add(form);
				const base = bases.get(endpoint) ?? sent;
				bases.set(endpoint, base);
				if (isSetting) continue;
				const isSame = (name: string) => base.properties.get(name) === properties.get(name);
				const changed = [...properties.keys()].filter((name) => !isSame(name));
				for (const field of innermost(changed)) {
					const controls = entry.controls.get(field) ?? new Set();
					entry.controls.set(field, controls.add(`${form} → ${control}`));
				}
			}
		}
	}
	return found;
}

/** Returns the fields that don't contain any other. */
const innermost = (fields: string[]) =>
	fields.filter(
		(field) =>
			!fields.some((other) => /^[.[]/.test(other.slice(field.length)) && other.startsWith(field)),
	);

function sentWith(node: INodeType, operation: string, parameters: INodeParameters): Sent {
	const call = composedCall(node, operation, parameters);
	const { method, path, query, body } = call;
	const found = findOperation(method, path);
	if (found === undefined) throw new Error(`Not in the contract: ${method} ${path}`);
	const { operationId } = found;
	const endpoint = keyOf(`${found.method} ${found.path}`);
	return { operationId, endpoint, properties: propertiesIn(operationId, body, query), call };
}

/**
 * Returns the call that an operation makes first with these parameters, composed as its node does, without n8n's
 * engine. Like n8n and the node, it drops the parameters that the form does not show.
 */
export function composedCall(node: INodeType, operation: string, parameters: INodeParameters) {
	const { description } = node;
	const { name, version, properties } = description;
	const typeVersion = [version].flat().at(-1) as number;
	const stored = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		{ typeVersion },
		description,
	)!;
	const place = {
		node: { name: '', type: name, typeVersion, parameters: stored } as INode,
		itemIndex: 0,
		timezone: getGlobalState().defaultTimezone,
		labels: [],
	};
	const entry = operationOf(node, operation);
	return composeCall(
		entry,
		formFieldsOf(entry),
		(path) => valueAt(stored as IDataObject, path),
		place,
	).call;
}

import type { INode, INodeParameters, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { findOperation, operations, validateRequest } from '../../api/contract';
import { propertiesIn, requestProperties } from '../../api/properties';
import { composeCall, formFieldsOf } from '../../nodes/shared/run/operationForm';
import { controlSamples, requiredParameters } from '../../test/contract/controls';
import { valueAt } from './controlsOfFields';
import { operationOf } from './nodes';

/** Service fields that no form offers, each with the reason. */
export const WITHOUT_CONTROL: Record<string, string> = {
	'?cursor': 'the node follows the cursor itself',
	'?limit': 'the node asks for as many as Limit needs',
	'search scrapeOptions.formats[].changeTracking': 'a search does not take it',
	'search scrapeOptions.formats[].branding': 'a search does not take it',
	'search scrapeOptions.formats[].attributes': 'a search does not take it',
	'search scrapeOptions.formats[].video': 'a search does not take it',
};

/** The first request of a run. */
interface Sent {
	operationId: string;
	properties: string[];
	/** The whole request, for comparison. */
	text: string;
	/** Parts of it that broke the contract. */
	violations: string[];
}

/** What an operation's form sends for every value of every control. */
export interface Coverage {
	/** The node and the operation. */
	title: string;
	/** What it sends if only the required fields are filled in. */
	bare: Sent;
	/** Per operation of the contract: the properties that were sent, and the controls that send to it. */
	reached: Map<string, { properties: Set<string>; controls: Set<string> }>;
	/** Number of controls, and of their values that were tried. */
	controls: number;
	values: number;
	/** Controls that change nothing in the request. */
	dead: string[];
	violations: string[];
}

/** Fills in every control of an operation, one at a time, and composes the request as the node does. */
export function coverageOf(node: INodeType, operation: string): Coverage {
	const title = `${node.description.displayName}: ${operation}`;
	const bare = sentWith(node, operation, requiredParameters(node, operation));
	const samples = controlSamples(node, operation);
	const reached: Coverage['reached'] = new Map();
	const changing = new Map<string, boolean>();
	const violations: string[] = [];
	for (const { control, isSetting, parameters } of samples) {
		if (control.endsWith('additionalBodyFields')) continue;
		// At its lowest value, it would prevent requests that cost more.
		if (control.endsWith('creditBudget')) continue;
		const sent = sentWith(node, operation, parameters);
		const seen = reached.get(sent.operationId) ?? { properties: new Set(), controls: new Set() };
		reached.set(sent.operationId, seen);
		sent.properties.forEach((property) => seen.properties.add(property));
		if (!isSetting) seen.controls.add(control);
		// A setting stays in the node, unless it chooses the version in the path.
		const changes = isSetting || sent.text !== bare.text;
		changing.set(control, changes || changing.get(control) === true);
		violations.push(...sent.violations.map((violation) => `${control}: ${violation}`));
	}
	const dead = [...changing].filter(([, changes]) => !changes).map(([control]) => control);
	const counts = { controls: changing.size, values: samples.length };
	return { title, bare, reached, ...counts, dead, violations };
}

function sentWith(node: INodeType, operation: string, parameters: INodeParameters): Sent {
	const { method, path, query, body } = composedCall(node, operation, parameters);
	const found = findOperation(method, path);
	if (found === undefined) throw new Error(`Not in the contract: ${method} ${path}`);
	const { operationId } = found;
	return {
		operationId,
		properties: propertiesIn(operationId, body, query),
		text: JSON.stringify([method, path, query, body]),
		violations: validateRequest(method, path, query, body).map(
			({ path: at, message }) => `${at.join('.') || '(request)'}: ${message}`,
		),
	};
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
		timezone: 'UTC',
		labels: [],
	};
	const entry = operationOf(node, operation);
	return composeCall(entry, formFieldsOf(entry), (path) => valueAt(stored, path), place).call;
}

/** Returns the properties of an operation in the contract that at least one form sends. */
export function reachedIn(coverages: Coverage[], operationId: string): Set<string> {
	return new Set(
		coverages.flatMap(({ reached }) => [...(reached.get(operationId)?.properties ?? [])]),
	);
}

/** Returns the text of docs/maintainers/fields.md, given the coverages of all operations in order. */
export function fieldsPage(coverages: Coverage[]): string {
	const requests = operations.map(({ operationId, method, path, source }) => {
		const properties = requestProperties(operationId);
		const sent = reachedIn(coverages, operationId);
		const count = properties.filter((property) => sent.has(property)).length;
		const controls = coverages.reduce(
			(sum, { reached }) => sum + (reached.get(operationId)?.controls.size ?? 0),
			0,
		);
		return `| ${method} ${path} | ${source} | ${properties.length} | ${count} | ${controls} |`;
	});
	const forms = coverages.map(({ title, bare: { operationId }, controls, values }) => {
		const { source } = operations.find((entry) => entry.operationId === operationId)!;
		return `| ${title} | ${operationId} | ${source} | ${controls} | ${values} |`;
	});
	return [
		'# Fields and controls',
		'',
		'Made by `npm run docs`: every control of every form is filled in, and the request composed as the nodes do it.',
		'`test/contract/coverage.test.ts` does the same.',
		'',
		'| Request | From | Request properties | Reached by a control | Controls |',
		'| --- | --- | --- | --- | --- |',
		...requests,
		'',
		'| Form | Request | From | Controls | Values tried |',
		'| --- | --- | --- | --- | --- |',
		...forms,
		'',
		'Without a control of their own:',
		'',
		...Object.entries(WITHOUT_CONTROL).map(([name, reason]) => `- \`${name}\`: ${reason}`),
		'',
	].join('\n');
}

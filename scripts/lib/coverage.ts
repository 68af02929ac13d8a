import type { INodeParameters, INodeType } from 'n8n-workflow';

import { findOperation, operations } from '../../api/contract';
import { propertiesIn, requestProperties } from '../../api/properties';
import { type LocalService, startService } from '../../mock-service';
import { controlSamples, requiredParameters } from '../../test/contract/controls';
import { runNode } from '../../test/support/engine';

/** Service fields that no form offers, each with the reason. */
export const WITHOUT_CONTROL: Record<string, string> = {
	'?cursor': 'the node follows the cursor itself',
	'?limit': 'the node asks for as many as Limit needs',
	'search scrapeOptions.formats[].changeTracking': 'a search does not take it',
	'search scrapeOptions.formats[].branding': 'a search does not take it',
	'search scrapeOptions.formats[].video': 'a search does not take it',
};

/** The first request of a run. */
interface Sent {
	operationId: string;
	properties: string[];
	/** The whole request, for comparison. */
	text: string;
	/** What of it broke the contract. */
	violations: string[];
}

/** What the form of an operation sends, in every value of every control. */
export interface Coverage {
	/** The node and the operation. */
	title: string;
	/** What it sends when only what is required is filled in. */
	bare: Sent;
	/** Per operation of the contract: the properties that were sent, and the controls that send to it. */
	reached: Map<string, { properties: Set<string>; controls: Set<string> }>;
	/** How many controls there are, and how many values of them were tried. */
	controls: number;
	values: number;
	/** Controls that change nothing in the request. */
	dead: string[];
	violations: string[];
}

/** Fills in every control of an operation and runs it, with a service of its own. */
export async function coverageOf(node: INodeType, operation: string): Promise<Coverage> {
	const service = await startService({ credits: 1_000_000_000, jobMs: 1, crawlMs: 1 });
	try {
		// Jobs that are waited for have ended at the first look.
		service.fail({
			method: 'GET',
			path: /\/(agent|extract|crawl)\/[^/]+$/,
			when: ({ path }) => !path.endsWith('/active'),
			status: 200,
			body: {
				success: true,
				status: 'completed',
				data: [],
				total: 0,
				completed: 0,
				creditsUsed: 0,
			},
		});
		return await filledIn(node, operation, service);
	} finally {
		await service.close();
	}
}

async function filledIn(
	node: INodeType,
	operation: string,
	service: LocalService,
): Promise<Coverage> {
	const title = `${node.description.displayName}: ${operation}`;
	const bare = await send(node, requiredParameters(node, operation), service);
	const samples = controlSamples(node, operation);
	const reached: Coverage['reached'] = new Map();
	const changing = new Map<string, boolean>();
	const violations: string[] = [];
	for (const { control, isSetting, parameters } of samples) {
		if (control.endsWith('additionalBodyFields')) continue;
		// Its lowest value keeps what is dearer from being sent at all.
		if (control.endsWith('creditBudget')) continue;
		const sent = await send(node, parameters, service);
		const seen = reached.get(sent.operationId) ?? { properties: new Set(), controls: new Set() };
		reached.set(sent.operationId, seen);
		sent.properties.forEach((property) => seen.properties.add(property));
		if (!isSetting) seen.controls.add(control);
		// A setting stays in the node, except for what chooses the version in the path.
		const changes = isSetting || sent.text !== bare.text;
		changing.set(control, changes || changing.get(control) === true);
		violations.push(...sent.violations.map((violation) => `${control}: ${violation}`));
	}
	const dead = [...changing].filter(([, changes]) => !changes).map(([control]) => control);
	const counts = { controls: changing.size, values: samples.length };
	return { title, bare, reached, ...counts, dead, violations };
}

async function send(
	nodeType: INodeType,
	parameters: INodeParameters,
	service: LocalService,
): Promise<Sent> {
	service.requests.length = 0;
	service.violations.length = 0;
	const credentials = { baseUrl: service.url, apiKey: service.apiKey };
	const { error } = await runNode({ nodeType, parameters, credentials });
	const [request] = service.requests;
	if (request === undefined) {
		throw new Error(`Nothing was sent: ${error?.message} ${JSON.stringify(parameters)}`);
	}
	const { method, path, query, body } = request;
	const operation = findOperation(method, path);
	if (operation === undefined) throw new Error(`Not in the contract: ${method} ${path}`);
	const { operationId } = operation;
	return {
		operationId,
		properties: propertiesIn(operationId, body, query),
		text: JSON.stringify([method, path, query, body]),
		violations: [...service.violations],
	};
}

/** The properties of an operation of the contract that one of the forms sends. */
export function reachedIn(coverages: Coverage[], operationId: string): Set<string> {
	return new Set(
		coverages.flatMap(({ reached }) => [...(reached.get(operationId)?.properties ?? [])]),
	);
}

/** docs/maintainers/fields.md, of the coverages of all operations in their order. */
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
		'Made by `npm run docs`: every control of every form is filled in, run through n8n-core and compared with what',
		'the service received. `test/contract/coverage.test.ts` does the same.',
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

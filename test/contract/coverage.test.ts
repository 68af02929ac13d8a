import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { startService } from '../../mock-service';
import { runNode } from '../support/engine';
import { findOperation, operations } from '../../api/contract';
import { propertiesIn, requestProperties } from '../../api/properties';
import { operationOf } from '../../scripts/lib/nodes';
import { controlSamples, fieldsOf, requiredParameters } from './controls';
import { cases } from './nodes';

const TABLE = join(__dirname, '../../docs/fields.md');

/** Service fields that no form offers, each with the reason. */
const WITHOUT_CONTROL: Record<string, string> = {
	'?cursor': 'the node follows the cursor itself',
	'?limit': 'the node asks for as many as Limit needs',
	'search scrapeOptions.formats[].changeTracking': 'a search does not take it',
	'search scrapeOptions.formats[].branding': 'a search does not take it',
	'search scrapeOptions.formats[].video': 'a search does not take it',
};

/** Operations that send a POST and cost nothing all the same, e.g. `Web Data Scrape: check`. */
const FREE: string[] = [];

/** Whether a field of a request has no control for one of these reasons, as has all that is in it. */
function isLeftOut(operationId: string, property: string): boolean {
	return Object.keys(WITHOUT_CONTROL).some(
		(key) => key === property || `${operationId} ${property}`.startsWith(key),
	);
}

let service: LocalService;
beforeAll(async () => {
	service = await startService({ credits: 1_000_000_000, jobMs: 1, crawlMs: 1 });
	// Jobs that are waited for have ended at the first look.
	service.fail({
		method: 'GET',
		path: /\/(agent|extract|crawl)\/[^/]+$/,
		when: ({ path }) => !path.endsWith('/active'),
		status: 200,
		body: { success: true, status: 'completed', data: [], total: 0, completed: 0, creditsUsed: 0 },
	});
});
afterAll(async () => await service.close());

interface Sent {
	operationId: string;
	properties: string[];
	/** The whole first request, for comparison. */
	text: string;
}

async function send(node: INodeType, parameters: INodeParameters): Promise<Sent> {
	service.requests.length = 0;
	service.violations.length = 0;
	const { error } = await runNode({
		nodeType: node,
		parameters,
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
	});
	const request = service.requests[0];
	if (request === undefined) {
		throw new Error(`Nothing was sent: ${error?.message} ${JSON.stringify(parameters)}`);
	}
	const { method, path, query, body } = request;
	const operation = findOperation(method, path);
	if (operation === undefined) throw new Error(`Not in the contract: ${method} ${path}`);
	return {
		operationId: operation.operationId,
		properties: propertiesIn(operation.operationId, body, query),
		text: JSON.stringify([method, path, query, body]),
	};
}

/** Per operation of the contract: the properties that controls reached, and how many controls did. */
const reached = new Map<string, { properties: Set<string>; controls: Set<string> }>();
const rows: string[] = [];

describe.each(cases)('$name: $operation', ({ node, operation, name }) => {
	it('has a Credit Budget, which comes with its `price`, if its POST costs something', () => {
		const title = `${name}: ${operation}`;
		const isPaid = operationOf(node, operation).method === 'POST' && !FREE.includes(title);
		const options = fieldsOf(node, operation).find((field) => field.name === 'options')!.options!;
		const hasBudget = options.some((option) => option.name === 'creditBudget');
		expect(
			hasBudget !== isPaid &&
				(isPaid
					? `${title} sends a POST: give it a \`price\` or, if it is free, put it into FREE above`
					: `${title} costs nothing: take away its \`price\``),
		).toBe(false);
	});

	it('sends nothing but what is required when only that is filled in', async () => {
		const sent = await send(node, requiredParameters(node, operation));
		const contract = requestProperties(sent.operationId);
		expect(sent.properties.filter((property) => !contract.includes(property))).toEqual([]);
		expect(service.violations).toEqual([]);
	});

	it('puts every control into the request, and nothing that the contract does not have', async () => {
		const base = await send(node, requiredParameters(node, operation));
		const changing = new Map<string, boolean>();
		for (const sample of controlSamples(node, operation)) {
			if (sample.control.endsWith('additionalBodyFields')) continue;
			// Its lowest value keeps what is dearer from being sent at all.
			if (sample.control.endsWith('creditBudget')) continue;
			const sent = await send(node, sample.parameters);
			const seen = reached.get(sent.operationId) ?? { properties: new Set(), controls: new Set() };
			reached.set(sent.operationId, seen);
			sent.properties.forEach((property) => seen.properties.add(property));
			if (!sample.isSetting) seen.controls.add(`${name} ${operation} ${sample.control}`);
			// A setting stays in the node, except for what chooses the version in the path.
			changing.set(
				sample.control,
				(changing.get(sample.control) ?? false) || sample.isSetting || sent.text !== base.text,
			);
			expect({ control: sample.control, violations: service.violations }).toEqual({
				control: sample.control,
				violations: [],
			});
		}
		const dead = [...changing].filter(([, changes]) => !changes);
		expect(dead.map(([control]) => `${control} changes nothing in the request`)).toEqual([]);
		const { source } = operations.find((entry) => entry.operationId === base.operationId)!;
		rows.push(
			`| ${name}: ${operation} | ${base.operationId} | ${source} | ${changing.size} | ${controlSamples(node, operation).length} |`,
		);
	});
});

describe('the contract', () => {
	it.each(operations)(
		'$operationId: every request property is reached by a control',
		(operation) => {
			const properties = requestProperties(operation.operationId);
			const found = reached.get(operation.operationId)?.properties ?? new Set();
			const missing = properties.filter(
				(property) => !found.has(property) && !isLeftOut(operation.operationId, property),
			);
			expect(missing).toEqual([]);
		},
	);

	it('the table in docs/fields.md says what was found here', () => {
		const table = [
			'# Fields and controls',
			'',
			'Made by `test/contract/coverage.test.ts` (`npm run docs` renews it): every control of every form',
			'is filled in, run through n8n-core and compared with what the service received.',
			'',
			'| Request | From | Request properties | Reached by a control | Controls |',
			'| --- | --- | --- | --- | --- |',
			...operations.map(({ operationId, method, path, source }) => {
				const properties = requestProperties(operationId);
				const seen = reached.get(operationId);
				const count = properties.filter((property) => seen?.properties.has(property)).length;
				return `| ${method} ${path} | ${source} | ${properties.length} | ${count} | ${seen?.controls.size ?? 0} |`;
			}),
			'',
			'| Form | Request | From | Controls | Values tried |',
			'| --- | --- | --- | --- | --- |',
			...rows,
			'',
			'Without a control of their own:',
			'',
			...Object.entries(WITHOUT_CONTROL).map(([name, reason]) => `- \`${name}\`: ${reason}`),
			'',
		].join('\n');
		if (rows.length < cases.length) return; // an operation failed above: its row is missing
		if (process.env.UPDATE_DOCS) writeFileSync(TABLE, table);
		const isStale = readFileSync(TABLE, 'utf8') !== table;
		expect(isStale && 'docs/fields.md is stale: run npm run docs').toBe(false);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';

import { findOperation } from '../../api/contract';
import { exampleResponse } from '../../api/example';
import { includeSearchInfo } from '../../nodes/shared/fields/search/fields';
import { operationsOf, requiredParameters } from '../../test/contract/controls';
import { runNode } from '../../test/support/engine';
import { actionNodes } from './nodes';

/** The schema of an operation's output, and where n8n looks for it. */
export interface OutputSchema {
	/** Path from the root of the project. */
	file: string;
	text: string;
}

/** Page fields that come from formats a search doesn't accept. */
const NOT_OF_SEARCH = ['video', 'videos', 'changeTracking', 'branding'];

interface JsonSchema {
	type: string;
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
	version?: number;
}

/**
 * Returns the schemas of each operation's items: what the node makes of the responses that the contract describes.
 * Before the node has run, n8n shows them from `__schema__/v<version>/<operation>.json`.
 */
export async function outputSchemas(): Promise<OutputSchema[]> {
	const service = createServer((request, response) => void respond(request, response));
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
	try {
		const schemas: OutputSchema[] = [];
		for (const node of actionNodes()) {
			for (const version of [node.description.version].flat()) {
				for (const operation of operationsOf(node)) {
					schemas.push(await schemaOf(node, version, operation, baseUrl));
				}
			}
		}
		return schemas;
	} finally {
		service.closeAllConnections();
		service.close();
	}
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { method = 'GET', url = '/' } = request;
	const operation = findOperation(method, url.split('?')[0]);
	const sent = await text(request);
	// A form with a file starts with dashes.
	const body = sent.startsWith('{') ? sent : '{}';
	response.writeHead(operation ? 200 : 404, { 'content-type': 'application/json' });
	response.end(
		JSON.stringify(
			operation ? described(operation.operationId, JSON.parse(body) as IDataObject) : {},
		),
	);
}

/** Returns the response that the contract describes for a request, with all page fields wherever there are pages. */
function described(operationId: string, { scrapeOptions }: IDataObject): unknown {
	const example = exampleOf(operationId);
	const page = exampleOf('scrape').data as IDataObject;
	// It returns the same pages as v2, though api/openapi.yaml shows fewer of their fields.
	if (operationId === 'crawlStatusV1') return { ...example, data: [page] };
	if (operationId !== 'search') return example;
	const ofScrape = scrapeOptions === undefined ? {} : without(NOT_OF_SEARCH, page);
	const { web, news, images } = example.data as Record<string, IDataObject[]>;
	const scraped = (result: IDataObject) => ({ ...without(Object.keys(page), result), ...ofScrape });
	return { ...example, data: { web: web.map(scraped), news: news.map(scraped), images } };
}

function without(names: string[], object: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function exampleOf(operationId: string): IDataObject {
	return exampleResponse(operationId, { isFilled: true }) as IDataObject;
}

async function schemaOf(
	nodeType: INodeType,
	typeVersion: number,
	operation: string,
	baseUrl: string,
): Promise<OutputSchema> {
	const required = requiredParameters(nodeType, operation);
	const { output, error } = await runNode({
		nodeType,
		typeVersion,
		// An operation without this option ignores it.
		parameters: { ...required, options: { [includeSearchInfo.name]: true } },
		credentials: { baseUrl, apiKey: 'key-of-the-schemas' },
	});
	const items: INodeExecutionData[] = output[0] ?? [];
	const folder = nodeType.constructor.name;
	if (items.length === 0)
		throw new Error(`${folder} ${operation} gives nothing: ${error?.message}`);
	const schema = items.map(({ json }) => schemaFor(json)).reduce(merged);
	const [major, minor = 0] = String(typeVersion).split('.');
	return {
		file: `nodes/${folder}/__schema__/v${major}.${minor}.0/${operation}.json`,
		text: `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`,
	};
}

function schemaFor(value: unknown): JsonSchema {
	if (Array.isArray(value)) {
		return {
			type: 'array',
			...(value.length > 0 && { items: value.map(schemaFor).reduce(merged) }),
		};
	}
	if (typeof value !== 'object') return { type: typeof value };
	if (value === null) return { type: 'null' };
	const properties = Object.entries(value).map(([name, entry]) => [name, schemaFor(entry)]);
	return { type: 'object', properties: Object.fromEntries(properties) as JsonSchema['properties'] };
}

/** Returns what is in either of two schemas; where they differ, the form and order of the first one count. */
function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
	if (one.properties === undefined || other.properties === undefined) return one;
	return { ...one, properties: { ...one.properties, ...other.properties, ...one.properties } };
}

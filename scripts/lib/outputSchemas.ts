import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';

import { exampleResponse } from '../../api/example';
import { operationsOf, requiredParameters } from '../../test/contract/controls';
import { ContractService } from '../../test/support/contractService';
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
	const service = await new ContractService().start();
	service.bodyFor = described;
	try {
		const schemas: OutputSchema[] = [];
		for (const node of actionNodes()) {
			for (const version of [node.description.version].flat()) {
				for (const operation of operationsOf(node)) {
					schemas.push(await schemaOf(node, version, operation, service));
				}
			}
		}
		return schemas;
	} finally {
		await service.stop();
	}
}

/** Returns the response that the contract describes for a request, with all page fields wherever there are pages. */
function described(operationId: string, sent: string): unknown {
	const example = exampleOf(operationId);
	const page = exampleOf('scrape').data as IDataObject;
	// It returns the same pages as v2, though api/openapi.yaml shows fewer of their fields.
	if (operationId === 'crawlStatusV1') return { ...example, data: [page] };
	if (operationId !== 'search') return example;
	const { scrapeOptions } = JSON.parse(sent) as IDataObject;
	const ofScrape = scrapeOptions === undefined ? {} : without(NOT_OF_SEARCH, page);
	const { web, news, images } = example.data as Record<string, IDataObject[]>;
	const scraped = (result: IDataObject) => ({ ...without(Object.keys(page), result), ...ofScrape });
	return { ...example, data: { web: web.map(scraped), news: news.map(scraped), images } };
}

function without(names: string[], object: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Page fields in whose place their own fields stand, which only the form knows. */
const COLUMNS = ['json', 'product'];

function exampleOf(operationId: string): IDataObject {
	const example = exampleResponse(operationId, { isFilled: true }) as IDataObject;
	const { data } = example;
	if (data === undefined) return example;
	const isPage = (entry: unknown): entry is IDataObject =>
		typeof entry === 'object' && entry !== null && 'markdown' in entry;
	const bare = (entry: unknown) => (isPage(entry) ? without(COLUMNS, entry) : entry);
	return { ...example, data: (Array.isArray(data) ? data.map(bare) : bare(data)) as IDataObject };
}

async function schemaOf(
	nodeType: INodeType,
	typeVersion: number,
	operation: string,
	{ url: baseUrl, apiKey }: ContractService,
): Promise<OutputSchema> {
	const required = requiredParameters(nodeType, operation);
	const { output, error } = await runNode({
		nodeType,
		typeVersion,
		parameters: required,
		credentials: { baseUrl, apiKey },
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

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

import { breachesOf, type Breach } from './breaches';
import {
	at,
	beyondFile,
	DOCUMENT,
	documentFile,
	escapePointer,
	wholeDocument,
	wholeFiles,
	type Schema,
} from './files';

/** The file that an operation comes from. */
export type Source = 'document' | 'beyond';

/** An operation, and what is needed to check a request against it. */
export interface Operation {
	method: string; // upper case
	path: string; // as the contract writes it, e.g. '/v2/agent/{jobId}'
	operationId: string;
	source: Source;
	pattern: RegExp;
	file: string; // $id of the file it is in
	pointer: string; // JSON pointer to the operation in it
	bodySchema?: Schema; // a $ref
	validateQuery: Validate;
	validateBody?: Validate;
	pathParameters: Array<{ name: string; validate: Validate }>;
}

/** Returns the breaches in a value. Compiles the schema on first use, because most are never needed. */
type Validate = (value: unknown) => Breach[];

function validateBy(ajv: Ajv2020, schema: Schema): Validate {
	let compiled: ValidateFunction | undefined;
	return (value) => breachesOf((compiled ??= ajv.compile(schema)), value);
}

/** Returns the path to the JSON that a request sends: its body, or the part "options" of a form with a file. */
const jsonIn = (content: Schema): string =>
	('application/json' in content
		? ['content', 'application/json', 'schema']
		: ['content', 'multipart/form-data', 'schema', 'properties', 'options']
	)
		.map(escapePointer)
		.join('/');

function newAjv(coerceTypes: boolean): Ajv2020 {
	const ajv = new Ajv2020({
		strict: true,
		strictRequired: false, // oneOf branches require what their parent describes
		allowUnionTypes: true,
		allErrors: true,
		verbose: true, // adds the schema to errors, because its description says more than ajv
		discriminator: true,
		coerceTypes,
		keywords: [
			'x-not-shown',
			'x-seen',
			...Object.keys(documentFile),
			...Object.keys(beyondFile),
		].filter((key, index, all) => !key.startsWith('$') && all.indexOf(key) === index), // ajv reads each file as one schema, in which the others can be found
	});
	addFormats(ajv);
	for (const file of wholeFiles.values()) ajv.addSchema(file);
	return ajv;
}

const ajv = newAjv(false);
const queryAjv = newAjv(true); // a query only contains text

function operationsIn([id, file]: [id: string, file: Schema]): Operation[] {
	const found: Operation[] = [];
	for (const [path, item] of Object.entries(file.paths as Record<string, Schema>)) {
		for (const [method, operation] of Object.entries(item as Record<string, Schema>)) {
			const parameters = (operation.parameters ?? []) as Array<{
				name: string;
				in: string;
				schema: Schema;
			}>;
			const querySchema: Schema = {
				type: 'object',
				properties: Object.fromEntries(
					parameters.filter((p) => p.in === 'query').map((p) => [p.name, p.schema]),
				),
				additionalProperties: operation['x-open-query'] === true,
			};
			const pointer = `/paths/${escapePointer(path)}/${method}`;
			const body = operation.requestBody
				? {
						$ref: `${id}#${pointer}/requestBody/${jsonIn((operation.requestBody as Schema).content as Schema)}`,
					}
				: undefined;
			found.push({
				method: method.toUpperCase(),
				path,
				operationId: operation.operationId as string,
				source: id === DOCUMENT ? 'document' : 'beyond',
				pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
				file: id,
				pointer,
				validateQuery: validateBy(queryAjv, querySchema),
				bodySchema: body,
				validateBody: body && validateBy(ajv, body),
				pathParameters: parameters
					.filter((p) => p.in === 'path')
					.map((p) => ({ name: p.name, validate: validateBy(ajv, p.schema) })),
			});
		}
	}
	return found;
}

/** Every operation of both files, the document's first. */
export const operations = [...wholeFiles].flatMap(operationsIn);

/** Returns the operation that a request calls (path without query and prefix), or undefined. */
export function findOperation(method: string, path: string): Operation | undefined {
	return operations
		.filter((e) => e.method === method.toUpperCase() && e.pattern.test(path))
		.sort((a, b) => a.pathParameters.length - b.pathParameters.length)[0];
}

/**
 * Returns every breach of the contract in a request; empty if there is none. `path` is without query and prefix.
 */
export function validateRequest(
	method: string,
	path: string,
	query: Record<string, unknown> = {},
	body?: unknown,
): Breach[] {
	const endpoint = findOperation(method, path);
	if (!endpoint) {
		return [{ code: 'unknown_operation', path: [], message: `No operation ${method} ${path}` }];
	}
	const breaches = validateAddress(endpoint, path, query);
	if (endpoint.validateBody) breaches.push(...endpoint.validateBody(body ?? null));
	else if (body !== undefined && body !== null) {
		breaches.push({ code: 'unexpected_body', path: [], message: 'This operation takes no body' });
	}
	return breaches;
}

/** Returns the breaches of the contract in the parameters of a request, those of its path and of its query. */
export function validateAddress(
	{ pattern, pathParameters, validateQuery }: Operation,
	path: string,
	query: Record<string, unknown>,
): Breach[] {
	const values = pattern.exec(path)?.slice(1) ?? [];
	const inPath = pathParameters.flatMap(({ name, validate }, index) =>
		validate(values[index]).map((breach) => ({ ...breach, path: [name] })),
	);
	return [...inPath, ...validateQuery({ ...query })];
}

/** Returns the breaches of the contract in a response; a status that the contract doesn't list counts as a breach. */
export function validateResponse(
	method: string,
	path: string,
	status: number,
	body: unknown,
): Breach[] {
	const endpoint = findOperation(method, path);
	if (!endpoint) return [{ code: 'unknown_operation', path: [], message: `${method} ${path}` }];
	const file = wholeFiles.get(endpoint.file)!;
	const responses = (at(file, endpoint.pointer) as Schema).responses as Record<string, Schema>;
	const general = wholeDocument['x-errors-of-every-operation'] as typeof responses;
	const keys = [String(status), `${Math.floor(status / 100)}XX`];
	const key = keys.find((name) => responses[name]);
	const generalKey = keys.find((name) => general[name]);
	if (!key && !generalKey) return [{ code: 'unknown_status', path: [], message: `${status}` }];
	const ref = key ? responses[key].$ref : general[generalKey!].$ref;
	const target = ref
		? new URL(ref as string, key ? endpoint.file : DOCUMENT).href
		: `${endpoint.file}#${endpoint.pointer}/responses/${key}`;
	return breachesOf(ajv.compile({ $ref: `${target}/${jsonIn({ 'application/json': {} })}` }), body);
}

/** Returns the operation with that ID. Throws if there is none. */
export function endpointOf(operationId: string): Operation {
	const endpoint = operations.find((e) => e.operationId === operationId);
	if (!endpoint) throw new Error(`The contract has no operation ${operationId}`);
	return endpoint;
}

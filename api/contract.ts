import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A JSON Schema, or any other object of an OpenAPI file. */
export type Schema = Record<string, unknown>;

/** Which of the two files an operation comes from. */
export type Source = 'document' | 'beyond';

export interface Operation {
	method: string; // upper case
	path: string; // as the contract writes it, e.g. '/v2/agent/{jobId}'
	operationId: string;
	source: Source;
	bodySchema?: Schema; // with its $refs
	querySchema: Schema;
}

/** One breach of the contract, in the shape of a 400's `details`. */
export interface Breach {
	code: string;
	path: Array<string | number>;
	message: string;
}

const DOCUMENT = 'https://contract.invalid/openapi.yaml';
const BEYOND = 'https://contract.invalid/beyond.openapi.yaml';

const isObject = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges as `x-adds-to-document` says: objects merged, arrays appended to, the rest replaced. */
function merge(base: unknown, added: unknown): unknown {
	if (Array.isArray(base) && Array.isArray(added)) return [...base, ...added];
	if (!isObject(base) || !isObject(added)) return added;
	const merged = { ...base };
	for (const [key, value] of Object.entries(added)) {
		merged[key] = key in base ? merge(base[key], value) : value;
	}
	return merged;
}

function read(file: string, id: string): Schema {
	return { $id: id, ...(parse(readFileSync(join(__dirname, file), 'utf8')) as Schema) };
}

/** The document's contract alone. */
export const documentFile = read('openapi.yaml', DOCUMENT);
/** What goes beyond the document, as its file has it. */
export const beyondFile = read('beyond.openapi.yaml', BEYOND);
/** The document's contract with what the file beyond it adds to its endpoints. */
export const wholeDocument = merge(documentFile, beyondFile['x-adds-to-document']) as Schema;

/** The object at a JSON pointer, e.g. '/components/schemas/Format'. */
function at(file: Schema, pointer: string): unknown {
	let found: unknown = file;
	for (const part of pointer.split('/').slice(1)) {
		found = (found as Schema)[part.replace(/~1/g, '/').replace(/~0/g, '~')];
	}
	return found;
}

const escapePointer = (part: string) => part.replace(/~/g, '~0').replace(/\//g, '~1');

interface Endpoint extends Operation {
	pattern: RegExp;
	file: string; // $id of the file that holds it
	pointer: string; // JSON pointer of the operation in it
	validateQuery: ValidateFunction;
	validateBody?: ValidateFunction;
	pathParameters: Array<{ name: string; validate: ValidateFunction }>;
}

interface Contract {
	endpoints: Endpoint[];
	files: Map<string, Schema>;
	ajv: Ajv2020;
}

const json = ['content', 'application/json', 'schema'].map(escapePointer).join('/');

function newAjv(files: Schema[], coerceTypes: boolean): Ajv2020 {
	const ajv = new Ajv2020({
		strict: true,
		strictRequired: false, // oneOf branches require what their parent describes
		allowUnionTypes: true,
		allErrors: true,
		verbose: true, // gives errors their schema, whose description says more than ajv
		discriminator: true,
		coerceTypes,
		keywords: ['x-not-shown', ...Object.keys(documentFile), ...Object.keys(beyondFile)].filter(
			(key, index, all) => !key.startsWith('$') && all.indexOf(key) === index,
		), // ajv reads each file as one schema in which the others are found,
	});
	addFormats(ajv);
	for (const file of files) ajv.addSchema(file);
	return ajv;
}

function build(files: Schema[]): Contract {
	const ajv = newAjv(files, false);
	const queryAjv = newAjv(files, true); // a query holds only text
	const endpoints: Endpoint[] = [];
	for (const file of files) {
		const id = file.$id as string;
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
					? { $ref: `${id}#${pointer}/requestBody/${json}` }
					: undefined;
				endpoints.push({
					method: method.toUpperCase(),
					path,
					operationId: operation.operationId as string,
					source: id === DOCUMENT ? 'document' : 'beyond',
					bodySchema: body,
					querySchema,
					pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
					file: id,
					pointer,
					validateQuery: queryAjv.compile(querySchema),
					validateBody: body && ajv.compile(body),
					pathParameters: parameters
						.filter((p) => p.in === 'path')
						.map((p) => ({ name: p.name, validate: ajv.compile(p.schema) })),
				});
			}
		}
	}
	return { endpoints, files: new Map(files.map((file) => [file.$id as string, file])), ajv };
}

const whole = build([wholeDocument, beyondFile]);
const documentOnly = build([documentFile]);
const contractFor = (beyond: boolean) => (beyond ? whole : documentOnly);

/** Every operation of both files; document first. */
export const operations: Operation[] = whole.endpoints;

/** The operation of a request (path without query and prefix), or undefined. */
export function findOperation(
	method: string,
	path: string,
	{ beyond = true }: { beyond?: boolean } = {},
): Operation | undefined {
	return findEndpoint(contractFor(beyond), method, path);
}

function findEndpoint(contract: Contract, method: string, path: string): Endpoint | undefined {
	return contract.endpoints
		.filter((e) => e.method === method.toUpperCase() && e.pattern.test(path))
		.sort((a, b) => a.pathParameters.length - b.pathParameters.length)[0];
}

const CODES: Record<string, string> = {
	additionalProperties: 'unrecognized_keys',
	required: 'required',
	type: 'invalid_type',
	maximum: 'too_big',
	maxLength: 'too_big',
	minimum: 'too_small',
	minLength: 'too_small',
	enum: 'invalid_enum_value',
	const: 'invalid_enum_value',
	discriminator: 'invalid_enum_value',
	pattern: 'invalid_string',
	format: 'invalid_string',
};

const listed = (values: unknown) => (values as unknown[]).map(String).join(', ');

function toBreach(error: ErrorObject, prefix: string[] = []): Breach {
	const path: Array<string | number> = [...prefix];
	for (const part of error.instancePath.split('/').slice(1)) {
		const name = part.replace(/~1/g, '/').replace(/~0/g, '~');
		path.push(/^\d+$/.test(name) ? Number(name) : name);
	}
	const params = error.params as Record<string, unknown>;
	const named = params.additionalProperty ?? params.missingProperty ?? params.tag;
	if (typeof named === 'string') path.push(named);
	let message = error.message ?? 'is invalid';
	if (error.keyword === 'additionalProperties') message = `Unrecognized key "${String(named)}"`;
	if (error.keyword === 'enum') message = `must be one of ${listed(params.allowedValues)}`;
	if (error.keyword === 'discriminator')
		message = `unknown type ${JSON.stringify(params.tagValue)}`;
	if (error.keyword === 'oneOf' || error.keyword === 'anyOf') {
		message = (error.parentSchema?.description as string | undefined) ?? message;
	}
	return { code: CODES[error.keyword] ?? error.keyword, path, message };
}

function breachesOf(validate: ValidateFunction, value: unknown, prefix?: string[]): Breach[] {
	if (validate(value)) return [];
	const errors = validate.errors ?? [];
	const alternatives = errors.filter((e) => e.keyword === 'oneOf' || e.keyword === 'anyOf');
	// What each alternative lacks is noise beside the fact that none matched, except what is
	// wrong further in, which says more than that fact.
	const isNoise = (error: ErrorObject) =>
		alternatives.includes(error)
			? errors.some((other) => other.instancePath.startsWith(`${error.instancePath}/`))
			: error.keyword !== 'additionalProperties' &&
				alternatives.some((other) => other.instancePath === error.instancePath);
	return errors.filter((error) => !isNoise(error)).map((error) => toBreach(error, prefix));
}

/**
 * Every breach of the contract in one request; empty when it holds. `path` is without query and
 * prefix. `beyond: false` judges by the document alone.
 */
export function validateRequest(
	method: string,
	path: string,
	query: Record<string, unknown> = {},
	body?: unknown,
	{ beyond = true }: { beyond?: boolean } = {},
): Breach[] {
	const endpoint = findEndpoint(contractFor(beyond), method, path);
	if (!endpoint) {
		return [{ code: 'unknown_operation', path: [], message: `No operation ${method} ${path}` }];
	}
	const breaches: Breach[] = [];
	const values = endpoint.pattern.exec(path)?.slice(1) ?? [];
	endpoint.pathParameters.forEach(({ name, validate }, index) => {
		breaches.push(...breachesOf(validate, values[index]).map((b) => ({ ...b, path: [name] })));
	});
	breaches.push(...breachesOf(endpoint.validateQuery, { ...query }));
	if (endpoint.validateBody) breaches.push(...breachesOf(endpoint.validateBody, body ?? null));
	else if (body !== undefined && body !== null) {
		breaches.push({ code: 'unexpected_body', path: [], message: 'This operation takes no body' });
	}
	return breaches;
}

/** Breaches of the contract in an answer of the service; a status it doesn't name is one. */
export function validateResponse(
	method: string,
	path: string,
	status: number,
	body: unknown,
	{ beyond = true }: { beyond?: boolean } = {},
): Breach[] {
	const contract = contractFor(beyond);
	const endpoint = findEndpoint(contract, method, path);
	if (!endpoint) return [{ code: 'unknown_operation', path: [], message: `${method} ${path}` }];
	const file = contract.files.get(endpoint.file)!;
	const responses = (at(file, endpoint.pointer) as Schema).responses as Record<string, Schema>;
	const general = contract.files.get(DOCUMENT)!['x-errors-of-every-operation'] as typeof responses;
	const keys = [String(status), `${Math.floor(status / 100)}XX`];
	const key = keys.find((name) => responses[name]);
	const generalKey = keys.find((name) => general[name]);
	if (!key && !generalKey) return [{ code: 'unknown_status', path: [], message: `${status}` }];
	const ref = key ? responses[key].$ref : general[generalKey!].$ref;
	const target = ref
		? new URL(ref as string, key ? endpoint.file : DOCUMENT).href
		: `${endpoint.file}#${endpoint.pointer}/responses/${key}`;
	return breachesOf(contract.ajv.compile({ $ref: `${target}/${json}` }), body);
}

// Request properties, for the coverage of the forms.

function resolve(schema: Schema, base: string): { schema: Schema; base: string } {
	if (typeof schema.$ref !== 'string') return { schema, base };
	const target = new URL(schema.$ref, base);
	const id = target.href.split('#')[0];
	const found = at(whole.files.get(id)!, decodeURIComponent(target.hash.slice(1))) as Schema;
	return resolve(found, id);
}

/** The alternatives told apart by `type`, by its value; undefined when there are none. */
function variants(
	schema: Schema,
	base: string,
): Map<string, { schema: Schema; base: string }> | undefined {
	if (!schema.discriminator) return undefined;
	return new Map(
		(schema.oneOf as Schema[]).map((alternative) => {
			const resolved = resolve(alternative, base);
			const type = (resolved.schema.properties as Record<string, Schema>).type.const as string;
			return [type, resolved];
		}),
	);
}

/** The object form of alternatives such as `{type}` or plain text; the schema itself otherwise. */
function objectForm(schema: Schema, base: string): { schema: Schema; base: string } {
	if (schema.discriminator || schema.properties || !Array.isArray(schema.oneOf)) {
		return { schema, base };
	}
	const forms = (schema.oneOf as Schema[]).map((form) => resolve(form, base));
	return forms.find((form) => form.schema.properties) ?? { schema, base };
}

function collect(input: Schema, inputBase: string, path: string, found: string[]): void {
	const resolved = resolve(input, inputBase);
	const { schema, base } = objectForm(resolved.schema, resolved.base);
	if (schema.items) {
		collect(schema.items as Schema, base, `${path}[]`, found);
		return;
	}
	const alternatives = variants(schema, base);
	if (alternatives) {
		for (const [type, alternative] of alternatives) {
			found.push(`${path}.${type}`);
			collectProperties(alternative.schema, alternative.base, `${path}.${type}.`, found, ['type']);
		}
		return;
	}
	collectProperties(schema, base, path ? `${path}.` : '', found);
}

function collectProperties(
	schema: Schema,
	base: string,
	prefix: string,
	found: string[],
	except: string[] = [],
): void {
	for (const [name, property] of Object.entries((schema.properties ?? {}) as Schema)) {
		if (except.includes(name)) continue;
		found.push(`${prefix}${name}`);
		collect(property as Schema, base, `${prefix}${name}`, found);
	}
}

function endpointOf(operationId: string): Endpoint {
	const endpoint = whole.endpoints.find((e) => e.operationId === operationId);
	if (!endpoint) throw new Error(`The contract has no operation ${operationId}`);
	return endpoint;
}

/**
 * Dotted paths of every property a request of the operation may have, containers too:
 * `scrapeOptions.parsers[].mode`; where `type` tells alternatives apart its value is part of the
 * path: `scrapeOptions.formats[].screenshot`, `scrapeOptions.formats[].screenshot.fullPage`;
 * query parameters with a question mark: `?byApiKey`. Free objects (schema, headers) are leaves.
 */
export function requestProperties(operationId: string): string[] {
	const endpoint = endpointOf(operationId);
	const found = Object.keys(endpoint.querySchema.properties as Schema).map((name) => `?${name}`);
	if (endpoint.bodySchema) collect(endpoint.bodySchema, endpoint.file, '', found);
	return found;
}

/**
 * The paths of `requestProperties` that a concrete request uses, each once. What the contract
 * doesn't know is listed too, so that a comparison shows it.
 */
export function propertiesIn(
	operationId: string,
	body?: unknown,
	query: Record<string, unknown> = {},
): string[] {
	const endpoint = endpointOf(operationId);
	const found = new Set(Object.keys(query).map((name) => `?${name}`));
	if (endpoint.bodySchema) walk(endpoint.bodySchema, endpoint.file, body, '', found);
	return [...found];
}

function walk(
	input: Schema | undefined,
	inputBase: string,
	value: unknown,
	path: string,
	found: Set<string>,
): void {
	if (!input) return;
	const resolved = resolve(input, inputBase);
	const { schema, base } = objectForm(resolved.schema, resolved.base);
	if (Array.isArray(value)) {
		for (const entry of value) walk(schema.items as Schema, base, entry, `${path}[]`, found);
		return;
	}
	if (!isObject(value)) return;
	const alternatives = variants(schema, base);
	if (!alternatives) {
		walkProperties(schema, base, value, path ? `${path}.` : '', found);
		return;
	}
	const type = String(value.type);
	found.add(`${path}.${type}`);
	const { type: _type, ...rest } = value;
	const alternative = alternatives.get(type) ?? { schema: { properties: {} }, base };
	walkProperties(alternative.schema, alternative.base, rest, `${path}.${type}.`, found);
}

function walkProperties(
	schema: Schema,
	base: string,
	value: Schema,
	prefix: string,
	found: Set<string>,
): void {
	const properties = schema.properties as Record<string, Schema> | undefined;
	if (!properties) return; // a free object
	for (const [name, entry] of Object.entries(value)) {
		found.add(`${prefix}${name}`);
		walk(properties[name], base, entry, `${prefix}${name}`, found);
	}
}

import { endpointOf, resolve } from './contract';
import { isObject, type Schema } from './files';

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

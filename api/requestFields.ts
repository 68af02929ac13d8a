/* eslint-disable @typescript-eslint/no-unused-vars */
import { isObject, type Schema } from './files';

/** Returns a file that a `$ref` names, by its absolute ID (URL). */
export type ReadFile = (id: string) => Schema;

/** What an OpenAPI file says about one field of a request. */
export interface RequestField {
	required: boolean;
	/** Keyword (type, enum, maximum, default …) → its values as JSON; several if alternatives differ. */
	rules: Record<string, string[]>;
	description?: string;
}

export interface Endpoint {
	/** E.g. `POST /v2/agent`, with path parameters as the file writes them. */
	name: string;
	summary: string;
	/**
	 * Fields by their path: `?name` in the query, `a.b` and `list[]` in the body. For an object whose `type` names its
	 * kind, the kind follows the path: `formats[].json.schema`.
	 */
	fields: Map<string, RequestField>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const RULES = ['default', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
	.concat(['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'])
	.sort();

interface Part {
	schema: Schema;
	base: string;
	/** Values of the `type` that distinguishes this object from its alternatives. */
	kinds: string[];
	/** Whether it is one of several alternatives. */
	isAlternative: boolean;
	/** The `$ref`s that led here, so that a recursive schema comes to an end. */
	trail: string[];
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as Schema[]) : []);

/**
 * Returns the endpoints of an OpenAPI file by method and path, with path parameters written `{}`. If the file has the
 * version in its server's address (`https://api.example.com/v2`), it is prepended to the paths.
 */
export function endpointsOf(id: string, read: ReadFile): Map<string, Endpoint> {
	const file = read(id);
	const server = listOf(file.servers)[0]?.url;
	const version = /\/v\d+(?=\/?$)/.exec(String(server ?? ''))?.[0] ?? '';
	const endpoints = new Map<string, Endpoint>();
	for (const [path, item] of Object.entries((file.paths ?? {}) as Record<string, Schema>)) {
		const fullPath = /^\/v\d+\//.test(path) ? path : `${version}${path}`;
		for (const method of METHODS) {
			const operation = item[method] as Schema | undefined;
			if (operation === undefined) continue;
			const name = `${method.toUpperCase()} ${fullPath}`;
			const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)];
			endpoints.set(keyOf(name), {
				name,
				summary: String(operation.summary ?? ''),
				fields: fieldsOf(operation, parameters, id, read),
			});
		}
	}
	return endpoints;
}

/** Returns an endpoint's name with its path parameters unnamed, because files name them differently. */
export function keyOf(name: string): string {
	return name.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '');
}

/**
 * Returns the fields that a request to an endpoint fills in, with their values as JSON, including those that the endpoint
 * doesn't know.
 */
export function filledFields(
	{ fields }: Endpoint,
	body: unknown,
	query: Record<string, unknown> = {},
): Map<string, string> {
	const found = new Map<string, string>();
	const add = (field: string, value: unknown) =>
		found.set(field, `${found.get(field) ?? ''}${JSON.stringify(value)}`);
	for (const [name, value] of Object.entries(query)) add(`?${name}`, value);
	const known = [...fields.keys()];
	const walk = (value: unknown, path: string): void => {
		if (Array.isArray(value)) {
			for (const entry of value) walk(entry, `${path}[]`);
			return;
		}
		// What has no settings may be its type alone.
		const kind = `${path}.${String(isObject(value) ? value.type : value)}`;
		const isKind = fields.has(kind);
		if (isKind) add(kind, value);
		const place = isKind ? kind : path;
		const prefix = place === '' ? '' : `${place}.`;
		// A free-form object, such as headers, is one field.
		if (!isObject(value) || !(isKind || known.some((field) => field.startsWith(prefix)))) return;
		for (const [name, entry] of Object.entries(value)) {
			if (isKind && name === 'type') continue;
			add(`${prefix}${name}`, entry);
			walk(entry, `${prefix}${name}`);
		}
	};
	walk(body, '');
	return found;
}

function fieldsOf(operation: Schema, parameters: Schema[], id: string, read: ReadFile) {
	const fields = new Map<string, RequestField>();
	const collect = (schema: Schema, base: string, path: string, trail: string[]): void => {
		const parts = partsOf({ schema, base, kinds: [], isAlternative: false, trail }, read);
		for (const part of parts) {
			if (path !== '') addRules(fields, path, part.schema);
			if (part.schema.items) {
				collect(part.schema.items as Schema, part.base, `${path}[]`, part.trail);
			}
			const places = part.kinds.length > 0 ? part.kinds.map((kind) => `${path}.${kind}`) : [path];
			for (const place of places) {
				if (place !== path) entryOf(fields, place);
				const properties = (part.schema.properties ?? {}) as Record<string, Schema>;
				for (const [name, property] of Object.entries(properties)) {
					if (part.kinds.length > 0 && name === 'type') continue;
					const child = place === '' ? name : `${place}.${name}`;
					entryOf(fields, child).required ||= isRequired(name, part, parts);
					collect(property, part.base, child, part.trail);
				}
			}
		}
	};
	for (const given of parameters) {
		const { schema: parameter, base } = resolved({ schema: given, base: id }, read);
		if (parameter.in !== 'query') continue;
		const path = `?${String(parameter.name)}`;
		entryOf(fields, path).required = parameter.required === true;
		collect((parameter.schema ?? {}) as Schema, base, path, []);
	}
	if (operation.requestBody) {
		const body = resolved({ schema: operation.requestBody as Schema, base: id }, read);
		const content = (body.schema.content ?? {}) as Record<string, Schema>;
		const media = content['application/json'] ?? Object.values(content)[0];
		const schema = (media?.schema ?? {}) as Schema;
		const uploaded = content['multipart/form-data'] && (schema.properties as Schema | undefined);
		collect((uploaded?.options ?? schema) as Schema, body.base, '', []);
	}
	return fields;
}

/** Whether a property is required: by this part and, if it is an alternative, by all others of its kind. */
function isRequired(name: string, part: Part, parts: Part[]): boolean {
	const rivals = parts.filter(
		(other) => other.isAlternative && String(other.kinds) === String(part.kinds),
	);
	return [part, ...(part.isAlternative ? rivals : [])].every(({ schema }) =>
		((schema.required ?? []) as string[]).includes(name),
	);
}

function entryOf(fields: Map<string, RequestField>, path: string): RequestField {
	const field = fields.get(path) ?? { required: false, rules: {} };
	fields.set(path, field);
	return field;
}

/** Returns what a `$ref` leads to, following further ones; throws if one leads nowhere. */
function resolved(
	{ schema, base, trail = [] }: { schema: Schema; base: string; trail?: string[] },
	read: ReadFile,
): { schema: Schema; base: string; trail: string[] } {
	if (typeof schema.$ref !== 'string') return { schema, base, trail };
	const target = new URL(schema.$ref, base);
	if (trail.includes(target.href)) return { schema: {}, base, trail };
	const id = target.href.split('#')[0];
	let found: unknown = read(id);
	for (const part of decodeURIComponent(target.hash).split('/').slice(1)) {
		found = (found as Schema | undefined)?.[part.replace(/~1/g, '/').replace(/~0/g, '~')];
	}
	if (found === undefined) throw new Error(`Nothing is at $ref ${schema.$ref}`);
	// In OpenAPI 3.1, a description or a default may stand next to a $ref.
	const { $ref: _, ...beside } = schema;
	const next = { schema: { ...(found as Schema), ...beside }, base: id };
	return resolved({ ...next, trail: [...trail, target.href] }, read);
}

/** Returns a schema, everything that allOf adds to it, and all its alternatives as separate parts. */
function partsOf(given: Part, read: ReadFile): Part[] {
	const { schema, base, trail } = resolved(given, read);
	const { isAlternative } = given;
	const partsAt = (keyword: string, more: Pick<Part, 'kinds' | 'isAlternative'>) =>
		listOf(schema[keyword]).flatMap((entry) =>
			partsOf({ schema: entry, base, trail, ...more }, read),
		);
	const added = partsAt('allOf', { kinds: given.kinds, isAlternative });
	const own = kindsOf(schema, base, read);
	const kinds =
		[own, ...added.map((part) => part.kinds), given.kinds].find((some) => some.length > 0) ?? [];
	return [
		{ schema, base, kinds, isAlternative, trail },
		...added.map((part) => ({ ...part, kinds })),
		...partsAt('oneOf', { kinds, isAlternative: true }),
		...partsAt('anyOf', { kinds, isAlternative: true }),
	];
}

/** Returns the fixed strings that an object's `type` may have. */
function kindsOf(schema: Schema, base: string, read: ReadFile): string[] {
	const type = (schema.properties as Record<string, Schema> | undefined)?.type;
	if (type === undefined) return [];
	return enumOf(resolved({ schema: type, base }, read).schema).filter(
		(value): value is string => typeof value === 'string',
	);
}

function enumOf(schema: Schema): unknown[] {
	const values = 'const' in schema ? [schema.const] : ((schema.enum ?? []) as unknown[]);
	return values.filter((value) => value !== null);
}

function addRules(fields: Map<string, RequestField>, path: string, schema: Schema): void {
	const field = entryOf(fields, path);
	const { rules } = field;
	if (typeof schema.description === 'string') field.description ??= schema.description;
	const add = (keyword: string, values: unknown[]) => {
		if (values.length === 0) return;
		const all = [...(rules[keyword] ?? []), ...values.map((value) => JSON.stringify(value))];
		rules[keyword] = [...new Set(all)].sort();
	};
	// There are three ways to say that null is accepted too; for a form, that doesn't matter.
	add(
		'type',
		[schema.type ?? []].flat().filter((type) => type !== 'null'),
	);
	add('enum', enumOf(schema));
	for (const keyword of RULES) if (keyword in schema) add(keyword, [schema[keyword]]);
}

/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z as zod4 } from 'zod4';
import { z as zod3 } from 'zod4/v3';
import { at, merge, resolve, type Schema, wholeFiles } from '../../api/files';
import { withScheme } from '../urls';
import { isEntry } from '../entry';

/** The library that checks requests, and words the `details` of a 400: that of older or of newer services. */
export type IssueStyle = 'zod3' | 'zod4';

/** Both speak alike as far as they are used here. */
const LIBRARIES = { zod3: zod3 as unknown as typeof zod4, zod4 };

/** What older services say of a key they don't know, and newer ones of such a request. */
export const UNRECOGNIZED =
	'Unrecognized key in body -- please review the v2 API documentation for request body changes';

const service = load(readFileSync(join(__dirname, 'service.yaml'), 'utf8')) as Schema;

/** The contract's files as the service has them. */
const files = new Map(
	[...wholeFiles].map(([id, file]) => {
		const own = at(file, '/components/schemas') as Schema;
		const schemas = Object.fromEntries(Object.entries(service).filter(([name]) => name in own));
		return [id, merge(file, { components: { schemas } }) as Schema];
	}),
);

/** Returns a function that reads texts in some way, and leaves other values alone. */
function ofText(read: (text: string) => unknown) {
	return (value: unknown) => (typeof value === 'string' ? read(value) : value);
}

/** How the service reads some values before it checks them, by `x-read`. */
const READ: Record<string, (value: unknown) => unknown> = {
	kinds: (list) => (Array.isArray(list) ? list.map(ofText((type) => ({ type }))) : list),
	webhook: ofText((url) => ({ url })),
	url: ofText(withScheme),
	country: ofText((code) => code.toUpperCase()),
	proxy: ofText((name) => (name === 'stealth' ? 'enhanced' : name)),
};

/** Returns the contract's schema of a request, with the fields that clients add to each, in a library's terms. */
export function requestSchema(body: Schema, style: IssueStyle): zod4.ZodType {
	const { schema, base } = resolve(body, body.$ref as string, files);
	const text = { type: 'string' };
	const properties = { ...(schema.properties as Schema), origin: text, integration: text };
	return zodOf(LIBRARIES[style], { ...schema, properties }, base);
}

function zodOf(z: typeof zod4, given: Schema, givenBase: string): zod4.ZodType {
	const { schema: found, base } = resolve(given, givenBase, files);
	const { 'x-read': how, ...schema } = found;
	if (how) return z.preprocess(READ[how as string], zodOf(z, schema, base));
	const of = (inner: unknown) => zodOf(z, inner as Schema, base);
	const members = (schema.oneOf ?? []) as Schema[];
	// Which fields may stand together is said by a rule, in words of its own.
	if (members.some((member) => !member.required || member.properties)) {
		const all = members.map(of);
		return schema.discriminator ? z.discriminatedUnion('type', all as never) : z.union(all);
	}
	if ('const' in schema) return z.literal(schema.const as string);
	if (schema.enum) return z.enum(schema.enum as string[]);
	const [type, alternative] = [schema.type ?? []].flat();
	if (alternative === 'null') return of({ ...schema, type }).nullable();
	switch (type) {
		case 'boolean':
			return z.boolean();
		case 'number':
		case 'integer':
			return numberOf(z, schema);
		case 'string':
			return textOf(z, schema);
		case 'array': {
			const list = z.array(schema.items ? of(schema.items) : z.unknown());
			const least = list.min((schema.minItems as number | null) ?? 0);
			return schema.maxItems ? least.max(schema.maxItems as number) : least;
		}
		case 'object':
			return objectOf(z, schema, of);
		default:
			return z.unknown();
	}
}

function numberOf(z: typeof zod4, schema: Schema): zod4.ZodType {
	const { type, minimum, exclusiveMinimum, maximum } = schema as Record<string, number>;
	let number = String(type) === 'integer' ? z.number().int() : z.number();
	if (minimum !== undefined) number = number.min(minimum);
	if (exclusiveMinimum !== undefined) number = number.gt(exclusiveMinimum);
	return maximum === undefined ? number : number.max(maximum);
}

function textOf(z: typeof zod4, schema: Schema): zod4.ZodType {
	const { minLength, maxLength, format } = schema as { [keyword: string]: number | string };
	if (format === 'uri') return z.string().url();
	if (format === 'uuid') return z.string().uuid();
	if (format === 'email') return z.string().email();
	const text = z.string().min(Number(minLength ?? 0));
	return maxLength === undefined ? text : text.max(Number(maxLength));
}

function objectOf(
	z: typeof zod4,
	{ properties, required, additionalProperties: others }: Schema,
	of: (inner: unknown) => zod4.ZodType,
): zod4.ZodType {
	if (!properties) return z.record(z.string(), isEntry(others) ? of(others) : z.unknown());
	const shape = Object.entries(properties).map(([name, property]) => {
		const field = of(property);
		return [name, ((required ?? []) as string[]).includes(name) ? field : field.optional()];
	});
	const object = z.object(Object.fromEntries(shape) as zod4.ZodRawShape);
	if (others !== false) return object.passthrough();
	return (object as unknown as { strict(message: string): zod4.ZodType }).strict(UNRECOGNIZED);
}

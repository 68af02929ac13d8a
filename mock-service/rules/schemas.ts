/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod4';
import { at, merge, resolve, type Schema, wholeFiles } from '../../api/files';
import { withScheme } from '../urls';
import { isEntry } from '../entry';

/** What the service says of a key that it doesn't know. */
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

/** Returns the contract's schema of a request, with the fields that clients add to each, in Zod's terms. */
export function requestSchema(body: Schema): z.ZodType {
	const { schema, base } = resolve(body, body.$ref as string, files);
	const text = { type: 'string' };
	const properties = { ...(schema.properties as Schema), origin: text, integration: text };
	return zodOf({ ...schema, properties }, base);
}

/** Keywords of values without parts. */
const KEYWORDS =
	'type enum const format minLength maxLength minimum exclusiveMinimum maximum'.split(' ');

function zodOf(given: Schema, givenBase: string): z.ZodType {
	const { schema: found, base } = resolve(given, givenBase, files);
	const { 'x-read': how, ...schema } = found;
	if (how) return z.preprocess(READ[how as string], zodOf(schema, base));
	const of = (inner: unknown) => zodOf(inner as Schema, base);
	const members = (schema.oneOf ?? []) as Schema[];
	// Which fields may stand together is said by a rule, in words of its own.
	if (members.some((member) => !member.required || member.properties)) {
		const all = members.map(of);
		return schema.discriminator ? z.discriminatedUnion('type', all as never) : z.union(all);
	}
	const [type, alternative] = [schema.type ?? []].flat();
	if (alternative === 'null') return of({ ...schema, type }).nullable();
	if (type === 'object') return objectOf(schema, of);
	if (type === 'array') {
		const list = z.array(schema.items ? of(schema.items) : z.unknown());
		const least = list.min((schema.minItems as number | null) ?? 0);
		return schema.maxItems ? least.max(schema.maxItems as number) : least;
	}
	const keywords = KEYWORDS.filter((keyword) => (schema[keyword] ?? null) !== null);
	return z.fromJSONSchema(
		Object.fromEntries(keywords.map((keyword) => [keyword, schema[keyword]])),
	);
}

function objectOf(
	{ properties, required, additionalProperties: others }: Schema,
	of: (inner: unknown) => z.ZodType,
): z.ZodType {
	if (!properties) return z.record(z.string(), isEntry(others) ? of(others) : z.unknown());
	const shape = Object.entries(properties).map(([name, property]) => {
		const field = of(property);
		return [name, ((required ?? []) as string[]).includes(name) ? field : field.optional()];
	});
	const object = z.object(Object.fromEntries(shape) as z.ZodRawShape);
	if (others !== false) return object.passthrough();
	return (object as unknown as { strict(message: string): z.ZodType }).strict(UNRECOGNIZED);
}

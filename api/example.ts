import { endpointOf } from './contract';
import { at, resolve, wholeFiles, type Schema } from './files';

/** Fields that lead to another response. */
const LEADING_ON = ['next', 'cursor'];

/** The ID in every example. */
export const EXAMPLE_ID = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';

/**
 * Returns a response with status 200 as the contract describes it: every field once, lists with one entry, null
 * wherever it is allowed (so that no `next` is followed), a job completed. With `isFilled`, nullable fields have a
 * value, except those that lead to other responses. Throws for an operation that has no such response.
 */
export function exampleResponse(operationId: string, { isFilled = false } = {}): unknown {
	const { file, pointer } = endpointOf(operationId);
	const { responses } = at(wholeFiles.get(file)!, pointer) as { responses: Record<string, Schema> };
	if (responses['200'] === undefined) {
		throw new Error(`The contract has no response 200 for ${operationId}`);
	}
	const response = resolve(responses['200'], file);
	const content = response.schema.content as Record<string, { schema: Schema }>;
	return exampleOf(content['application/json'].schema, response.base, '', isFilled);
}

function exampleOf(input: Schema, inputBase: string, name: string, isFilled: boolean): unknown {
	const { schema, base } = resolve(input, inputBase);
	if ('const' in schema) return schema.const;
	if (Array.isArray(schema.examples)) return schema.examples[0];
	const values = schema.enum as unknown[] | undefined;
	if (values) return values.includes('completed') ? 'completed' : values[0];
	const isFree = isFilled && Object.keys(schema).every((key) => key === 'description');
	const types = [schema.type ?? (schema.properties || isFree ? 'object' : 'string')].flat();
	if (types.includes('null') && (!isFilled || LEADING_ON.includes(name))) return null;
	const [alternative] = (schema.oneOf ?? schema.anyOf ?? []) as Schema[];
	if (alternative) return exampleOf(alternative, base, name, isFilled);
	switch (types[0]) {
		case 'object':
			return Object.fromEntries(
				Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
					([key, property]) => [key, exampleOf(property, base, key, isFilled)],
				),
			);
		case 'array':
			return [exampleOf(schema.items as Schema, base, name, isFilled)];
		case 'boolean':
			return name === 'success';
		case 'integer':
		case 'number':
			return schema.minimum ?? 1;
		default:
			return exampleText(name, schema.format);
	}
}

function exampleText(name: string, format: unknown): string {
	if (format === 'uuid' || name === 'id') return EXAMPLE_ID;
	if (format === 'date-time') return '2026-01-15T12:00:00.000Z';
	return /url/i.test(name) ? 'https://example.com/' : name;
}

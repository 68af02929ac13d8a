/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

/** A JSON Schema, or any other object in an OpenAPI file. */
export type Schema = Record<string, unknown>;

export const DOCUMENT = 'https://contract.invalid/openapi.yaml';
const BEYOND = 'https://contract.invalid/beyond.openapi.yaml';

export const isObject = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges as `x-adds-to-document` requires: objects are merged, arrays appended to, everything else replaced. */
export function merge(base: unknown, added: unknown): unknown {
	if (Array.isArray(base) && Array.isArray(added)) return [...base, ...added];
	if (!isObject(base) || !isObject(added)) return added;
	const merged = { ...base };
	for (const [key, value] of Object.entries(added)) {
		merged[key] = key in base ? merge(base[key], value) : value;
	}
	return merged;
}

function read(file: string, id: string): Schema {
	return { $id: id, ...(load(readFileSync(join(__dirname, file), 'utf8')) as Schema) };
}

/** What the service documents: openapi.yaml without any additions. */
export const documentFile = read('openapi.yaml', DOCUMENT);
/** The additions to the document, as in their own file. */
export const beyondFile = read('beyond.openapi.yaml', BEYOND);
/** openapi.yaml, with what beyond.openapi.yaml adds to its endpoints. */
export const wholeDocument = merge(documentFile, beyondFile['x-adds-to-document']) as Schema;

/** Returns the object at a JSON pointer, e.g. '/components/schemas/Format'. */
export function at(file: Schema, pointer: string): unknown {
	let found: unknown = file;
	for (const part of pointer.split('/').slice(1)) {
		found = (found as Schema)[part.replace(/~1/g, '/').replace(/~0/g, '~')];
	}
	return found;
}

/**
 * Returns the schema that a schema of the file `base` refers to, with what stands beside the reference, and the file it
 * is in.
 */
export function resolve(
	schema: Schema,
	base: string,
	files = wholeFiles,
): { schema: Schema; base: string } {
	if (typeof schema.$ref !== 'string') return { schema, base };
	const { $ref, ...beside } = schema;
	const target = new URL($ref, base);
	const id = target.href.split('#')[0];
	const found = at(files.get(id)!, decodeURIComponent(target.hash.slice(1)));
	return resolve(merge(found, beside) as Schema, id, files);
}

/** Returns a name escaped for use in a JSON pointer. */
export const escapePointer = (part: string) => part.replace(/~/g, '~0').replace(/\//g, '~1');

/** Both files of the whole contract by their `$id`. */
export const wholeFiles = new Map(
	[wholeDocument, beyondFile].map((file) => [file.$id as string, file]),
);

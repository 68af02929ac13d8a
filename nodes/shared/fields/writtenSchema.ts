import type { IDataObject } from 'n8n-workflow';

import { asSent, hasContent, isObject, without } from '../base/json';
import { invalid, isEmpty, quoted } from '../form/checks';
import type { Place } from '../form/field';
import { checkedJson, parsedObject } from '../form/json';
import { jsonIn } from '../form/written';
import { TYPES, namedType, schemaOfList, typeOf } from './schemaTypes';

/**
 * The schema that was read last, by its text: the items of a run mostly have the same, and reading one of 2 MB takes
 * half a second.
 */
class LastSchema {
	private text?: string;
	private json = '';

	/** Returns what `read` makes of a value, without calling it for the same text as last time. */
	of(entered: unknown, read: () => IDataObject | undefined): IDataObject | undefined {
		if (typeof entered !== 'string') return read();
		// Each item gets an object of its own, as if it had been read again.
		if (entered === this.text) return JSON.parse(this.json) as IDataObject;
		const schema = read();
		if (schema === undefined) return undefined;
		this.text = entered;
		this.json = JSON.stringify(schema);
		return schema;
	}
}

const lastWritten = new LastSchema();
const lastOfExample = new LastSchema();

/** Returns the entered JSON Schema, or the schema of an example entered in its place. Throws NodeOperationError. */
export function writtenSchema(entered: unknown, place: Place): IDataObject | undefined {
	return lastWritten.of(entered, () => readSchema(entered, place));
}

/** Returns the schema of an example, or a schema entered in its place. Throws NodeOperationError. */
export function schemaOfExample(entered: unknown, place: Place): IDataObject | undefined {
	return lastOfExample.of(entered, () => readExample(entered, place));
}

function readSchema(entered: unknown, place: Place): IDataObject | undefined {
	const json = checkedJson(entered, place);
	// Some models write JSON as a text within JSON.
	const given = typeof json === 'string' ? jsonIn(json) : json;
	const whole = parsedObject(schemaOfList(given) ?? given ?? entered, place) as
		IDataObject | undefined;
	if (whole === undefined) return undefined;
	if (isOfZod(whole)) {
		throw invalid(place, 'is an object of Zod', 'Give what z.toJSONSchema() returns for it.');
	}
	const schema = withTypes(schemaWithin(whole)) as IDataObject;
	if (hasContent(schema) && !isSchema(schema)) return schemaOfExample(schema, place);
	checkSchema(schema, place);
	if (!hasFields(schema)) throw noFields(place);
	// Many tools include the name of the dialect, but services reject all but draft-07.
	return without(schema, '$schema');
}

/** Keywords of JSON Schema whose values are named schemas, and those whose values are lists. */
const OF_SCHEMAS = ['properties', 'patternProperties', '$defs'];
const OF_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

/**
 * Whether an object is a schema: one of JSON Schema's keywords has a suitable value. Any other object is an example.
 */
function isSchema(given: IDataObject): boolean {
	if (typeof given.type === 'string' && Object.keys(given).length === 1) return true;
	if ([given.type].flat().some((type) => TYPES.includes(String(type).toLowerCase()))) return true;
	if (['$schema', '$ref'].some((word) => typeof given[word] === 'string')) return true;
	if (OF_SCHEMAS.some((word) => given[word] !== undefined)) return true;
	if (isObject(given.items) && isSchema(given.items)) return true;
	return [...OF_LISTS, 'enum'].some((word) => Array.isArray(given[word]));
}

/**
 * Names under which models and their services put a schema, those under which they put something with it inside, and
 * those under which they put its fields.
 */
const WRAPPERS = [
	...['schema', 'json_schema', 'function', 'parameters', 'response_format', 'responseSchema'],
	...['input_schema', 'inputSchema', 'output_schema', 'outputSchema', 'response_schema'],
	...['jsonSchema', 'application/json'],
];
const AROUND = ['jsonOptions', 'generationConfig', 'format', 'content', 'components'];
const OF_FIELDS = ['fields', 'columns', 'properties', 'field'];

/** Names under which documents put schemas by their names. */
const NAMED = ['schemas', 'definitions', '$defs'];

/** What may stand beside the fields of a schema. */
const AROUND_FIELDS = ['type', 'title', 'name', 'description', 'strict', 'required'];

/** Whether an object is one of the library Zod, with its inner parts. */
function isOfZod({ def, _def = def }: IDataObject): boolean {
	return isObject(_def) && ['typeName', 'shape'].some((part) => part in _def);
}

/** Whether a value is a schema that says more than a type. */
const isWhole = (value: unknown): value is IDataObject =>
	isObject(value) &&
	isSchema(value) &&
	[...OF_SCHEMAS, ...OF_LISTS, 'items'].some((word) => word in value);

/** Whether a value names a type, as `number` does, or is a schema. */
const isType = (value: unknown): boolean =>
	typeof value === 'string' ? namedType(value) !== undefined : isObject(value) && isSchema(value);

/** Whether a value isn't a schema, but an object of nothing but types. */
const areTypes = (value: unknown): boolean =>
	isObject(value) && !isSchema(value) && hasContent(value) && Object.values(value).every(isType);

/** Returns the schema inside a wrapper, such as those of model APIs, or one that consists only of its properties. */
function schemaWithin(given: IDataObject): IDataObject {
	const names = Object.keys(given).filter((name) => !AROUND_FIELDS.includes(name));
	const isAlone = names.length === 1;
	const listed = isAlone && OF_FIELDS.includes(names[0]) && schemaOfList(given[names[0]]);
	if (listed) return listed;
	const named = isAlone && NAMED.includes(names[0]) ? Object.values(given[names[0]] ?? {}) : [];
	if (named.length === 1 && isWhole(named[0])) return schemaWithin(named[0]);
	const wrapper = [...WRAPPERS, ...AROUND, ...(isAlone ? ['fields', 'columns'] : [])].find(
		(name) => name in given,
	);
	const inside = wrapper === undefined ? undefined : given[wrapper];
	const inner = schemaOfList(inside) ?? (typeof inside === 'string' ? jsonIn(inside) : inside);
	// A field may well be called "format".
	const isField = AROUND.includes(wrapper!) && isObject(inner) && isSchema(inner);
	if (isObject(inner) && !isField && (isAlone || !isSchema(given))) {
		const within = schemaWithin(inner);
		if (isSchema(within)) return within;
		if (areTypes(within)) return schemaOf(within);
	}
	const types = Object.values(given).map((one) =>
		isObject(one) ? [one.type].flat()[0] : undefined,
	);
	// An unknown type among known ones is a mistake to tell of.
	const areSchemas = types.some((type) => typeof type === 'string' && isType(type));
	const areNamed = types.every((type) => typeof type === 'string');
	return areSchemas && areNamed ? { type: 'object', properties: given } : given;
}

/** Keywords of JSON Schema that say nothing about the content of a result. */
const ABOUT = ['$schema', '$id', '$defs', 'definitions', 'title', 'description', 'required'];

/** Whether a schema allows a result to contain anything. */
function hasFields(schema: unknown): boolean {
	if (!isObject(schema)) return schema === true;
	const { properties, items } = schema;
	const silent = properties === undefined ? ABOUT : [...ABOUT, 'type', 'additionalProperties'];
	if (items !== undefined) return [items].flat().some(hasFields);
	return Object.entries(schema).some(([word, said]) =>
		word === 'properties' ? hasContent(said) : !silent.includes(word),
	);
}

/** Returns the error for a schema without fields. */
export const noFields = (place: Place) =>
	invalid(place, 'has no fields', 'Name at least one field: the result would have nothing in it.');

/** Returns a schema whose types are those of JSON Schema, however they were written. */
function withTypes(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withTypes);
	if (typeof schema === 'string') return namedType(schema) ?? schema;
	if (!isObject(schema)) return schema;
	const { type } = schema;
	// The type of a field may be that of a list, or none.
	const typed = typeof type === 'string' && !TYPES.includes(type) ? namedType(type) : undefined;
	const whole = typed === undefined ? schema : { ...typed, ...without(schema, 'type') };
	const mapped = Object.entries(whole).map(([word, said]): [string, unknown] => {
		if (word === 'type') return [word, Array.isArray(said) ? said.map(typeOf) : typeOf(said)];
		if (isObject(said) && OF_SCHEMAS.includes(word)) {
			const named = Object.entries(said).map(([name, one]) => [name, withTypes(one)]);
			return [word, Object.fromEntries(named)];
		}
		if (word === 'items' && areTypes(said)) return [word, schemaOf(said)];
		return [
			word,
			[...OF_LISTS, 'items', 'additionalProperties'].includes(word) ? withTypes(said) : said,
		];
	});
	return withRequired(Object.fromEntries(mapped) as IDataObject);
}

/** Returns a schema with its required fields in a list, in place of `"required": true` at each of them. */
function withRequired(schema: IDataObject): IDataObject {
	const { properties, required } = schema;
	if (!isObject(properties)) return schema;
	const fields = Object.entries(properties).map(([name, field]): [string, unknown, boolean] => {
		const isMarked =
			isObject(field) && [field.required, field.optional].some((one) => typeof one === 'boolean');
		return [
			name,
			isMarked ? without(field, 'required', 'optional') : field,
			isMarked && field.required === true,
		];
	});
	const marked = fields.filter(([, , isMarked]) => isMarked).map(([name]) => name);
	const plain = { ...schema, properties: Object.fromEntries(fields) as IDataObject };
	if (marked.length === 0) return plain;
	return {
		...plain,
		required: [...new Set([...(Array.isArray(required) ? required : []), ...marked])] as string[],
	};
}

/** Matches half of a character, with which services accept no name. */
export const HALVED = /\p{Cs}/u;

/**
 * Throws for schemas that no service accepts: those with an unknown type, or with properties or items that aren't
 * schemas.
 */
function checkSchema(schema: unknown, place: Place): void {
	if (typeof schema === 'boolean') return;
	const reject = (problem: string): never => {
		throw invalid(
			place,
			problem,
			'A JSON Schema describes the shape, e.g. { "type": "object", "properties": { "price": { "type": "number" } } }. To give a result instead, choose Example Object.',
		);
	};
	if (!isObject(schema)) return reject(`has ${quoted(schema)} where a schema belongs`);
	const { type, properties, required, items } = schema;
	const odd =
		type === undefined ? undefined : [type].flat().find((one) => !TYPES.includes(one as string));
	if (odd !== undefined)
		reject(`has the type ${quoted(odd)}, which is none of ${TYPES.join(', ')}`);
	if (properties !== undefined && !isObject(properties))
		reject('has "properties" that are not an object');
	if (required !== undefined && !Array.isArray(required))
		reject('has a "required" that is not a list');
	if (Object.keys(properties ?? {}).some((name) => HALVED.test(name)))
		reject('has a name with a part of a character in it');
	for (const child of Object.values((properties ?? {}) as IDataObject)) checkSchema(child, place);
	if (items !== undefined) for (const child of [items].flat()) checkSchema(child, place);
}

/** Whether an object is no example, but a schema: its parts are schemas, too, or stand elsewhere in it. */
function isWritten(given: IDataObject): boolean {
	const { type, properties } = given;
	if (isOfZod(given)) return true;
	if (isObject(properties) && hasContent(properties)) {
		const isOfObject = [type].flat().some((one) => typeOf(one) === 'object');
		return isOfObject || (type === undefined && Object.values(properties).every(isType));
	}
	const parts = OF_LISTS.flatMap((word) => given[word] ?? []);
	if (parts.length > 0) return parts.every(isType);
	return typeof given.$ref === 'string' && NAMED.some((word) => isObject(given[word]));
}

function readExample(entered: unknown, place: Place): IDataObject | undefined {
	const given = checkedJson(entered, place);
	if (isEmpty(given)) return undefined;
	const example = asSent(given, null);
	// A schema entered in the wrong field.
	if (isObject(example) && (isWritten(example) || schemaWithin(example) !== example)) {
		return writtenSchema(example, place);
	}
	const isOfObjects = Array.isArray(example) && example.every(isObject);
	const listed = isOfObjects ? schemaOfList(example) : undefined;
	if (listed !== undefined) return listed;
	if (isObject(example) || isOfObjects) {
		if (![example].flat().some(hasContent)) throw noFields(place);
		return schemaOf(example);
	}
	throw invalid(
		place,
		`is ${quoted(given)}, but must be an object or a list of objects`,
		'Paste one result as you want it, in curly brackets.',
	);
}

/** Returns the JSON Schema of an example value; a list gets that of its first entry, with the fields of the others. */
export function schemaOf(example: unknown): IDataObject {
	if (Array.isArray(example)) {
		if (example.length === 0) return { type: 'array' };
		const areObjects = example.length > 1 && example.every(isObject);
		return { type: 'array', items: areObjects ? schemaOfAll(example) : schemaOf(example[0]) };
	}
	if (typeof example === 'object' && example !== null) {
		const properties = Object.fromEntries(
			Object.entries(example).map(([name, value]) => [name, schemaOf(value)]),
		);
		return { type: 'object', properties, required: Object.keys(properties) };
	}
	// A null in an example doesn't reveal the type, but services want one.
	if (example === null) return { type: ['string', 'null'] };
	return (typeof example === 'string' && namedType(example)) || { type: typeof example };
}

/** Returns the schema of several examples of one thing; the fields that all of them have are required. */
function schemaOfAll(examples: IDataObject[]): IDataObject {
	const schema = schemaOf(Object.assign({}, ...examples.toReversed()));
	const required = Object.keys(examples[0]).filter((name) => examples.every((one) => name in one));
	return { ...schema, required };
}

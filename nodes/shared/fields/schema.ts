import type { IDataObject } from 'n8n-workflow';

import { below, hasExpression, invalid, isEmpty, emptyError, quoted } from '../form/checks';
import { checkedJson, parsedObject } from '../form/json';
import { composeEntry } from '../form/compose';
import {
	type Choice,
	type Rest,
	booleanField,
	choiceField,
	groupField,
	jsonField,
	textField,
} from '../form/controls';
import type { Field, Place, Wire } from '../form/field';
import { asSent, hasContent, isObject, without } from '../base/json';

const fieldType = choiceField('type', 'Type', {
	default: 'string',
	choices: [
		['string', 'Text'],
		['number', 'Number'],
		['integer', 'Whole Number'],
		['boolean', 'True or False'],
		['string[]', 'List of Texts'],
		['number[]', 'List of Numbers'],
		['object[]', 'List of Objects'],
		['object', 'Object'],
	],
	wire: { required: true },
});

const rowFields: Field[] = [
	// n8n itself would not run a node with an empty one.
	textField('name', 'Name', { placeholder: 'e.g. price', wire: { required: true } }),
	fieldType,
	textField('description', 'Description', { placeholder: 'e.g. Price in euros, without VAT' }),
	booleanField('required', 'Required', {
		description: 'Whether every result must have this field',
		// Otherwise, errors of the service about the schema's "required" would name this field.
		wire: { as: 'isRequired' },
	}),
];

/** Returns the name of the dropdown or of a field that one of its choices shows. */
type Naming = (part: 'from' | 'fields' | 'example' | 'json') => string;

interface SchemaForm extends Rest {
	/** Description of a choice for no schema. If set, that choice is added and is the default. */
	none?: string;
}

/** Returns a dropdown and the fields that its choices show, each of which has the schema as its value. */
function ways(
	displayName: string,
	named: Naming,
	{ none, description, displayOptions, wire }: SchemaForm,
	isReady: boolean,
): Field[] {
	const way = (value: string, make: Wire['value']) => ({
		displayOptions: { show: { ...displayOptions?.show, [named('from')]: [value] } },
		wire: { ...wire, value: make },
	});
	return [
		choiceField(named('from'), displayName, {
			default: none === undefined ? 'fields' : 'none',
			choices: [
				...(none === undefined ? [] : [['none', 'None', none] satisfies Choice]),
				['fields', 'List of Fields', 'Name each field and say what belongs in it'],
				[
					'example',
					'Example Object',
					'Paste one result as you want it; the types are taken from it',
				],
				['json', 'JSON Schema', 'Write the schema yourself, for lists of objects and rules'],
			],
			description,
			displayOptions,
			// The service's errors about the schema refer to this field.
			wire: isReady ? { as: wire?.as, put: () => undefined } : { required: true },
		}),
		{
			...groupField(named('fields'), 'Fields', {
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field', sortable: true },
				placeholder: 'Add Field',
				description: 'What each result has',
				group: ['field', 'Field'],
				values: rowFields,
				...way('fields', schemaOfFields),
			}),
			...(isReady && { default: { field: [{}] } }),
			// The row shown from the start may stay empty.
			...((!isReady || none !== undefined) && { required: true }),
		},
		jsonField(named('example'), 'Example Object', {
			typeOptions: { rows: 5 },
			required: true,
			description: 'One result as you want it',
			placeholder: 'e.g. { "name": "Desk lamp", "price": 39.9, "tags": ["led"] }',
			...way('example', schemaOfExample),
		}),
		jsonField(named('json'), 'JSON Schema', {
			typeOptions: { rows: 5 },
			required: true,
			description: 'The schema of a result',
			placeholder: 'e.g. { "type": "object", "properties": { "price": { "type": "number" } } }',
			...way('json', writtenSchema),
		}),
	];
}

/**
 * Returns the fields for a JSON Schema given as a list of fields, with an empty first row, as an example object or as
 * JSON Schema.
 */
export function schemaFields(name: string, displayName: string, form: SchemaForm): Field[] {
	const named: Naming = (part) => `${name}${part[0].toUpperCase()}${part.slice(1)}`;
	return ways(displayName, named, { ...form, wire: { as: name, ...form.wire } }, true);
}

const nested = ways('Define By', (part) => part, {}, false);

/** Returns the same for a collection, where the form must be added first and n8n can't show an empty row. */
export function schemaField(name: string, displayName: string, rest: Rest): Field {
	return groupField(name, displayName, {
		...rest,
		placeholder: 'Add Schema',
		group: ['schema', 'Schema'],
		values: nested,
		wire: { value: schema, ...rest.wire },
	});
}

function schema(entered: unknown, place: Place): IDataObject | undefined {
	const { schema: entry } = entered as { schema?: IDataObject };
	if (entry === undefined) throw emptyError(place);
	const made = without(composeEntry(nested, { from: 'fields', ...entry }, place), 'from');
	return Object.values(made)[0] as IDataObject;
}

function writtenSchema(entered: unknown, place: Place): IDataObject | undefined {
	const given = parsedObject(entered, place) as IDataObject | undefined;
	if (given === undefined) return undefined;
	if (hasContent(given) && !KEYWORDS.some((keyword) => keyword in given)) {
		return schemaOfExample(given, place);
	}
	checkSchema(given, place);
	if (!hasFields(given)) throw noFields(place);
	// Many tools write the dialect's name, but services reject all but draft-07.
	return without(given, '$schema');
}

/** Words of JSON Schema, one of which each schema has; an object without any is an example. */
const KEYWORDS = [
	...['$schema', '$id', '$ref', '$defs', 'definitions', 'type', 'properties', 'items', 'enum'],
	...['const', 'anyOf', 'oneOf', 'allOf', 'not', 'required', 'additionalProperties'],
	...['patternProperties', 'prefixItems', 'format', 'pattern'],
];

/** Words of JSON Schema that say nothing of what a result has. */
const ABOUT = ['$schema', '$id', '$defs', 'definitions', 'title', 'description', 'required'];

/** Returns whether a schema lets a result have anything in it. */
function hasFields(schema: unknown): boolean {
	if (!isObject(schema)) return schema === true;
	const { properties, items } = schema;
	const silent = properties === undefined ? ABOUT : [...ABOUT, 'type', 'additionalProperties'];
	if (items !== undefined) return [items].flat().some(hasFields);
	return Object.entries(schema).some(([word, said]) =>
		word === 'properties' ? hasContent(said) : !silent.includes(word),
	);
}

const noFields = (place: Place) =>
	invalid(place, 'has no fields', 'Name at least one field: the result would have nothing in it.');

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Throws for schemas that no service accepts: an unknown type, or properties and items that aren't schemas. */
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
	if (odd !== undefined) reject(`has the type ${quoted(odd)}, which JSON Schema does not know`);
	if (properties !== undefined && !isObject(properties))
		reject('has "properties" that are not an object');
	if (required !== undefined && !Array.isArray(required))
		reject('has a "required" that is not a list');
	for (const child of Object.values((properties ?? {}) as IDataObject)) checkSchema(child, place);
	if (items !== undefined) for (const child of [items].flat()) checkSchema(child, place);
}

function schemaOfExample(entered: unknown, place: Place): IDataObject | undefined {
	const given = checkedJson(entered, place);
	if (isEmpty(given)) return undefined;
	const example = asSent(given, null);
	// A schema in the wrong field.
	if (isObject(example) && example.type === 'object' && isObject(example.properties)) {
		return writtenSchema(example, place);
	}
	if (isObject(example) || (Array.isArray(example) && example.every(isObject))) {
		if (![example].flat().some(hasContent)) throw noFields(place);
		return schemaOf(example);
	}
	throw invalid(
		place,
		`is ${quoted(given)}, but must be an object or a list of objects`,
		'Paste one result as you want it, in curly brackets.',
	);
}

function schemaOfFields(entered: unknown, place: Place): IDataObject | undefined {
	const { field: rows = [] } = entered as { field?: IDataObject[] };
	const isReady = rows.length <= 1 && !hasExpression(place.raw);
	if (isReady && rows.every(isUntouched)) return undefined;
	// A map, because a field may be called "constructor" or "__proto__".
	const properties = new Map<string, IDataObject>();
	const required: string[] = [];
	for (const [index, row] of rows.entries()) {
		const at = below(place, `Field ${index + 1}`);
		const entry = composeEntry(rowFields, { type: fieldType.default, ...row }, at);
		const name = String(entry.name).trim();
		if (properties.has(name)) {
			throw invalid(below(at, 'Name'), `is ${quoted(name)} twice`, 'Give each field its own name.');
		}
		properties.set(name, propertyOf(entry));
		if (entry.isRequired === true) required.push(name);
	}
	return {
		type: 'object',
		properties: Object.fromEntries(properties),
		...(required.length > 0 ? { required } : {}),
	};
}

/** Whether a row is as n8n created it. */
function isUntouched(row: IDataObject): boolean {
	return rowFields.every(
		({ name, default: made }) => row[name] === undefined || row[name] === made,
	);
}

function propertyOf(entry: IDataObject): IDataObject {
	const type = String(entry.type);
	const { description } = entry;
	return {
		...(type.endsWith('[]') ? { type: 'array', items: { type: type.slice(0, -2) } } : { type }),
		...(description !== undefined && { description }),
	};
}

/** Returns the JSON Schema of an example value; a list gets the schema of its first entry. */
export function schemaOf(example: unknown): IDataObject {
	if (Array.isArray(example)) {
		return { type: 'array', ...(example.length > 0 ? { items: schemaOf(example[0]) } : {}) };
	}
	if (typeof example === 'object' && example !== null) {
		const properties = Object.fromEntries(
			Object.entries(example).map(([name, value]) => [name, schemaOf(value)]),
		);
		return { type: 'object', properties, required: Object.keys(properties) };
	}
	// A null in an example says nothing about the type, so any is allowed.
	if (example === null) return {};
	return (typeof example === 'string' && namedType(example)) || { type: typeof example };
}

/** Words that people and models write in an example for a type, and the type of JSON Schema that each means. */
const TYPE_WORDS: Record<string, string> = {
	...Object.fromEntries(TYPES.map((type) => [type, type])),
	...{ int: 'integer', float: 'number', double: 'number', bool: 'boolean', list: 'array' },
};

/** Returns the schema that a type's name stands for, such as `number` and `string[]`; undefined for other texts. */
function namedType(text: string): IDataObject | undefined {
	const [, word, list] = /^(\w+?)(\[\])?$/.exec(text.trim().toLowerCase()) ?? [];
	if (word === undefined || !Object.hasOwn(TYPE_WORDS, word) || word === 'null') return undefined;
	const named = { type: TYPE_WORDS[word] };
	return list === undefined ? named : { type: 'array', items: named };
}

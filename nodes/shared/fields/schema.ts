import type { IDataObject } from 'n8n-workflow';

import {
	below,
	checkedBoolean,
	checkedChoice,
	checkedJson,
	checkedText,
	invalid,
	isEmpty,
	missing,
	parsedObject,
	quoted,
} from '../form/checks';
import { type Rest, booleanField, choiceField, textField } from '../form/controls';
import type { Field, Place } from '../form/field';
import { asSent, isObject } from '../json';

interface SchemaRow {
	name?: unknown;
	type?: unknown;
	description?: unknown;
	required?: unknown;
}

interface SchemaEntry {
	from?: unknown;
	fields?: { field?: SchemaRow[] };
	example?: unknown;
	jsonSchema?: unknown;
}

const defineBy = choiceField('from', 'Define By', {
	default: 'fields',
	choices: [
		['fields', 'List of Fields', 'Name each field and say what belongs in it'],
		['example', 'Example Object', 'Paste one result as you want it; the types are taken from it'],
		['jsonSchema', 'JSON Schema', 'Write the schema yourself, for lists of objects and rules'],
	],
});

const fieldName = textField('name', 'Name', {
	required: true,
	placeholder: 'e.g. price',
});

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
});

const fieldDescription = textField('description', 'Description', {
	placeholder: 'e.g. Price in euros, without VAT',
});

const fieldRequired = booleanField('required', 'Required', {
	description: 'Whether every result must have this field',
});

const listOfFields: Field = {
	displayName: 'Fields',
	name: 'fields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field', sortable: true },
	default: {},
	required: true,
	placeholder: 'Add Field',
	displayOptions: { show: { from: ['fields'] } },
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [fieldName, fieldType, fieldDescription, fieldRequired],
		},
	],
};

const exampleObject: Field = {
	displayName: 'Example Object',
	name: 'example',
	type: 'json',
	typeOptions: { rows: 5 },
	default: '',
	required: true,
	placeholder: 'e.g. { "name": "Desk lamp", "price": 39.9, "tags": ["led"] }',
	displayOptions: { show: { from: ['example'] } },
};

const writtenSchema: Field = {
	displayName: 'JSON Schema',
	name: 'jsonSchema',
	type: 'json',
	typeOptions: { rows: 5 },
	default: '',
	required: true,
	placeholder: 'e.g. { "type": "object", "properties": { "price": { "type": "number" } } }',
	displayOptions: { show: { from: ['jsonSchema'] } },
};

/** Takes a JSON Schema as a list of fields, an example object or JSON Schema, and sends one schema object. */
export function schemaField(name: string, displayName: string, rest: Rest): Field {
	return {
		displayName,
		name,
		...rest,
		type: 'fixedCollection',
		default: {},
		placeholder: 'Add Schema',
		wire: { value: schema, ...rest.wire },
		options: [
			{
				displayName: 'Schema',
				name: 'schema',
				values: [defineBy, listOfFields, exampleObject, writtenSchema],
			},
		],
	};
}

function schema(entered: unknown, place: Place): IDataObject | undefined {
	const entry = (entered as { schema?: SchemaEntry }).schema;
	if (entry === undefined) return undefined;
	switch (chosen(defineBy, entry.from, place)) {
		case 'example':
			return schemaOfExample(entry.example, below(place, exampleObject.displayName));
		case 'jsonSchema': {
			const at = below(place, writtenSchema.displayName);
			const given = parsedObject(entry.jsonSchema, at) as IDataObject | undefined;
			if (given === undefined) throw missing(at);
			checkSchema(given, at);
			return withoutDialect(given);
		}
		default:
			return schemaOfFields(entry.fields?.field ?? [], below(place, listOfFields.displayName));
	}
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Rejects schemas that no service accepts: an unknown type, or properties and items that aren't schemas. */
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

/** Removes the dialect's name, which many tools write: services reject all but draft-07. */
function withoutDialect({ $schema: _dialect, ...schema }: IDataObject): IDataObject {
	return schema;
}

/** Gives a row's choice, or the form's default if the row has none. Throws if an expression gave nothing. */
function chosen(field: Field, entered: unknown, place: Place): unknown {
	const at = below(place, field.displayName);
	if (entered === undefined) return field.default;
	if (isEmpty(entered)) throw missing(at);
	return checkedChoice(field, entered, at);
}

function schemaOfExample(entered: unknown, place: Place): IDataObject {
	const given = checkedJson(entered, place);
	if (isEmpty(given)) throw missing(place);
	const example = asSent(given, null);
	if (isObject(example) || (Array.isArray(example) && example.every(isObject))) {
		return schemaOf(example);
	}
	throw invalid(
		place,
		`is ${quoted(given)}, but must be an object or a list of objects`,
		'Paste one result as you want it, in curly brackets.',
	);
}

function schemaOfFields(rows: SchemaRow[], place: Place): IDataObject {
	if (rows.length === 0) throw missing(place);
	// A map, because a field may be called "constructor" or "__proto__".
	const properties = new Map<string, IDataObject>();
	const required: string[] = [];
	rows.forEach((row, index) => {
		const at = below(place, `Field ${index + 1}`);
		const nameAt = below(at, fieldName.displayName);
		if (isEmpty(row.name)) throw missing(nameAt);
		const name = checkedText(fieldName, row.name, nameAt).trim();
		if (properties.has(name)) {
			throw invalid(nameAt, `is ${quoted(name)} twice`, 'Give each field its own name.');
		}
		properties.set(name, propertyOf(row, at));
		const isRequired =
			!isEmpty(row.required) && checkedBoolean(row.required, below(at, fieldRequired.displayName));
		if (isRequired) required.push(name);
	});
	return {
		type: 'object',
		properties: Object.fromEntries(properties),
		...(required.length > 0 ? { required } : {}),
	};
}

function propertyOf(row: SchemaRow, place: Place): IDataObject {
	const type = chosen(fieldType, row.type, place) as string;
	const description = isEmpty(row.description)
		? ''
		: checkedText(fieldDescription, row.description, below(place, fieldDescription.displayName));
	return {
		...(type.endsWith('[]') ? { type: 'array', items: { type: type.slice(0, -2) } } : { type }),
		...(description === '' ? {} : { description }),
	};
}

/** Derives the JSON Schema of an example value; a list takes the schema of its first entry. */
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
	return { type: typeof example };
}

import type { IDataObject } from 'n8n-workflow';

import {
	below,
	checkedChoice,
	invalid,
	isEmpty,
	missing,
	parsedJson,
	parsedObject,
} from '../form/checks';
import type { Field, Place } from '../form/field';

interface SchemaEntry {
	from?: 'fields' | 'example' | 'jsonSchema';
	fields?: {
		field?: Array<{ name?: unknown; type?: string; description?: string; required?: boolean }>;
	};
	example?: unknown;
	jsonSchema?: unknown;
}

const defineBy: Field = {
	displayName: 'Define By',
	name: 'from',
	type: 'options',
	default: 'fields',
	options: [
		{
			name: 'List of Fields',
			value: 'fields',
			description: 'Name each field and say what belongs in it',
		},
		{
			name: 'Example Object',
			value: 'example',
			description: 'Paste one result as you want it; the types are taken from it',
		},
		{
			name: 'JSON Schema',
			value: 'jsonSchema',
			description: 'Write the schema yourself, for lists of objects and rules',
		},
	],
};

/** The everyday types first. */
const typeChoices = [
	{ name: 'Text', value: 'string' },
	{ name: 'Number', value: 'number' },
	{ name: 'Whole Number', value: 'integer' },
	{ name: 'True or False', value: 'boolean' },
	{ name: 'List of Texts', value: 'string[]' },
	{ name: 'List of Numbers', value: 'number[]' },
	{ name: 'List of Objects', value: 'object[]' },
	{ name: 'Object', value: 'object' },
];

const fieldType: Field = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	default: 'string',
	options: typeChoices,
};

/**
 * A JSON Schema given as a list of fields, from an example object, or as JSON Schema.
 * Sent as one JSON Schema object under the field's wire name.
 */
export function schemaField(field: {
	displayName: string;
	name: string;
	description: string;
	wire?: Field['wire'];
	displayOptions?: Field['displayOptions'];
	required?: boolean;
}): Field {
	return {
		displayName: field.displayName,
		name: field.name,
		type: 'fixedCollection',
		default: {},
		placeholder: 'Add Schema',
		description: field.description,
		displayOptions: field.displayOptions,
		required: field.required,
		wire: { value: schema, ...field.wire },
		options: [
			{
				displayName: 'Schema',
				name: 'schema',
				values: [
					defineBy,
					{
						displayName: 'Fields',
						name: 'fields',
						type: 'fixedCollection',
						typeOptions: {
							multipleValues: true,
							multipleValueButtonText: 'Add Field',
							sortable: true,
						},
						default: {},
						required: true,
						placeholder: 'Add Field',
						displayOptions: { show: { from: ['fields'] } },
						options: [
							{
								displayName: 'Field',
								name: 'field',
								values: [
									{
										displayName: 'Name',
										name: 'name',
										type: 'string',
										default: '',
										required: true,
										placeholder: 'e.g. price',
									},
									fieldType,
									{
										displayName: 'Description',
										name: 'description',
										type: 'string',
										default: '',
										placeholder: 'e.g. Price in euros, without VAT',
									},
									{
										displayName: 'Required',
										name: 'required',
										type: 'boolean',
										default: false,
										description: 'Whether every result must have this field',
									},
								],
							},
						],
					},
					{
						displayName: 'Example Object',
						name: 'example',
						type: 'json',
						typeOptions: { rows: 5 },
						default: '',
						required: true,
						placeholder: 'e.g. { "name": "Desk lamp", "price": 39.9, "tags": ["led"] }',
						displayOptions: { show: { from: ['example'] } },
					},
					{
						displayName: 'JSON Schema',
						name: 'jsonSchema',
						type: 'json',
						typeOptions: { rows: 5 },
						default: '',
						required: true,
						placeholder:
							'e.g. { "type": "object", "properties": { "price": { "type": "number" } } }',
						displayOptions: { show: { from: ['jsonSchema'] } },
					},
				],
			},
		],
	};
}

function schema(entered: unknown, place: Place): IDataObject | undefined {
	const entry = (entered as { schema?: SchemaEntry }).schema;
	if (entry === undefined) return undefined;
	const from = checkedChoice(
		defineBy,
		entry.from ?? defineBy.default,
		below(place, defineBy.displayName),
	);
	if (from === 'example') {
		const at = below(place, 'Example Object');
		const example = parsedJson(entry.example, at);
		if (isEmpty(example)) throw missing(at);
		if (typeof example === 'object') return schemaOf(example);
		throw invalid(
			at,
			`is "${String(example).slice(0, 60)}", but must be an object or a list of objects`,
			'Paste one result as you want it, in curly brackets.',
		);
	}
	if (from === 'jsonSchema') {
		const at = below(place, 'JSON Schema');
		const given = parsedObject(entry.jsonSchema, at);
		if (given === undefined) throw missing(at);
		return given as IDataObject;
	}
	return schemaOfFields(entry.fields?.field ?? [], below(place, 'Fields'));
}

function schemaOfFields(
	rows: NonNullable<NonNullable<SchemaEntry['fields']>['field']>,
	place: Place,
): IDataObject {
	if (rows.length === 0) throw missing(place);
	// A map, because a field may be called "constructor" or "__proto__".
	const properties = new Map<string, IDataObject>();
	const required: string[] = [];
	rows.forEach((row, index) => {
		const rowPlace = below(place, `Field ${index + 1}`);
		const at = below(rowPlace, 'Name');
		const name = String(row.name ?? '').trim();
		if (name === '') throw missing(at);
		if (properties.has(name)) {
			throw invalid(at, `is "${name}" twice`, 'Give each field its own name.');
		}
		const chosen = row.type ?? fieldType.default;
		const type = checkedChoice(fieldType, chosen, below(rowPlace, fieldType.displayName)) as string;
		const isList = type.endsWith('[]');
		properties.set(name, {
			...(isList ? { type: 'array', items: { type: type.slice(0, -2) } } : { type }),
			...(row.description ? { description: row.description } : {}),
		});
		if (row.required) required.push(name);
	});
	return {
		type: 'object',
		properties: Object.fromEntries(properties),
		...(required.length > 0 ? { required } : {}),
	};
}

/** The JSON Schema that an example value has; a list takes the schema of its first entry. */
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
	// A null in an example says nothing of the type, so any is allowed.
	if (example === null) return {};
	return { type: typeof example };
}

import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../../nodes/shared/form/field';
import { schemaField, schemaFields } from '../../../nodes/shared/fields/schema';
import { schemaOf } from '../../../nodes/shared/fields/writtenSchema';
import { bodyOf, composed, errorOf } from '../../support/form';

const field = schemaField('schema', 'Schema', {});
const made = (schema: IDataObject) => bodyOf(field, { schema }).schema;
const byFields = (...rows: IDataObject[]) => made({ from: 'fields', fields: { field: rows } });

describe('a schema by fields', () => {
	it('has names, types, descriptions and what is required', () => {
		expect(
			byFields(
				{ name: 'name', type: 'string', description: '', required: true },
				{ name: ' price ', type: 'number', description: 'In euros', required: false },
				{ name: 'tags', type: 'string[]' },
				{ name: 'rows', type: 'object[]', fields: { field: [{ name: 'x' }] }, required: true },
				{ name: 'kind' },
			),
		).toEqual({
			type: 'object',
			properties: {
				name: { type: 'string' },
				price: { type: 'number', description: 'In euros' },
				tags: { type: 'array', items: { type: 'string' } },
				rows: {
					type: 'array',
					items: { type: 'object', properties: { x: { type: 'string' } } },
				},
				kind: { type: 'string' },
			},
			required: ['name', 'rows'],
		});
	});

	it('names the fields of objects, too, as without them nothing would come back', () => {
		const fields = {
			field: [
				{ name: 'author', required: true },
				{ name: 'stars', type: 'number', description: '1 to 5' },
			],
		};
		const of = {
			type: 'object',
			properties: { author: { type: 'string' }, stars: { type: 'number', description: '1 to 5' } },
			required: ['author'],
		};
		const rows = [
			{ name: 'best', type: 'object', description: 'The best one', fields },
			{ name: 'all', type: 'object[]', fields },
			// What n8n keeps of a field that has become text again.
			{ name: 'text', type: 'string', fields },
		];
		expect(byFields(...rows)).toEqual({
			type: 'object',
			properties: {
				best: { ...of, description: 'The best one' },
				all: { type: 'array', items: of },
				text: { type: 'string' },
			},
		});
	});

	it.each<[type: string, fields: IDataObject | undefined, message: string]>([
		...['object', 'object[]'].flatMap((type): Array<[string, IDataObject | undefined, string]> => [
			[type, undefined, 'Fields of the Object is empty'],
			[type, {}, 'Fields of the Object is empty'],
			[type, { field: [] }, 'Fields of the Object is empty'],
			[type, { field: [{ name: '', type: 'string' }] }, 'Fields of the Object is empty'],
		]),
		['object', { field: [{ name: 'a' }, { name: 'a' }] }, 'Name is "a" twice'],
		['object', { field: [{ name: 'a', type: 'object' }] }, 'Type is "object", which'],
	])('does not take the type %s with the fields %j', (type, fields, message) => {
		const row = { name: 'a', type, ...(fields && { fields }) };
		expect(errorOf(() => byFields(row)).message).toContain(message);
	});

	it('takes "true" and "false" for what they say', () => {
		expect(
			byFields(
				{ name: 'a', required: 'false' },
				{ name: 'b', required: 'true' },
				{ name: 'c', required: null },
			),
		).toHaveProperty('required', ['b']);
		expect(errorOf(() => byFields({ name: 'a', required: 'maybe' })).message).toBe(
			'Required is "maybe", which is neither true nor false',
		);
	});

	it('describes a field in text, also where an expression gives a number', () => {
		expect(byFields({ name: 'a', description: 5 })).toHaveProperty('properties.a.description', '5');
		expect(byFields({ name: 'a', description: null })).toHaveProperty('properties.a', {
			type: 'string',
		});
		expect(errorOf(() => byFields({ name: 'a', description: { x: 1 } })).message).toBe(
			'Description is "{"x":1}", which is not text',
		);
	});

	it('does not take null for a choice', () => {
		expect(errorOf(() => byFields({ name: 'a', type: null })).message).toBe('Type is empty');
		expect(errorOf(() => made({ from: null })).message).toBe('Define By is empty');
	});

	it('leaves required out where nothing is', () => {
		expect(byFields({ name: 'a' })).not.toHaveProperty('required');
	});

	it('takes any name', () => {
		const text = JSON.stringify(
			byFields({ name: 'constructor' }, { name: 'toString' }, { name: '__proto__' }),
		);
		expect(Object.keys(JSON.parse(text).properties as object)).toEqual([
			'constructor',
			'toString',
			'__proto__',
		]);
	});

	it('rejects a field without a name, twice the same, of no known type, and none at all', () => {
		expect(errorOf(() => byFields({ name: 'a' }, { name: ' ' })).message).toBe('Name is empty');
		expect(errorOf(() => byFields({ type: 'number' })).message).toBe('Name is empty');
		const twice = errorOf(() => byFields({ name: 'a' }, { name: 'a' }));
		expect(twice.message).toBe('Name is "a" twice');
		expect(twice.description).toContain('Schema → Fields → Field 2 → Name');
		expect(twice.description).toContain('Give each field its own name.');
		expect(errorOf(() => byFields({ name: 'a', type: 'word' })).message).toBe(
			'Type is "word", which is not one of its choices',
		);
		expect(errorOf(() => byFields({ name: 'a\ud800' })).message).toBe(
			'Name has a part of a character in it',
		);
		expect(() => byFields({ name: '😀' })).not.toThrow();
		for (const type of ['list', 'array', 'List']) {
			expect(errorOf(() => byFields({ name: 'a', type })).message).toBe(
				`Type is "${type}", which is not one of its choices`,
			);
		}
		expect(errorOf(() => byFields()).message).toBe('Fields is empty');
		expect(errorOf(() => made({ from: 'fields', fields: {} })).message).toBe('Fields is empty');
		expect(errorOf(() => made({ from: 'fields' })).message).toBe('Fields is empty');
	});
});

describe('a schema in the form itself', () => {
	const ready = schemaFields('schema', 'Schema', {});
	const optional = schemaFields('schema', 'Schema', { none: 'Any' });
	const row = { name: '', type: 'string', description: '', required: false };
	const sent = (fields: Field[], values: IDataObject) => composed(fields, values).body;

	it('has a row that stands ready, as n8n stores it, and may stay as it is', () => {
		expect(ready[1].default).toEqual({ field: [{}] });
		expect(sent(ready, {})).toEqual({});
		expect(sent(ready, { schemaFields: { field: [{}] } })).toEqual({});
		expect(sent(ready, { schemaFrom: 'fields', schemaFields: { field: [row] } })).toEqual({});
	});

	it('takes the row that was filled in, an example or a schema', () => {
		const properties = { price: { type: 'number' } };
		const schemaFields = { field: [{ ...row, name: 'price', type: 'number' }] };
		for (const values of [
			{ schemaFields },
			{ schemaFrom: 'json', schemaJson: JSON.stringify({ type: 'object', properties }) },
			{ schemaFrom: 'example', schemaExample: '{ "price": 1 }' },
		]) {
			expect(sent(ready, values)).toMatchObject({ schema: { type: 'object', properties } });
		}
	});

	it('rejects a row without a name, and a choice that was left empty', () => {
		const unnamed = { schemaFields: { field: [{ ...row, type: 'number' }] } };
		expect(errorOf(() => sent(ready, unnamed)).description).toContain('Fields → Field 1 → Name');
		expect(errorOf(() => sent(ready, { schemaFrom: 'example' })).message).toBe(
			'Example Object is empty',
		);
		expect(errorOf(() => sent(optional, { schemaFrom: 'fields' })).message).toBe('Fields is empty');
		expect(sent(optional, {})).toEqual({});
	});
});

describe('a schema by example', () => {
	it.each(['[1,2]', '[{"a":1},2]', '[[1]]'])(
		'rejects %s, which is no list of objects',
		(example) => {
			expect(errorOf(() => made({ from: 'example', example })).message).toBe(
				`Example Object is "${example}", but must be an object or a list of objects`,
			);
		},
	);

	it('is what the example shows', () => {
		expect(
			made({
				from: 'example',
				example: '{"name":"Lamp","price":39.9,"n":2,"on":true,"tags":["a"]}',
			}),
		).toEqual({
			type: 'object',
			properties: {
				name: { type: 'string' },
				price: { type: 'number' },
				n: { type: 'number' },
				on: { type: 'boolean' },
				tags: { type: 'array', items: { type: 'string' } },
			},
			required: ['name', 'price', 'n', 'on', 'tags'],
		});
	});

	it('goes into lists and objects, and has text or null for a null', () => {
		expect(schemaOf({ a: [{ b: null }], c: [] })).toEqual({
			type: 'object',
			properties: {
				a: {
					type: 'array',
					items: {
						type: 'object',
						properties: { b: { type: ['string', 'null'] } },
						required: ['b'],
					},
				},
				c: { type: 'array' },
			},
			required: ['a', 'c'],
		});
	});

	it('has a date as text, and what an expression gave no value as anything', () => {
		const example = { at: new Date(0), price: undefined };
		const entered = { schema: { from: 'example', example } };
		const { schema } = composed([field], { schema: entered as never }).body;
		expect(schema).toMatchObject({ properties: { at: { type: 'string' }, price: {} } });
	});

	it('takes any name', () => {
		expect(JSON.stringify(schemaOf(JSON.parse('{"__proto__":1}')))).toBe(
			'{"type":"object","properties":{"__proto__":{"type":"number"}},"required":["__proto__"]}',
		);
	});

	it('rejects an example that is missing or not JSON', () => {
		for (const example of ['', ' ', 'null', null, undefined]) {
			expect(errorOf(() => made({ from: 'example', example })).message).toBe(
				'Example Object is empty',
			);
		}
		expect(errorOf(() => made({ from: 'example', example: '{a:1}' })).message).toBe(
			'Example Object is not valid JSON: quotes are missing around a',
		);
		const seven = errorOf(() => made({ from: 'example', example: '7' }));
		expect(seven.message).toBe('Example Object is "7", but must be an object or a list of objects');
		expect(seven.description).toContain('in curly brackets');
		const long = errorOf(() => made({ from: 'example', example: `"${'x'.repeat(99)}"` }));
		expect(long.message).toContain(`is "${'x'.repeat(79)}…", but`);
	});
});

describe('a schema as JSON Schema', () => {
	it('is sent as it is, from text or an object', () => {
		const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } };
		expect(made({ from: 'json', json: JSON.stringify(schema) })).toEqual(schema);
		expect(made({ from: 'json', json: schema })).toEqual(schema);
	});

	it('leaves out the name of the dialect at its top', () => {
		const schema = { type: 'object', properties: { $schema: { type: 'string' } } };
		const $schema = 'https://json-schema.org/draft/2020-12/schema';
		const entered = { schema: { from: 'json', json: { $schema, ...schema } } };
		expect(bodyOf(field, entered)).toEqual({ schema });
	});

	const A = { type: 'object', properties: { a: { type: 'string' } } };

	it.each<[string, IDataObject]>([
		['as models wrap it', { schema: A }],
		['as services of models take it', { json_schema: { name: 'x', schema: A } }],
		['without what is around its properties', { a: { type: 'string' } }],
	])('is found %s', (_, json) => {
		expect(made({ from: 'json', json })).toEqual(A);
	});

	it('is not a list of thousands of texts, which is data', () => {
		const json = Array.from({ length: 1_001 }, (_, n) => `field ${n}`);
		const { message } = errorOf(() => made({ from: 'json', json }));
		expect(message).toContain('is an array, but must be a JSON object');
	});

	const B = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } };
	const LIST = [
		{ name: 'a', type: 'text' },
		{ name: 'b', type: 'number' },
	];

	it.each<[string, unknown]>([
		['as a list of fields', LIST],
		['as a list under fields', { fields: LIST }],
		['as a list under columns, with a type', { type: 'object', columns: LIST }],
		['as a list under properties', { type: 'object', properties: LIST }],
		['as fields with types', { fields: { a: 'string', b: 'number' } }],
		['as fields of two wrappers', { schema: { fields: LIST } }],
		['as types in a wrapper', { schema: { a: 'string', b: 'number' } }],
		['as a tool takes it', { name: 'x', input_schema: B }],
		[
			'as an answer of a model',
			{ response_format: { type: 'json_schema', json_schema: { schema: B } } },
		],
		['as text in a wrapper', { schema: JSON.stringify(B) }],
		['as text', JSON.stringify(JSON.stringify(B))],
		['behind the mark of a file', `\ufeff${JSON.stringify(B)}`],
		['as a list as text', JSON.stringify(LIST)],
		['as a list in a wrapper', { schema: LIST }],
		[
			'as a list with other names',
			[
				{ key: 'a', dataType: 'text' },
				{ field: 'b', type: 'number?' },
			],
		],
		[
			'with marks',
			{ a: { type: 'string', optional: true }, b: { type: 'number', required: false } },
		],
	])('is found %s', (_, json) => {
		const { required: none, ...schema } = made({
			from: 'json',
			json: json as IDataObject,
		}) as IDataObject;
		expect(schema).toEqual(B);
		expect(none ?? ['a', 'b']).toEqual(['a', 'b']);
	});

	it.each<[string, IDataObject]>([
		['in options of an older version', { jsonOptions: { schema: B } }],
		['as a setting of a model', { generationConfig: { responseSchema: B } }],
		['as a format of a model', { format: { type: 'json_schema', name: 'x', schema: B } }],
		['in a response of OpenAPI', { content: { 'application/json': { schema: B } } }],
		['among parts of OpenAPI', { openapi: '3.1.0', components: { schemas: { X: B } } }],
		['among definitions', { $defs: { X: B } }],
		['in a name with two words', { jsonSchema: B }],
		['as rows of a form', { field: LIST }],
		[
			'as a record',
			{ type: 'record', name: 'x', fields: [LIST[0], { name: 'b', type: ['null', 'double'] }] },
		],
		['as names with types', { fields: ['a: string', 'b: number'] }],
	])('is found %s, where an example belongs, too', (_, json) => {
		expect(made({ from: 'json', json })).toEqual(B);
		expect(made({ from: 'example', example: json })).toEqual(B);
	});

	it.each<IDataObject>([
		{ $ref: '#/$defs/X', $defs: { X: B } },
		{ allOf: [B] },
		{ oneOf: [B, { type: 'null' }] },
		{ type: ['object', 'null'], properties: B.properties },
		{ properties: B.properties },
		{ properties: B.properties, required: ['a'] },
	])('is no example where one belongs: %j', (schema) => {
		expect(made({ from: 'example', example: schema })).toEqual(schema);
	});

	it.each<[written: string, meant: IDataObject]>([
		['number (in euros)', { type: 'number', description: 'in euros' }],
		['number - in euros', { type: 'number', description: 'in euros' }],
		['number: in euros', { type: 'number', description: 'in euros' }],
		['number // in euros', { type: 'number', description: 'in euros' }],
		[
			'string[] (all of them)',
			{ type: 'array', items: { type: 'string' }, description: 'all of them' },
		],
		['integer (required)', { type: 'integer' }],
		['number | null', { type: 'number' }],
		['number|undefined', { type: 'number' }],
		['<number>', { type: 'number' }],
		['Array<string>', { type: 'array', items: { type: 'string' } }],
		['List[str]', { type: 'array', items: { type: 'string' } }],
		['list of numbers', { type: 'array', items: { type: 'number' } }],
		['any', {}],
		// Data.
		['Double (sea view)', { type: 'string' }],
		['Number of pages', { type: 'string' }],
		['List of books', { type: 'string' }],
		['Object - a film', { type: 'string' }],
		['Integer, the novel', { type: 'string' }],
	])('of a field is that of %s', (written, meant) => {
		const properties = { a: meant };
		for (const from of ['example', 'json']) {
			const schema = made({ from, [from]: { a: written } }) as IDataObject;
			expect(schema.properties).toEqual(properties);
		}
	});

	it.each<[IDataObject, IDataObject]>([
		[{ type: 'string[]' }, { type: 'array', items: { type: 'string' } }],
		[{ type: 'any', description: 'x' }, { description: 'x' }],
		[{ type: 'number (in euros)' }, { type: 'number', description: 'in euros' }],
	])('of one field alone has its type: %j', (field, meant) => {
		expect(made({ from: 'json', json: { a: field } })).toEqual({
			type: 'object',
			properties: { a: meant },
		});
	});

	it.each(['format', 'content', 'components'])('may have a field called %s', (name) => {
		const field = { type: 'object', properties: { a: { type: 'string' } } };
		const properties = { [name]: field };
		expect(made({ from: 'json', json: properties })).toEqual({ type: 'object', properties });
	});

	it.each([
		{ _def: { typeName: 'ZodObject' }, shape: {} },
		{ type: 'object', def: { type: 'object', shape: {} } },
	])('is none of a library: %j', (json) => {
		for (const from of ['json', 'example']) {
			const { message, description } = errorOf(() => made({ from, [from]: json as IDataObject }));
			expect(message).toContain('is an object of Zod');
			expect(description).toContain('z.toJSONSchema()');
		}
	});

	it('is found where an example belongs', () => {
		expect(made({ from: 'example', example: LIST })).toEqual(B);
		expect(made({ from: 'example', example: { fields: LIST } })).toEqual(B);
		expect(made({ from: 'example', example: { schema: B } })).toEqual(B);
	});

	it('has fields that are only named as texts', () => {
		const properties = { a: { type: 'string' }, b: { type: 'string' } };
		for (const json of [['a', 'b'], { fields: ['a', 'b'] }, '["a", "b"]']) {
			expect(made({ from: 'json', json })).toEqual({ type: 'object', properties });
		}
	});

	it('may have types alone in a list', () => {
		const items = { a: 'string', b: 'number' };
		expect(made({ from: 'json', json: { type: 'array', items } })).toEqual({
			type: 'array',
			items: { ...B, required: ['a', 'b'] },
		});
	});

	it('keeps what is said of a field', () => {
		const described = [
			{ name: 'a', type: 'string[]', description: 'x', required: true, example: 1 },
		];
		const a = { type: 'array', items: { type: 'string' }, description: 'x' };
		expect(made({ from: 'json', json: { fields: described } })).toEqual({
			type: 'object',
			properties: { a },
			required: ['a'],
		});
		const marked = {
			a: { type: 'string', required: true },
			b: { type: 'number', required: false },
		};
		const whole = { type: 'object', properties: marked, required: ['b'] };
		expect(made({ from: 'json', json: marked })).toEqual({ ...B, required: ['a'] });
		expect(made({ from: 'json', json: whole })).toEqual({ ...B, required: ['b', 'a'] });
		expect(made({ from: 'json', json: { ...B, required: ['b'] } })).toEqual({
			...B,
			required: ['b'],
		});
	});

	it.each<IDataObject>([
		{ columns: ['Name', 'Age'], rows: [['x', 1]] },
		{ parameters: { voltage: '12 V' } },
		{ fields: [{ name: 'North', hectares: 3 }] },
		{ items: [{ sku: 'A', qty: 2 }], total: 3 },
		{ format: 'A4', price: 9 },
		{ pattern: 'floral', color: 'red' },
		{ not: 'x', b: 1 },
		{ required: ['a'], a: 'x' },
		{ const: 5, x: 2 },
		{ enum: 'x', z: 1 },
		{ definitions: 'glossary', term: 'x' },
		{ type: 'lamp', price: 9 },
	])('is that of an example which has words of JSON Schema: %j', (json) => {
		expect(made({ from: 'json', json })).toEqual(schemaOf(json));
	});

	it('of several examples has the fields of all, and requires those of each', () => {
		expect(made({ from: 'example', example: [{ a: 1 }, { a: 2, b: 'x' }] })).toEqual({
			type: 'array',
			items: {
				type: 'object',
				properties: { a: { type: 'number' }, b: { type: 'string' } },
				required: ['a'],
			},
		});
	});

	it.each([
		['', 'JSON Schema is empty'],
		[undefined, 'JSON Schema is empty'],
		['[]', 'JSON Schema is an array, but must be a JSON object'],
		['"text"', 'JSON Schema is "text", but must be a JSON object'],
	])('rejects %s', (json, message) => {
		expect(errorOf(() => made({ from: 'json', json })).message).toBe(message);
	});

	it('rejects what is not JSON', () => {
		const error = errorOf(() => made({ from: 'json', json: '{"type": }' }));
		expect(error.message).toMatch(/^JSON Schema is not valid JSON: /);
		expect(error.description).toContain('Schema → JSON Schema');
	});

	it('rejects a way that does not exist', () => {
		expect(errorOf(() => made({ from: 'text' })).message).toBe(
			'Define By is "text", which is not one of its choices',
		);
	});
});

it('sends no schema where none was added', () => {
	expect(bodyOf(field, {})).toEqual({});
	const options: Field = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		default: {},
		options: [field],
	};
	expect(errorOf(() => bodyOf(options, { schema: {} })).message).toBe('Schema is empty');
});

import type { IDataObject } from 'n8n-workflow';

import { schemaField, schemaFields } from '../../../nodes/shared/fields/schema';
import { schemaOfExample, writtenSchema } from '../../../nodes/shared/fields/writtenSchema';
import { bodyOf, composed, errorOf, place as bare } from '../../support/form';

const place = { ...bare, labels: ['The a'] };
const schemaOf = (example: unknown) => schemaOfExample(example, place);
const field = schemaField('schema', 'Schema', {});
const made = (schema: IDataObject) => bodyOf(field, { schema }).schema;
const byFields = (...rows: IDataObject[]) => made({ from: 'fields', fields: { field: rows } });

describe('a schema by fields', () => {
	it('has names, types and descriptions', () => {
		expect(
			byFields(
				{ name: 'name', type: 'string', description: '' },
				{ name: ' price ', type: 'number', description: 'In euros' },
				{ name: 'tags', type: 'string[]' },
				{ name: 'kind' },
			),
		).toEqual({
			type: 'object',
			properties: {
				name: { type: 'string' },
				price: { type: 'number', description: 'In euros' },
				tags: { type: 'array', items: { type: 'string' } },
				kind: { type: 'string' },
			},
		});
	});

	it('names the fields of objects, too, as without them nothing would come back', () => {
		const fields = {
			field: [{ name: 'author' }, { name: 'stars', type: 'number', description: '1 to 5' }],
		};
		const of = {
			type: 'object',
			properties: { author: { type: 'string' }, stars: { type: 'number', description: '1 to 5' } },
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

	it('describes a field in text, also where an expression gives a number', () => {
		expect(byFields({ name: 'a', description: 5 })).toHaveProperty('properties.a.description', '5');
		expect(byFields({ name: 'a', description: null })).toHaveProperty('properties.a', {
			type: 'string',
		});
		expect(errorOf(() => byFields({ name: 'a', description: { x: 1 } })).message).toBe(
			'Description is "{"x":1}", which is not text',
		);
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

	it.each<[rows: IDataObject[], message: string]>([
		[[{ name: 'a' }, { name: ' ' }], 'Name is empty'],
		[[{ type: 'number' }], 'Name is empty'],
		[[{ name: 'a' }, { name: 'a' }], 'Name is "a" twice'],
		[[{ name: 'a', type: 'list' }], 'Type is "list", which is not one of its choices'],
		[[], 'Fields is empty'],
	])('rejects rows that say too little: %j', (rows, message) => {
		const error = errorOf(() => byFields(...rows));
		expect(error.message).toBe(message);
		if (rows.length > 1) {
			expect(error.description).toContain('Schema → Fields → Field 2 → Name');
		}
	});

	it('rejects no rows at all', () => {
		for (const schema of [{ from: 'fields', fields: {} }, { from: 'fields' }])
			expect(errorOf(() => made(schema)).message).toBe('Fields is empty');
		// n8n passes on no rows if a workflow file has the name of the choice.
		const named = { schemaFrom: 'List of Fields', schemaFields: undefined };
		const fields = schemaFields('schema', 'Schema', { none: 'No schema' });
		const { message } = errorOf(() => composed(fields, named));
		expect(message).toBe('Fields is empty');
	});
});

describe('a schema by example', () => {
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

	it('has a date as text, and no guess at what an expression gave no value', () => {
		const at = { at: new Date(0) };
		expect(schemaOf(at)).toMatchObject({ properties: { at: { type: 'string' } } });
		for (const none of [undefined, NaN]) {
			const { message } = errorOf(() => schemaOf({ ...at, offers: [{ price: none }] }));
			expect(message).toBe('The a has "price" without a value');
		}
	});

	it('takes any name', () => {
		expect(JSON.stringify(schemaOf(JSON.parse('{"__proto__":1}')))).toBe(
			'{"type":"object","properties":{"__proto__":{"type":"number"}},"required":["__proto__"]}',
		);
	});

	it.each<[unknown, string]>([
		...['', ' ', 'null', null, undefined].map((one): [unknown, string] => [one, 'is empty']),
		['{a:1}', 'is not valid JSON: '],
		...['7', '[1,2]', '[{"a":1},2]', '[[1]]'].map((one): [unknown, string] => [
			one,
			`is "${one}", but must be an object or a list of objects`,
		]),
		[`"${'x'.repeat(99)}"`, `is "${'x'.repeat(79)}…", but`],
	])('rejects %j, which is missing or none', (example, problem) => {
		const { message } = errorOf(() => made({ from: 'example', example } as IDataObject));
		expect(message).toContain(`Example Object ${problem}`);
	});
});

describe('a schema as JSON Schema', () => {
	const json = (entered: unknown) => writtenSchema(entered, place);

	it.each([
		{ type: 'object', properties: { price: { type: 'number' } }, required: ['price'] },
		{ type: 'array', items: { type: 'string' } },
		{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } },
		{ type: 'object', additionalProperties: { type: 'number' } },
		{ anyOf: [{ type: 'string' }] },
		// A service says what is wrong with these.
		{ type: 'sedan', price: 3 },
		{ type: 'object', properties: { a: { type: ['string', null] } } },
	])('is sent as it is: %j', (schema) => {
		expect(json(schema)).toEqual(schema);
		expect(json(JSON.stringify(schema))).toEqual(schema);
	});

	it.each([
		[{ name: 'Desk lamp', price: 39.9 }, 'The a looks like an example'],
		[{ fields: ['name', 'price'] }, 'The a looks like an example'],
		[{ type: 'object' }, 'The a has no fields'],
		[{ type: 'object', properties: {} }, 'The a has no fields'],
		['{"type":', /^The a is not valid JSON: /],
		[['name'], 'The a is an array, but must be a JSON object'],
	])('is refused where it would be paid for without a use: %j', (entered, message) => {
		const problem = errorOf(() => json(entered)).message;
		if (typeof message === 'string') expect(problem).toBe(message);
		else expect(problem).toMatch(message);
	});

	it('is none where an example belongs', () => {
		const schema = { type: 'object', properties: { price: { type: 'number' } } };
		expect(errorOf(() => schemaOfExample(schema, place)).message).toContain('like a JSON Schema');
	});

	it.each([
		[
			{ bed: 'double', stars: 4, isOpen: true },
			{ bed: 'string', stars: 'number', isOpen: 'boolean' },
		],
		[
			{ type: 'lamp', items: 3 },
			{ type: 'string', items: 'number' },
		],
		[{ price: null }, { price: ['string', 'null'] }],
	])('has the types of an example: %j', (example, types) => {
		const { properties } = schemaOfExample(example, place) as IDataObject;
		const found = Object.entries(properties as IDataObject).map(([name, one]) => [
			name,
			(one as IDataObject).type,
		]);
		expect(Object.fromEntries(found)).toEqual(types);
	});
});

it('has the types of the first values that say something', () => {
	const offers = [
		{ price: null, tags: [] },
		{ price: 9.5, tags: ['x'] },
	];
	const { properties } = schemaOfExample({ offers, ratings: [null, 4] }, place) as IDataObject;
	expect(properties).toMatchObject({
		offers: {
			items: { properties: { price: { type: 'number' }, tags: { items: { type: 'string' } } } },
		},
		ratings: { items: { type: 'number' } },
	});
});

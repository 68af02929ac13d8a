import type { IDataObject } from 'n8n-workflow';

import { asSent, isNothing, isObject, without } from '../base/json';
import { invalid, quoted } from '../form/checks';
import type { Place } from '../form/field';
import { checkedJson, parsedObject } from '../form/json';

/** Keywords of JSON Schema, one of which every schema has that says anything. */
const KEYWORDS = [
	'type',
	'properties',
	'$ref',
	'items',
	'enum',
	'const',
	'anyOf',
	'oneOf',
	'allOf',
];

const noFields = (place: Place) =>
	invalid(place, 'has no fields', 'Name at least one field: the result would have nothing in it.');

/** Returns the entered JSON Schema without `$schema`, which services refuse. Throws for an example in its place. */
export function writtenSchema(entered: unknown, place: Place): IDataObject | undefined {
	const schema = parsedObject(entered, place) as IDataObject | undefined;
	if (schema === undefined) return undefined;
	const said = KEYWORDS.filter((word) => !isNothing(schema[word]));
	if (said.length === 0) {
		throw invalid(
			place,
			'looks like an example',
			'Choose Example Object, or write a schema such as { "type": "object", "properties": { … } }.',
		);
	}
	const isOpen = schema.additionalProperties || schema.patternProperties;
	if (schema.type === 'object' && said.length === 1 && !isOpen) throw noFields(place);
	return without(schema, '$schema');
}

/** Returns the schema of an example: the types of its values. Throws for a schema in its place. */
export function schemaOfExample(entered: unknown, place: Place): IDataObject | undefined {
	const given = checkedJson(entered, place);
	if (given === undefined) return undefined;
	const example = asSent(given);
	if (!isObject(example) && !(Array.isArray(example) && example.every(isObject))) {
		throw invalid(
			place,
			`is ${quoted(given)}, but must be an object or a list of objects`,
			'Paste one result as you want it, in curly brackets.',
		);
	}
	if ([example].flat().every(isNothing)) throw noFields(place);
	// As in { "type": "object", "properties": { "price": { "type": "number" } } }.
	if (isObject(example) && example.type === 'object' && isObject(example.properties)) {
		throw invalid(place, 'looks like a JSON Schema', 'Choose JSON Schema.');
	}
	return schemaOf(example);
}

/** Returns the JSON Schema of an example value; a list gets that of its first entry, with the fields of the others. */
function schemaOf(example: unknown): IDataObject {
	if (Array.isArray(example)) {
		if (example.length === 0) return { type: 'array' };
		const areObjects = example.length > 1 && example.every(isObject);
		const first: unknown = example.find((one) => !isNothing(one)) ?? example[0];
		return { type: 'array', items: areObjects ? schemaOfAll(example) : schemaOf(first) };
	}
	if (isObject(example)) {
		const properties = Object.fromEntries(
			Object.entries(example).map(([name, value]) => [name, schemaOf(value)]),
		);
		return { type: 'object', properties, required: Object.keys(properties) };
	}
	// A null doesn't show the type, and a service refuses a field without one.
	return { type: example === null ? ['string', 'null'] : typeof example };
}

/** Returns the schema of several examples of one thing; the fields that all of them have are required. */
function schemaOfAll(examples: IDataObject[]): IDataObject {
	const filled = examples.map((one) =>
		Object.fromEntries(Object.entries(one).filter(([, value]) => !isNothing(value))),
	);
	const schema = schemaOf(Object.assign({}, ...examples, ...filled.toReversed()));
	const required = Object.keys(examples[0]).filter((name) => examples.every((one) => name in one));
	return { ...schema, required };
}

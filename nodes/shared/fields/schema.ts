import type { IDataObject } from 'n8n-workflow';

import {
	below,
	hasExpression,
	invalid,
	emptyError,
	quoted,
	rawOf,
	rowsIn,
	withDefault,
} from '../form/checks';
import { composeEntry } from '../form/form';
import {
	type Choice,
	type Rest,
	booleanField,
	choiceField,
	groupField,
	jsonField,
	textField,
} from '../form/controls';
import {
	type Conditions,
	type Field,
	type Place,
	type Read,
	type Wire,
	shownFor,
} from '../form/field';
import { isObject, without } from '../base/json';
import { FIELD_LISTS, type FieldList } from './fieldLists';
import { schemaOfExample, writtenSchema } from './writtenSchema';

const rowsOfFields = {
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field', sortable: true },
	placeholder: 'Add Field',
};

const VALUES: Choice[] = [
	['string', 'Text'],
	['number', 'Number'],
	['integer', 'Whole Number'],
	['boolean', 'True or False'],
	['string[]', 'List of Texts'],
	['number[]', 'List of Numbers'],
];

/** The types whose own fields are named, too: the service would return nothing of them otherwise. */
const OBJECTS: Choice[] = [
	['object[]', 'List of Objects'],
	['object', 'Object'],
];

const typeField = (choices: Choice[]) =>
	choiceField('type', 'Type', {
		default: 'string',
		choices,
		wire: { required: true },
	});

const rowOf = (type: Field, own: Field[] = []): Field[] => [
	// n8n itself wouldn't run a node in which a name is empty.
	textField('name', 'Name', { placeholder: 'e.g. price', wire: { required: true } }),
	type,
	...own,
	textField('description', 'Description', {
		placeholder: 'e.g. Price in euros, without VAT',
		wire: { mayBeEmpty: true },
	}),
];

const innerRow = rowOf(typeField(VALUES));
const rowFields = rowOf(typeField([...VALUES, ...OBJECTS]), [
	groupField('fields', 'Fields of the Object', {
		...rowsOfFields,
		description: 'What each object has',
		group: ['field', 'Field'],
		values: innerRow,
		displayOptions: { show: { type: OBJECTS.map(([type]) => type) } },
		wire: { required: true, value: (entered, place) => schemaOfFields(entered, place, innerRow) },
	}),
]);

/** Returns the name of the dropdown, or of a field that is shown for one of its choices. */
type Naming = (part: 'from' | 'fields' | 'example' | 'json') => string;

interface SchemaForm extends Rest {
	/** Description of the choice for no schema. If set, that choice is added and is the default. */
	none?: string;
}

/** Returns a dropdown and the fields shown for its choices; each field's value is the schema. */
function ways(
	displayName: string,
	named: Naming,
	{ none, description, displayOptions, wire }: SchemaForm,
	isReady: boolean,
): Field[] {
	const way = (values: string[], make: Wire['value']) => ({
		displayOptions: { show: { ...displayOptions?.show, [named('from')]: values } },
		wire: { ...wire, value: make },
	});
	// In a collection, a control can't see which list is chosen.
	const lists = isReady ? FIELD_LISTS : {};
	const rows = way(['fields', ...Object.keys(lists)], (entered, place, form) =>
		merged(listedIn(named, form), schemaOfFields(entered, place)),
	);
	return [
		choiceField(named('from'), displayName, {
			default: none === undefined ? 'fields' : 'none',
			choices: [
				...(none === undefined ? [] : [['none', 'None', none] satisfies Choice]),
				['fields', 'List of Fields', 'Name each field and describe it'],
				...Object.entries(lists).map(([value, list]): Choice => [
					value,
					list.name,
					contentsOf(list),
				]),
				['example', 'Example Object', 'One result as you want it; the types are taken from it'],
				['json', 'JSON Schema', 'Write it yourself, for rules and deeper lists'],
			],
			description,
			displayOptions,
			// The service's errors about the schema refer to this field.
			wire: isReady ? { in: 'settings', as: wire?.as, put: setEachEntry } : { required: true },
		}),
		{
			...groupField(named('fields'), 'Fields', {
				...rowsOfFields,
				description: isReady
					? 'What each result has; adds to a ready-made list, or replaces its fields'
					: 'What each result has',
				group: ['field', 'Field'],
				values: rowFields,
				...rows,
				// The rows may stay untouched if a list is chosen.
				...(isReady && { wire: { ...rows.wire, always: true } }),
			}),
			...(isReady && { default: { field: [{}] } }),
			// The first row, which is there from the start, may stay empty.
			...((!isReady || none !== undefined) && { required: true }),
		},
		jsonField(named('example'), 'Example Object', {
			description: 'One result as you want it',
			typeOptions: { rows: 5 },
			required: true,
			placeholder: 'e.g. { "name": "Desk lamp", "price": 39.9, "tags": ["led"] }',
			...way(['example'], schemaOfExample),
		}),
		jsonField(named('json'), 'JSON Schema', {
			description: 'The schema of a result',
			typeOptions: { rows: 5 },
			required: true,
			placeholder: 'e.g. { "type": "object", "properties": { "price": { "type": "number" } } }',
			...way(['json'], writtenSchema),
		}),
	];
}

/**
 * The choice of an item for each entry, for a list among the fields that were asked for; a ready-made list sets it to
 * the name of its own.
 */
export const eachEntry: Field<boolean | string> = booleanField('eachEntry', 'An Item per Entry', {
	default: false,
	description:
		'Whether each entry of the list, e.g. each product, becomes an item, with the fields beside the list. The result must have exactly one list, or one list of objects.',
	wire: { in: 'settings', always: true },
});

/** Returns what a ready-made list has: the fields of each entry, if it is a list of entries. */
function contentsOf({ fields, entries }: FieldList): string {
	const { items } = entries === undefined ? {} : fields[entries];
	const named = isObject(items) && isObject(items.properties) ? items.properties : fields;
	const kind = entries === undefined ? 'Ready-made' : 'Ready-made, an item each';
	return `${kind}: ${Object.keys(named).join(', ')}`;
}

/** Sets it for ready-made lists that are lists of entries. */
function setEachEntry(settings: IDataObject, chosen: unknown): void {
	const entries = FIELD_LISTS[chosen as string]?.entries;
	if (entries !== undefined) settings[eachEntry.name] = entries;
}

/** Returns the same choice for a form: it is shown for a schema of one's own, if results are simplified. */
const eachEntryFor = (show: Conditions): Field =>
	shownFor({ ...show, schemaFrom: ['fields', 'example', 'json'], simplify: [true] }, eachEntry);

/** The choice of an item for each entry of a list among a page's fields. */
export const pageEntries = eachEntryFor({ formats: ['json'] });

/** The choice of an item for each entry of a list in the result of a job. */
export const resultEntries = eachEntryFor({});

/** Returns the schema of the chosen ready-made list; undefined if none is chosen. */
function listedIn(named: Naming, form: Read): IDataObject | undefined {
	const fields = FIELD_LISTS[form(named('from')) as string]?.fields;
	return fields && { type: 'object', properties: fields };
}

/** Returns a schema with the fields of both, the second one taking precedence. Undefined if there are none. */
function merged(listed?: IDataObject, given?: IDataObject): IDataObject | undefined {
	if (listed === undefined || given === undefined) return given ?? listed;
	const properties = new Map(
		[listed, given].flatMap(({ properties: some }) => Object.entries(some as IDataObject)),
	);
	return { ...given, properties: Object.fromEntries(properties) };
}

/**
 * Returns the fields for a JSON Schema, which can be entered as a list of fields (with an empty first row), as an
 * example object, or as JSON Schema.
 */
export function schemaFields(name: string, displayName: string, form: SchemaForm): Field[] {
	const named: Naming = (part) => `${name}${part[0].toUpperCase()}${part.slice(1)}`;
	return ways(displayName, named, { ...form, wire: { as: name, ...form.wire } }, true);
}

const nested = ways('Define By', (part) => part, {}, false);

/** Returns the same control for use in a collection, where users first add the form and n8n can't show an empty row. */
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
	const at = { ...place, raw: rawOf(place, 'schema') };
	const made = without(composeEntry(nested, { from: 'fields', ...entry }, at), 'from');
	return Object.values(made)[0] as IDataObject;
}

/** Returns the schema of an object with the fields in these rows; undefined if there are none yet. */
function schemaOfFields(
	entered: unknown,
	place: Place,
	controls: Field[] = rowFields,
): IDataObject | undefined {
	const [, type] = controls;
	const rows = rowsIn(entered, place, 'field', 'Field');
	const isReady = rows.length <= 1 && !hasExpression(place.raw);
	if (isReady && rows.every(({ row }) => isUntouched(row))) return undefined;
	// A map, because a field may be called "constructor" or "__proto__".
	const properties = new Map<string, IDataObject>();
	for (const { row, at } of rows) {
		const entry = composeEntry(controls, withDefault(row, type, at), at);
		const name = String(entry.name).trim();
		if (properties.has(name)) {
			const remedy = 'Give each field its own name.';
			throw invalid(below(at, 'Name'), `is ${quoted(name)} twice`, remedy);
		}
		properties.set(name, schemaOfRow(entry));
	}
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/** Whether a row is still as n8n created it. */
function isUntouched(row: IDataObject): boolean {
	return innerRow.every(({ name, default: made }) => row[name] === undefined || row[name] === made);
}

function schemaOfRow({ type: named, fields, description }: IDataObject): IDataObject {
	const isList = String(named).endsWith('[]');
	const one = (fields as IDataObject | undefined) ?? { type: String(named).replace('[]', '') };
	return {
		...(isList ? { type: 'array', items: one } : one),
		...(description !== undefined && { description }),
	};
}

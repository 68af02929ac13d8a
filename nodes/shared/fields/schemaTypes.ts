import type { IDataObject } from 'n8n-workflow';

import { asSent, isObject } from '../base/json';
import { LONGEST_SEARCHED } from '../base/text';

/** Types of JSON Schema. */
export const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Words for types that people and models write, and the types of JSON Schema that they mean. */
export const TYPE_WORDS: Record<string, string> = {
	...Object.fromEntries(TYPES.map((type) => [type, type])),
	...{ str: 'string', text: 'string', date: 'string', datetime: 'string', url: 'string' },
	...{ int: 'integer', float: 'number', double: 'number', decimal: 'number', bool: 'boolean' },
	...{ list: 'array', dict: 'object' },
};

/** Returns the type of JSON Schema that a word means; anything else stays unchanged. */
export function typeOf(word: unknown): unknown {
	const key = typeof word === 'string' ? word.trim().toLowerCase().replace('-', '') : '';
	return Object.hasOwn(TYPE_WORDS, key) ? TYPE_WORDS[key] : word;
}

/** Matches a word for a type that may be missing, with what is said about it, such as `number | null (in euros)`. */
const WITH_NOTE =
	/^[<{]?([\w-]+?)(\[\])?[>}]?\??(?: ?\| ?(?:null|undefined|None))*(?: ?\((.*)\)?| [-–—] (.*)|[:,;] (.*)| ?\/\/ ?(.*))?$/s;

/** Matches a list of a type, as programs and people write it. */
const LIST = /^(?:array|list)(?:<(\w+)>|\[(\w+)\]| of (\w+))\??$/i;

/** What may also be said of a field's type, but isn't a description. */
const MARKS = /^(?:required|optional)$/i;

/** Matches a word that names a type although a note follows; with another, such as `Double (sea view)`, it is data. */
const NOTED = /^(?:string|str|text|number|int|integer|float|bool|boolean)$/;

/**
 * Returns the schema for the name of a type, such as `number`, `string[]`, `list of texts` or `number (in euros)`;
 * undefined for other strings.
 */
export function namedType(text: string): IDataObject | undefined {
	const written = text.trim();
	if (written.length > LONGEST_SEARCHED) return undefined;
	if (written === 'any') return {};
	const [, ...of] = LIST.exec(written) ?? [];
	const item = of.find(Boolean);
	if (item !== undefined) {
		const items = namedType(item) ?? namedType(item.replace(/s$/, ''));
		return items && { type: 'array', items };
	}
	const [, word, list, ...notes] = WITH_NOTE.exec(written) ?? [];
	const type = typeOf(word) as string;
	if (!TYPES.includes(type) || type === 'null') return undefined;
	const description = notes.find(Boolean)?.replace(/\)$/, '').trim();
	const isNoted = description !== undefined && !MARKS.test(description);
	if (description !== undefined && !NOTED.test(word)) return undefined;
	const named = list === undefined ? { type } : { type: 'array', items: { type } };
	return isNoted ? { ...named, description } : named;
}

/** Maximum number of fields in a list; a longer list is data. */
const MOST_FIELDS = 1_000;

/** Returns the name and the type in a text such as `price: number`; any other text is a name. */
function fieldIn(text: string): IDataObject {
	const [, name, type] = /^([^:]+): (.*)$/.exec(text) ?? [];
	return type !== undefined && namedType(type) !== undefined ? { name, type } : { name: text };
}

/** Returns the schema for a list of fields, by name or each with name and type; undefined for anything else. */
export function schemaOfList(list: unknown): IDataObject | undefined {
	if (!Array.isArray(list) || list.length === 0 || list.length > MOST_FIELDS) return undefined;
	const rows = list.map((one): IDataObject => {
		if (typeof one === 'string') return fieldIn(one);
		if (!isObject(one)) return {};
		const [type, ...others] = [one.type ?? one.dataType].flat().filter((each) => each !== 'null');
		const isOne = others.length === 0;
		return { ...one, name: one.name ?? one.key ?? one.field, type: isOne ? type : one.type };
	});
	const isRow = ({ name, type }: IDataObject): boolean =>
		typeof name === 'string' && (type === undefined || namedType(String(type)) !== undefined);
	// Objects with a name and no type anywhere are examples.
	const isOfFields = rows.some(({ type }) => type !== undefined) || !list.some(isObject);
	if (!isOfFields || !rows.every(isRow)) return undefined;
	const properties = rows.map(
		({ name, type = 'string', description, items, properties: inner }) => [
			name,
			{
				...namedType(String(type)),
				...(asSent({ description, items, properties: inner }) as IDataObject),
			},
		],
	);
	const required = rows.filter((row) => row.required === true).map(({ name }) => name);
	return {
		type: 'object',
		properties: Object.fromEntries(properties) as IDataObject,
		...(required.length > 0 && { required: required as string[] }),
	};
}

import type { Breach } from '../../api/breaches';

export type Path = Breach['path'];

export const said = (path: Path, message: string): Breach => ({ code: 'custom', path, message });

/** Returns the breach for a string that isn't a valid URL or UUID. */
const malformed = (path: Path, format: 'url' | 'uuid', value: unknown): Breach => ({
	code: 'invalid_string',
	path,
	message: `Invalid ${format.toUpperCase()}`,
	keyword: 'format',
	params: { format },
	value,
});

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const uuidBreaches = (id: unknown, path: Path): Breach[] =>
	id === undefined || UUID.test(String(id)) ? [] : [malformed(path, 'uuid', id)];

export const urlBreaches = (url: unknown, path: Path): Breach[] =>
	URL.canParse(String(url)) ? [] : [malformed(path, 'url', url)];

/** Returns the breach of a limit on a number or on the length of a string. */
function limited(keyword: string, path: Path, value: unknown, limit: number): Breach {
	const sign = keyword.startsWith('max') ? '<=' : '>=';
	const [word, unit] = keyword.endsWith('Length')
		? ['NOT have more than', ' characters']
		: [`be ${sign}`, ''];
	const code = keyword.startsWith('max') ? 'too_big' : 'too_small';
	return { code, path, message: `must ${word} ${limit}${unit}`, keyword, params: { limit }, value };
}

/** Returns the breach for a number outside its range. */
export function rangeBreaches(
	value: unknown,
	path: Path,
	least: number,
	most = Infinity,
): Breach[] {
	if (typeof value !== 'number') return [];
	if (value < least) return [limited('minimum', path, value, least)];
	return value > most ? [limited('maximum', path, value, most)] : [];
}

/** Returns a breach for each entry of a list that is none of `known`. */
export const oneOfBreaches = (list: unknown[], path: Path, known: string[]): Breach[] =>
	list.flatMap((value, index) =>
		known.includes(String(value))
			? []
			: [
					{
						code: 'invalid_enum_value',
						path: [...path, index],
						message: `must be one of ${known.join(', ')}`,
						keyword: 'enum',
						params: { allowedValues: known },
						value,
					},
				],
	);

const MAX_PROMPT = 10_000;

export function promptBreaches(prompt: unknown, path: Path, most = MAX_PROMPT): Breach[] {
	if (typeof prompt !== 'string' || prompt.length <= most) return [];
	return [limited('maxLength', path, prompt, most)];
}

/** Returns a breach for each value of an object or list that should be a string but isn't. */
export const textBreaches = (texts: unknown, path: Path): Breach[] =>
	Object.entries(texts ?? {})
		.filter(([, value]) => typeof value !== 'string')
		.map(([name, value]) => ({
			code: 'invalid_type',
			path: [...path, Array.isArray(texts) ? Number(name) : name],
			message: 'must be string',
			keyword: 'type',
			params: { type: 'string' },
			value: value as unknown,
		}));

/** Returns the breach for a number that isn't whole. */
export const wholeBreaches = (value: unknown, path: Path): Breach[] =>
	typeof value !== 'number' || Number.isInteger(value)
		? []
		: [
				{
					code: 'invalid_type',
					path,
					message: 'must be integer',
					keyword: 'type',
					params: { type: 'int' },
					value,
				},
			];

/** Returns the breach for a key that an object must not have. */
export const unknownKey = (path: Path): Breach[] => [
	{
		code: 'unrecognized_keys',
		path,
		message: `Unrecognized key "${path.at(-1)}"`,
		keyword: 'additionalProperties',
	},
];

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
	const [word, unit] = keyword.endsWith('Length')
		? ['NOT have more than', ' characters']
		: ['be', ''];
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

const MAX_PROMPT = 10_000;

export function promptBreaches(prompt: unknown, path: Path): Breach[] {
	if (typeof prompt !== 'string' || prompt.length <= MAX_PROMPT) return [];
	return [limited('maxLength', path, prompt, MAX_PROMPT)];
}

/** Returns a breach for each value that should be a string but isn't. */
export const textBreaches = (texts: unknown, path: Path): Breach[] =>
	Object.entries(texts ?? {})
		.filter(([, value]) => typeof value !== 'string')
		.map(([name, value]) => ({
			code: 'invalid_type',
			path: [...path, name],
			message: 'must be string',
			keyword: 'type',
			params: { type: 'string' },
			value: value as unknown,
		}));

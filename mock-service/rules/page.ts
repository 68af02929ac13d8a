import type { Breach } from '../../api/breaches';
import { typesOf, type Entry, type Typed } from '../entry';
import { promptBreaches, rangeBreaches, said, textBreaches, type Path } from './breach';

const MAX_ACTIONS = 50;
const MAX_WAIT_S = 60;
const MAX_WAIT_FOR_MS = 60_000;

/** Returns the breaches in scrape options; `path` is where they are. */
export const pageBreaches = (options: Entry, path: Path): Breach[] => [
	...formatBreaches((options.formats ?? []) as Typed[], [...path, 'formats']),
	...commonBreaches(options, path),
];

/** Returns the breaches in what the scrape options of both versions have. */
export function commonBreaches(options: Entry, path: Path): Breach[] {
	const { location, waitFor, timeout, maxAge, minAge, headers } = options;
	const at = (...names: Path) => [...path, ...names];
	const isTooLong = typeof waitFor === 'number' && waitFor > Number(timeout) / 2;
	const { country } = (location ?? {}) as { country?: string };
	const isNowhere = country !== undefined && !isCountry(country);
	return [
		...actionBreaches((options.actions ?? []) as Typed[], at('actions')),
		...rangeBreaches(waitFor, at('waitFor'), 0, MAX_WAIT_FOR_MS),
		...rangeBreaches(maxAge, at('maxAge'), 0),
		...rangeBreaches(minAge, at('minAge'), 0),
		...textBreaches(headers, at('headers')),
		...(isTooLong ? [said(['waitFor'], 'waitFor must not exceed half of timeout')] : []),
		...(isNowhere ? [said(at('location', 'country'), INVALID_COUNTRY)] : []),
	];
}

const INVALID_COUNTRY = 'Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.';
const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Whether a code is an alias of another one, such as UK. */
const isAlias = (code: string) => new Intl.Locale(`und-${code}`).region !== code;

/** Whether an upper-case string is a country code or one of the service's own location codes. */
const isCountry = (code: string) =>
	['', 'US-GENERIC', 'US-WHITELIST'].includes(code) ||
	(/^[A-Z]{2}$/.test(code) && code !== 'ZZ' && REGIONS.of(code) !== undefined && !isAlias(code));

function formatBreaches(formats: Typed[], path: Path): Breach[] {
	const types = typesOf(formats);
	const has = (type: string) => types.includes(type);
	const rules: Array<[isBroken: boolean, message: string]> = [
		[
			types.filter((type) => type === 'screenshot').length > 1,
			'You may only specify one screenshot format',
		],
		[
			has('changeTracking') && !has('markdown'),
			'The changeTracking format requires the markdown format to be specified as well',
		],
		[
			has('json') && has('deterministicJson'),
			'Cannot specify both json and deterministicJson formats',
		],
		[
			has('rawBase64') && types.length > 1,
			'The rawBase64 format cannot be combined with other formats',
		],
	];
	return [
		...rules.filter(([isBroken]) => isBroken).map(([, message]) => said(path, message)),
		...formats.flatMap(({ type, schema, prompt, mode, viewport, ...rest }, index) => [
			...schemaBreaches(schema, [...path, index, 'schema']),
			...(type === 'changeTracking' ? [] : promptBreaches(prompt, [...path, index, 'prompt'])),
			...viewportBreaches(viewport, [...path, index, 'viewport']),
			...(type === 'query' && !isQuery({ prompt, mode, ...rest })
				? [{ code: 'invalid_union', path: [...path, index], message: 'Invalid input' }]
				: []),
		]),
	];
}

function isQuery({ prompt, mode = 'freeform', ...rest }: Entry): boolean {
	const isMode = mode === 'freeform' || mode === 'directQuote';
	return typeof prompt === 'string' && isMode && Object.keys(rest).length === 0;
}

const MAX_WIDTH = 7680;
const MAX_HEIGHT = 4320;

function viewportBreaches(viewport: unknown, path: Path): Breach[] {
	const { width, height } = (viewport ?? {}) as Entry;
	return [
		...rangeBreaches(width, [...path, 'width'], 1, MAX_WIDTH),
		...rangeBreaches(height, [...path, 'height'], 1, MAX_HEIGHT),
	];
}

function actionBreaches(actions: Typed[], path: Path): Breach[] {
	const waits = actions.filter(({ type }) => type === 'wait');
	const waitMs = waits.reduce((sum, { milliseconds = 1000 }) => sum + Number(milliseconds), 0);
	const isTooLong = waitMs > MAX_WAIT_S * 1000;
	const longWait = `Total wait time (waitFor + wait actions) cannot exceed ${MAX_WAIT_S} seconds`;
	const tooMany = `Number of actions cannot exceed ${MAX_ACTIONS}`;
	return [
		...actions.flatMap(({ type, milliseconds, selector, viewport }, index) => [
			...(type === 'wait' && (milliseconds === undefined) === (selector === undefined)
				? [
						said(
							[...path, index],
							"Either 'milliseconds' or 'selector' must be provided, but not both.",
						),
					]
				: []),
			...viewportBreaches(viewport, [...path, index, 'viewport']),
		]),
		...(actions.length > MAX_ACTIONS ? [said(path, tooMany)] : []),
		...(isTooLong ? [said(path, longWait)] : []),
	];
}

const OPEN_SCHEMA =
	"Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true' (schema-less dictionary not supported by OpenAI). Please define specific properties for your object. Note: Recursive schemas using '$ref' are supported.";

/** Returns a breach if a schema for an answer contains an object that names no properties but allows any. */
export const schemaBreaches = (schema: unknown, path: Path): Breach[] =>
	isOpen(schema) ? [said(path, OPEN_SCHEMA)] : [];

function isOpen(schema: unknown): boolean {
	if (typeof schema !== 'object' || schema === null || '$ref' in schema) return false;
	const { type, additionalProperties } = schema as Entry;
	const isNamed = 'properties' in schema || 'patternProperties' in schema;
	if (type === 'object' && !isNamed && additionalProperties === true) return true;
	return Object.values(schema).some(isOpen);
}

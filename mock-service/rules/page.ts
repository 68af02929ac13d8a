import { isEntry, typesOf, type Entry, type Typed } from '../entry';
import { broken, type Broken, type Path, type Rule } from './rule';

const MAX_ACTIONS = 50;
const MAX_WAIT_MS = 60_000;

const OPEN_SCHEMA =
	"Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true' (schema-less dictionary not supported by OpenAI). Please define specific properties for your object. Note: Recursive schemas using '$ref' are supported.";

/** Returns the rules that scrape options break; `path` is where they are. */
export function pageRules(options: Entry, path: Path): Broken[] {
	const { waitFor, timeout } = options;
	const { formats = [], actions = [] } = options as { formats?: Typed[]; actions?: Typed[] };
	const { country } = (options.location ?? {}) as { country?: string };
	const types = typesOf(formats);
	const has = (type: string) => types.includes(type);
	const at = (...names: Path) => [...path, ...names];
	const waits = actions.filter(({ type }) => type === 'wait');
	const waitMs = waits.reduce((sum, { milliseconds = 1000 }) => sum + Number(milliseconds), 0);
	const ofFormats = {
		'You may only specify one screenshot format':
			types.filter((type) => type === 'screenshot').length > 1,
		'You may only specify either screenshot or screenshot@fullPage':
			has('screenshot') && has('screenshot@fullPage'),
		'The changeTracking format requires the markdown format to be specified as well':
			has('changeTracking') && !has('markdown'),
		'The rawBase64 format cannot be combined with other formats':
			has('rawBase64') && types.length > 1,
	};
	return broken(
		...Object.entries(ofFormats).map(([message, is]): Rule => [is, at('formats'), message]),
		...formats.map(({ schema }, index): Rule => [
			isOpen(schema),
			at('formats', index, 'schema'),
			OPEN_SCHEMA,
		]),
		...actions.map(({ type, milliseconds, selector }, index): Rule => [
			type === 'wait' && (milliseconds === undefined) === (selector === undefined),
			at('actions', index),
			"Either 'milliseconds' or 'selector' must be provided, but not both.",
		]),
		[actions.length > MAX_ACTIONS, at('actions'), `Number of actions cannot exceed ${MAX_ACTIONS}`],
		[
			waitMs > MAX_WAIT_MS,
			at('actions'),
			`Total wait time (waitFor + wait actions) cannot exceed ${MAX_WAIT_MS / 1000} seconds`,
		],
		[Number(waitFor) > Number(timeout) / 2, ['waitFor'], 'waitFor must not exceed half of timeout'],
		[
			country !== undefined && !isCountry(country),
			at('location', 'country'),
			'Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.',
		],
	);
}

/** Returns the rules that scrape options of v1 break, where formats are strings. */
export function pageRulesV1(options: Entry, path: Path): Broken[] {
	const { formats = [], jsonOptions, extract } = options as Entry & { formats?: string[] };
	return [
		...pageRules(options, path),
		...broken(
			[
				formats.includes('json') !== (jsonOptions !== undefined) ||
					formats.includes('extract') !== (extract !== undefined),
				[], // a rule about all of the options is one about the whole body
				"When 'extract' or 'json' format is specified, corresponding options must be provided, and vice versa",
			],
			[
				isEntry(jsonOptions) && isOpen(jsonOptions.schema),
				[...path, 'jsonOptions', 'schema'],
				OPEN_SCHEMA,
			],
		),
	];
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Whether a code is an alias of another one, such as UK. */
const isAlias = (code: string) => new Intl.Locale(`und-${code}`).region !== code;

/** Whether an upper-case string is a country code or one of the service's own location codes. */
const isCountry = (code: string) =>
	['', 'US-GENERIC', 'US-WHITELIST'].includes(code) ||
	(/^[A-Z]{2}$/.test(code) && code !== 'ZZ' && REGIONS.of(code) !== undefined && !isAlias(code));

/** Returns the rule that a schema for a result breaks. */
export const schemaRules = (schema: unknown): Broken[] =>
	broken([isOpen(schema), ['schema'], OPEN_SCHEMA]);

/** Whether a schema contains an object that names no properties but allows any. */
function isOpen(schema: unknown): boolean {
	if (typeof schema !== 'object' || schema === null || '$ref' in schema) return false;
	const { type, additionalProperties } = schema as Entry;
	const isNamed = 'properties' in schema || 'patternProperties' in schema;
	if (type === 'object' && !isNamed && additionalProperties === true) return true;
	return Object.values(schema).some(isOpen);
}

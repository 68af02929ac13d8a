import { typesOf, type Entry, type Typed } from '../entry';
import { broken, type Broken, type Path, type Rule } from './rule';

const MAX_WAIT_MS = 60_000;

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
		...actions.map(({ type, milliseconds, selector }, index): Rule => [
			type === 'wait' && (milliseconds === undefined) === (selector === undefined),
			at('actions', index),
			"Either 'milliseconds' or 'selector' must be provided, but not both.",
		]),
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

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Whether a code is an alias of another one, such as UK. */
const isAlias = (code: string) => new Intl.Locale(`und-${code}`).region !== code;

/** Whether an upper-case string is a country code or one of the service's own location codes. */
const isCountry = (code: string) =>
	['', 'US-GENERIC', 'US-WHITELIST'].includes(code) ||
	(/^[A-Z]{2}$/.test(code) && code !== 'ZZ' && REGIONS.of(code) !== undefined && !isAlias(code));

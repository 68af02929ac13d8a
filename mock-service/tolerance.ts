/* eslint-disable @typescript-eslint/no-unused-vars */
import type { Breach } from '../api/breaches';
import { isEntry, type Entry, valueAt } from './entry';
import { kindsOf } from './issues';
import { withScheme } from './urls';

const LISTS = ['formats', 'sources', 'parsers'];

/**
 * Returns a body, which the service accepts, in the form that the contract requires. It may have `origin` and
 * `integration`, which clients add to every request, formats, sources, parsers and the webhook as plain strings, a
 * country in lower case, a URL without a scheme, or the earlier name of the enhanced proxy.
 */
export function tolerated(operationId: string, body: unknown): unknown {
	if (!isEntry(body)) return body;
	const { origin: _origin, integration: _integration, ...rest } = body;
	const { url, webhook } = rest;
	return {
		...withObjects(operationId, rest, []),
		...(typeof url === 'string' && { url: withScheme(url) }),
		...(typeof webhook === 'string' && { webhook: { url: webhook } }),
	};
}

function withObjects(operationId: string, given: Entry, path: string[]): Entry {
	const result = { ...given };
	for (const name of LISTS) {
		const list = [...path, name];
		// In v1 these are strings.
		if (Array.isArray(given[name]) && kindsOf(operationId, list).length > 0) {
			result[name] = given[name].map((entry: unknown) =>
				typeof entry === 'string' ? { type: entry } : entry,
			);
		}
	}
	const { location, scrapeOptions, proxy } = given;
	if (isEntry(location) && typeof location.country === 'string') {
		result.location = { ...location, country: location.country.toUpperCase() };
	}
	if (proxy === 'stealth') result.proxy = 'enhanced';
	if (isEntry(scrapeOptions)) {
		result.scrapeOptions = withObjects(operationId, scrapeOptions, ['scrapeOptions']);
	}
	return result;
}

/** Types of values by the names of their fields. */
type Types = Record<string, 'string' | 'number' | 'boolean' | 'object'>;

const OF_PAGES: Types = {
	fastMode: 'boolean',
	safeMode: 'boolean',
	useMock: 'string',
	__searchPreviewToken: 'string',
	__experimental_omce: 'boolean',
	__experimental_omceDomain: 'string',
	__experimental_engpicker: 'boolean',
	__forceFirePDF: 'boolean',
};

const OF_PDF: Types = { pageMarkdown: 'boolean', __firePdfAsync: 'boolean' };

/** What the service's own agent adds to its requests. */
const OF_AGENTS: Types = { __agentInterop: 'object' };

const OF_JSON: Types = { checkPromptInjection: 'boolean' };

const OF_SOURCES: Types = { filter: 'string', lang: 'string', country: 'string' };

/** Fields of an object by its `type`. */
const OF_KINDS: Record<string, Types> = { web: OF_SOURCES, json: OF_JSON, pdf: OF_PDF };

const OF_CRAWLS: Types = {
	includePaths: 'object',
	excludePaths: 'object',
	maxDiscoveryDepth: 'number',
	crawlEntireDomain: 'boolean',
	allowExternalLinks: 'boolean',
	allowSubdomains: 'boolean',
	ignoreRobotsTxt: 'boolean',
	robotsUserAgent: 'string',
	deduplicateSimilarURLs: 'boolean',
	regexOnFullURL: 'boolean',
	delay: 'number',
	filterByPath: 'boolean',
	useIndex: 'boolean',
	headers: 'object',
};

const OF_EXTRACTIONS: Types = {
	systemPrompt: 'string',
	limit: 'number',
	allowExternalLinks: 'boolean',
	timeout: 'number',
	urlTrace: 'boolean',
	__experimental_streamSteps: 'boolean',
	__experimental_llmUsage: 'boolean',
	__experimental_showSources: 'boolean',
	__experimental_showCostTracking: 'boolean',
	__experimental_cacheKey: 'string',
	__experimental_cacheMode: 'string',
	agent: 'object',
	threatProtection: 'object',
};

/** Fields that an operation accepts although the contract doesn't know them. */
const FIELDS: Record<string, Types> = {
	map: OF_CRAWLS,
	scrape: OF_AGENTS,
	batchStart: { ...OF_AGENTS, appendToId: 'string' },
	search: {
		...OF_AGENTS,
		filter: 'string',
		lang: 'string',
		asyncScraping: 'boolean',
		domainTools: 'boolean',
		toolDetail: 'string',
	},
	agentStart: { overrideWhitelist: 'string' },
	extractStart: OF_EXTRACTIONS,
	extractStartV2: OF_EXTRACTIONS,
	parseFile: {
		...OF_AGENTS,
		maxAge: 'number',
		minAge: 'number',
		storeInCache: 'boolean',
		headers: 'object',
		skipTlsVerification: 'boolean',
		blockAds: 'boolean',
		onlyCleanContent: 'boolean',
		lockdown: 'boolean',
		profile: 'object',
		proxy: 'string',
		actions: 'object',
		waitFor: 'number',
		mobile: 'boolean',
	},
};

/** Fields of the scrape options of v1 that its document doesn't show. */
const OF_PAGES_V1: Types = { geolocation: 'object', extract: 'object' };

/** Objects whose unknown fields the service ignores. */
const IS_LOOSE = /(^|\.)(actions\.\d+|location|profile|viewport)\.\w+$/;

/** Numbers that only the contract requires to be whole: some in every request, and some of one operation. */
const IS_NUMBER = /(^|\.)quality$/;
const NUMBERS: Record<string, string[]> = {
	map: ['limit', 'timeout', 'maxDiscoveryDepth'],
	crawlStart: ['limit', 'maxDiscoveryDepth'],
};

/** Kinds that the contract doesn't know. */
const KINDS: Array<[place: RegExp, kinds: string[]]> = [
	[/(^|\.)formats\.\d+\.type$/, ['deterministicJson', 'rawBase64', 'query']],
	[/(^|\.)parsers\.\d+\.type$/, ['image']],
	[/^sources\.\d+\.type$/, ['alexandria']], // the official MCP server sends it
	[
		/^categories\.\d+(\.type)?$/,
		['repo', 'code', 'docs', 'devdex', 'repo_search', 'developer_index'],
	],
	[/^enterprise\.\d+$/, ['default']],
];

/** Whether the service accepts something that breaks the contract in this way. */
export function isTaken(
	operationId: string,
	body: unknown,
	{ code, path, keyword, params }: Breach,
): boolean {
	const place = path.join('.');
	const name = String(path.at(-1));
	const value = valueAt(body, path);
	const isKind = KINDS.some(([at, kinds]) => at.test(place) && kinds.includes(String(value)));
	if (code === 'unexpected_body') return true;
	switch (keyword) {
		case 'additionalProperties': {
			const outer = kindOf(valueAt(body, path.slice(0, -1)));
			const own = path.length === 1 ? FIELDS[operationId] : OF_KINDS[String(outer)];
			const pages = operationId === 'extractStart' ? { ...OF_PAGES, ...OF_PAGES_V1 } : OF_PAGES;
			const isTyped = typeof value === (own?.[name] ?? pages[name]);
			return isTyped || IS_LOOSE.test(place) || outer === 'screenshot';
		}
		case 'type':
			if (name === 'schema') return true; // judged by the service's own rule, if at all
			return (
				params?.type === 'integer' &&
				typeof value === 'number' &&
				(IS_NUMBER.test(place) || NUMBERS[operationId]?.includes(place) === true)
			);
		case 'pattern':
			return name === 'tbs' || name === 'country'; // countries have a rule of the service's own
		case 'required':
			return /^extractStart/.test(operationId) && place === 'urls';
		case 'oneOf':
			return isKind || kindOf(value) === 'wait';
		case 'minItems':
			return name === 'selectors';
		default:
			return isKind;
	}
}

const kindOf = (value: unknown) => (value as Entry | undefined)?.type;

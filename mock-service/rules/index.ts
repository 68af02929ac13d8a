import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import type { Breach } from '../../api/breaches';
import { isEntry, typesOf, type Entry } from '../entry';
import {
	promptBreaches,
	rangeBreaches,
	said,
	textBreaches,
	urlBreaches,
	uuidBreaches,
} from './breach';
import { pageBreaches, schemaBreaches } from './page';

/**
 * Returns how a request breaks those of the service's rules that the contract doesn't contain. `body` follows the
 * contract as far as the service insists; `sent` is what the client sent.
 */
export function ruleBreaches(operationId: string, body: unknown, sent: unknown): Breach[] {
	if (!isEntry(body) || !isEntry(sent)) return [];
	const { scrapeOptions, webhook } = body;
	const isV1 = operationId === 'extractStart';
	return [
		...integrationBreaches(sent.integration),
		...textBreaches(sent.origin === undefined ? {} : { origin: sent.origin }, []),
		...webhookBreaches(webhook),
		...(isV1 ? [] : pageBreaches(body, [])),
		...(isEntry(scrapeOptions) && !isV1 ? pageBreaches(scrapeOptions, ['scrapeOptions']) : []),
		...(OF_OPERATIONS[operationId]?.(body, sent) ?? []),
	];
}

const INTEGRATIONS =
	'dify zapier pipedream raycast langchain crewai llamaindex n8n camelai make flowise metagpt relevanceai viasocket cli hermes gstack prometheus'.split(
		' ',
	);

function integrationBreaches(name: unknown): Breach[] {
	if (name === undefined || String(name).startsWith('_') || INTEGRATIONS.includes(String(name))) {
		return [];
	}
	const known = INTEGRATIONS.map((one) => `'${one}'`).join(' | ');
	return [said(['integration'], `Invalid enum value. Expected ${known}`)];
}

function webhookBreaches(webhook: unknown): Breach[] {
	if (!isEntry(webhook)) return [];
	return [
		...urlBreaches(webhook.url, ['webhook', 'url']),
		...textBreaches(webhook.headers, ['webhook', 'headers']),
		...textBreaches(webhook.metadata, ['webhook', 'metadata']),
	];
}

const AGENT_EVENTS = ['started', 'action', 'completed', 'failed', 'cancelled'];

const OF_OPERATIONS: Record<string, (body: Entry, sent: Entry) => Breach[]> = {
	search: searchBreaches,
	map: (body) => [
		...rangeBreaches(body.limit, ['limit'], 1),
		...rangeBreaches(body.timeout, ['timeout'], Number.MIN_VALUE),
		...rangeBreaches(body.delay, ['delay'], 0, 60),
		...patternBreaches(body),
	],
	crawlStart: (body) => [
		...patternBreaches(body),
		...promptBreaches(body.prompt, ['prompt']),
		...rangeBreaches(body.maxConcurrency, ['maxConcurrency'], 1),
	],
	batchStart: (body) => uuidBreaches(body.appendToId, ['appendToId']),
	parseFile: (body) => rangeBreaches(body.timeout, ['timeout'], 1000),
	agentStart(body) {
		const why = whyNoSchema(body.schema);
		const { events = [] } = (body.webhook ?? {}) as { events?: string[] };
		const required = { code: 'required', path: ['prompt'], message: '', keyword: 'required' };
		return [
			...(body.prompt === undefined ? [required] : []),
			...(why === undefined ? [] : [said(['schema'], `Invalid JSON schema: ${why}`)]),
			...uuidBreaches(body.threadId, ['threadId']),
			...((body.urls ?? []) as string[]).flatMap((url, index) => urlBreaches(url, ['urls', index])),
			...events
				.filter((event) => !AGENT_EVENTS.includes(event))
				.map((event) => said(['webhook', 'events', events.indexOf(event)], 'Invalid option')),
		];
	},
	extractStart: extractBreaches,
	extractStartV2: extractBreaches,
};

const DOMAIN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d][a-z\d-]{0,61}[a-z\d]$/i;

function searchBreaches(body: Entry, sent: Entry): Breach[] {
	const { includeDomains = [], excludeDomains = [] } = body as Record<string, string[]>;
	const isBoth = includeDomains.length > 0 && excludeDomains.length > 0;
	const categories = typesOf(body.categories as string[] | undefined);
	const isMixed = categories.length > 1 && categories.includes('developer');
	return [
		...Object.entries({ includeDomains, excludeDomains }).flatMap(([name, domains]) =>
			domains.flatMap((domain, index) =>
				DOMAIN.test(domain.trim())
					? []
					: [said([name, index], 'Domain must be a valid hostname without protocol or path')],
			),
		),
		...(isBoth ? [said([], 'includeDomains and excludeDomains cannot both be specified')] : []),
		...(isMixed
			? [said([], 'the developer category cannot be combined with other categories')]
			: []),
		...rangeBreaches(body.timeout, ['timeout'], 1),
		...['sources', 'categories']
			.filter((name) => isOfBoth(sent[name]))
			.map((name) => ({ code: 'invalid_union', path: [name], message: 'Invalid input' })),
	];
}

/** Whether a list contains both strings and objects. */
const isOfBoth = (list: unknown) =>
	Array.isArray(list) && new Set(list.map((entry) => typeof entry)).size > 1;

const MAX_EXTRACTED = 10;

function extractBreaches(body: Entry): Breach[] {
	const { urls, prompt, schema } = body as Entry & { urls?: string[] };
	const tooMany = `Maximum of ${MAX_EXTRACTED} URLs allowed per request while in beta.`;
	return [
		...rangeBreaches(body.timeout, ['timeout'], 1000),
		...rangeBreaches(body.limit, ['limit'], 1),
		...(urls || prompt ? [] : [said([], "Either 'urls' or 'prompt' must be provided.")]),
		...((urls?.length ?? 0) > MAX_EXTRACTED ? [said(['urls'], tooMany)] : []),
		...(whyNoSchema(schema) === undefined ? [] : [said(['schema'], 'Invalid JSON schema.')]),
		...schemaBreaches(schema, ['schema']),
		...promptBreaches(prompt, ['prompt']),
	];
}

/** Returns why an object isn't a JSON schema; undefined if it is. */
function whyNoSchema(schema: unknown): string | undefined {
	if (!schema) return undefined;
	try {
		addFormats(new Ajv()).compile(schema);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/** Returns the breaches in regular expressions for paths. */
const patternBreaches = (body: Entry): Breach[] =>
	['includePaths', 'excludePaths'].flatMap((name) =>
		((body[name] ?? []) as string[]).flatMap((pattern) => {
			const why = whyNoPattern(pattern);
			if (why === undefined) return [];
			const start = `Invalid ${name} pattern ${JSON.stringify(pattern)}: ${why}.`;
			return [said([name], `${start} ${name} patterns use Rust regex (RE2-style) syntax.`)];
		}),
	);

const LOOKS_AROUND = /\(\?<?[=!]|\\[1-9]/;

function whyNoPattern(pattern: string): string | undefined {
	if (LOOKS_AROUND.test(pattern)) return 'look-around and backreferences are not supported';
	try {
		new RegExp(pattern);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

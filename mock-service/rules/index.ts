import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import type { Breach } from '../../api/breaches';
import { isEntry, typesOf, type Entry, type Typed } from '../entry';
import { withScheme } from '../urls';
import {
	oneOfBreaches,
	promptBreaches,
	rangeBreaches,
	said,
	textBreaches,
	unknownKey,
	urlBreaches,
	uuidBreaches,
	wholeBreaches,
} from './breach';
import { pageBreaches, schemaBreaches } from './page';
import { patternBreaches } from './patterns';
import { pageBreachesV1 } from './v1';

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
		...(isEntry(scrapeOptions)
			? (isV1 ? pageBreachesV1 : pageBreaches)(scrapeOptions, ['scrapeOptions'])
			: []),
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

/** Headers of the service's own on what a webhook receives. */
const OWN_HEADERS = [
	'Signature',
	'Webhook-Id',
	'Event',
	'Job-Id',
	'Scrape-Id',
	'Delivery-Mode',
].map((name) => `X-Firecrawl-${name}`);
const FORGED = `The following headers are not allowed: ${OWN_HEADERS.join(', ')}`;
const isOwn = (name: string) => OWN_HEADERS.some((own) => own.toLowerCase() === name.toLowerCase());

function webhookBreaches(webhook: unknown): Breach[] {
	if (!isEntry(webhook)) return [];
	const isForged = Object.keys(webhook.headers ?? {}).some(isOwn);
	return [
		...urlBreaches(webhook.url, ['webhook', 'url']),
		...(isForged ? [said(['webhook'], FORGED)] : []),
		...textBreaches(webhook.headers, ['webhook', 'headers']),
		...textBreaches(webhook.metadata, ['webhook', 'metadata']),
	];
}

const AGENT_EVENTS = ['started', 'action', 'completed', 'failed', 'cancelled'];
const JOB_EVENTS = ['started', 'page', 'completed', 'failed'];

/** Returns the breaches in the events that a webhook asks for. */
const eventBreaches = ({ webhook }: Entry, known: string[]): Breach[] => {
	const { events = [] } = (webhook ?? {}) as { events?: string[] };
	return events
		.filter((event) => !known.includes(event))
		.map((event) => said(['webhook', 'events', events.indexOf(event)], 'Invalid option'));
};

/** Returns the breaches in a list of URLs, which may lack a scheme. */
const listedUrlBreaches = ({ urls }: Entry): Breach[] =>
	((urls ?? []) as string[]).flatMap((url, index) => urlBreaches(withScheme(url), ['urls', index]));

const OF_OPERATIONS: Record<string, (body: Entry, sent: Entry) => Breach[]> = {
	search: searchBreaches,
	map: (body) => [
		...rangeBreaches(body.limit, ['limit'], 1),
		...rangeBreaches(body.timeout, ['timeout'], Number.MIN_VALUE),
		...rangeBreaches(body.delay, ['delay'], Number.MIN_VALUE, 60),
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
		const required = { code: 'required', path: ['prompt'], message: '', keyword: 'required' };
		return [
			...(body.prompt === undefined ? [required] : []),
			...(why === undefined ? [] : [said(['schema'], `Invalid JSON schema: ${why}`)]),
			...uuidBreaches(body.threadId, ['threadId']),
			...listedUrlBreaches(body),
			...eventBreaches(body, AGENT_EVENTS),
		];
	},
	extractStart: extractBreaches,
	extractStartV2: extractBreaches,
};

const DOMAIN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d][a-z\d-]{0,61}[a-z\d]$/i;

/** The names of one category. */
const DEVELOPER = 'developer repo code docs devdex repo_search developer_index'.split(' ');

/** The formats of a search's pages; the document has audio, too. */
const SEARCH_FORMATS =
	'markdown html rawHtml links images summary product menu json question highlights query screenshot audio'.split(
		' ',
	);

function searchBreaches(body: Entry, sent: Entry): Breach[] {
	const { includeDomains = [], excludeDomains = [] } = body as Record<string, string[]>;
	const isBoth = includeDomains.length > 0 && excludeDomains.length > 0;
	const named = typesOf(body.categories as string[] | undefined);
	const categories = [
		...new Set(named.map((name) => (DEVELOPER.includes(name) ? 'developer' : name))),
	];
	const isMixed = categories.length > 1 && categories.includes('developer');
	const formats = typesOf(
		(body.scrapeOptions as Entry | undefined)?.formats as Typed[] | undefined,
	);
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
		...(formats.some((type) => !SEARCH_FORMATS.includes(type))
			? oneOfBreaches(formats, ['scrapeOptions', 'formats'], SEARCH_FORMATS).map((breach) => ({
					...breach,
					code: 'invalid_union',
					message: 'Invalid input',
					keyword: '',
				}))
			: []),
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
	const { urls, prompt, schema, systemPrompt, agent } = body as Entry & { urls?: string[] };
	const tooMany = `Maximum of ${MAX_EXTRACTED} URLs allowed per request while in beta.`;
	return [
		...rangeBreaches(body.timeout, ['timeout'], 1000),
		...rangeBreaches(body.limit, ['limit'], 1),
		...wholeBreaches(body.limit, ['limit']),
		...textBreaches(agent, ['agent']),
		...Object.keys(agent ?? {}).flatMap((name) =>
			name === 'model' ? [] : unknownKey(['agent', name]),
		),
		...(body.ignoreInvalidURLs === true ? [] : listedUrlBreaches(body)),
		...eventBreaches(body, JOB_EVENTS),
		...(urls || prompt ? [] : [said([], "Either 'urls' or 'prompt' must be provided.")]),
		...((urls?.length ?? 0) > MAX_EXTRACTED ? [said(['urls'], tooMany)] : []),
		...(whyNoSchema(schema) === undefined ? [] : [said(['schema'], 'Invalid JSON schema.')]),
		...schemaBreaches(schema, ['schema']),
		...promptBreaches(prompt, ['prompt']),
		...promptBreaches(systemPrompt, ['systemPrompt']),
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

/* eslint-disable @typescript-eslint/no-unused-vars */
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import type { z } from 'zod4';
import { endpointOf } from '../../api/contract';
import { isEntry, typesOf, type Entry, type Typed } from '../entry';
import { withScheme } from '../urls';
import { domainRules } from './domains';
import { monitorRules } from './monitor';
import { pageRules } from './page';
import { patternRules } from './patterns';
import { broken, type Broken } from './rule';
import { requestSchema } from './schemas';

/** An entry in the `details` of a 400. */
export type Issue = { code: string; path: PropertyKey[]; message: string };

const schemas = new Map<string, z.ZodType>();

/** Returns the schema of an operation's requests with the service's own rules; undefined if they have no body. */
function schemaOf(operationId: string): z.ZodType | undefined {
	const { bodySchema } = endpointOf(operationId);
	if (bodySchema && !schemas.has(operationId)) {
		const schema = requestSchema(bodySchema).superRefine((body, context) => {
			for (const { path, message } of rulesOf(operationId, body as Entry)) {
				context.addIssue({ code: 'custom', path, message });
			}
		});
		schemas.set(operationId, schema);
	}
	return schemas.get(operationId);
}

/** Returns a request's body as the service reads it, or what is wrong with it. */
export function judged(operationId: string, body: unknown): { body: unknown; issues: Issue[] } {
	const result = schemaOf(operationId)?.safeParse(body);
	if (!result?.success) return { body, issues: (result?.error.issues ?? []) as Issue[] };
	if (!isEntry(result.data)) return { body: result.data, issues: [] };
	const { origin: _origin, integration: _integration, ...rest } = result.data;
	return { body: rest, issues: [] };
}

function rulesOf(operationId: string, body: Entry): Broken[] {
	const { scrapeOptions } = body;
	return [
		...webhookRules(body.webhook),
		...pageRules(body, []),
		...(isEntry(scrapeOptions) ? pageRules(scrapeOptions, ['scrapeOptions']) : []),
		...(OF_OPERATIONS[operationId]?.(body) ?? []),
	];
}

/** Headers of the service's own on what a webhook receives. */
const OWN_HEADER = /^x-firecrawl-(signature|webhook-id|event|job-id|scrape-id|delivery-mode)$/i;

function webhookRules(webhook: unknown): Broken[] {
	const names = Object.keys((isEntry(webhook) && webhook.headers) || {});
	return broken([
		names.some((name) => OWN_HEADER.test(name)),
		['webhook'],
		`The following headers are not allowed: ${names.join(', ')}`,
	]);
}

/** Returns the rules that a list of URLs breaks, which may lack a scheme. */
const urlRules = ({ urls }: Entry): Broken[] =>
	((urls ?? []) as string[]).flatMap((url, index) =>
		broken([!URL.canParse(withScheme(url)), ['urls', index], 'Invalid URL']),
	);

const OF_OPERATIONS: Record<string, (body: Entry) => Broken[]> = {
	search: searchRules,
	crawlStart: patternRules,
	monitorCreate: (body) => monitorRules(body, true),
	monitorUpdate: (body) => monitorRules(body, false),
	interact: ({ prompt, code }) =>
		broken([!prompt && !code, [], "Either 'prompt' or 'code' must be provided."]),
	agentStart(body) {
		const why = whyNoSchema(body.schema);
		return [
			...broken([why !== undefined, ['schema'], `Invalid JSON schema: ${why}`]),
			...urlRules(body),
		];
	},
	extractStart: extractRules,
};

/** The formats of a search's pages; the document has audio, too. */
const SEARCH_FORMATS =
	'markdown html rawHtml links images summary product menu json question highlights query screenshot audio'.split(
		' ',
	);

function searchRules(body: Entry): Broken[] {
	const { includeDomains = [], excludeDomains = [] } = body as Record<string, string[]>;
	const categories = typesOf(body.categories as string[] | undefined);
	const { formats } = (body.scrapeOptions ?? {}) as { formats?: Typed[] };
	return [
		...domainRules(body),
		...broken(
			[
				includeDomains.length > 0 && excludeDomains.length > 0,
				[],
				'includeDomains and excludeDomains cannot both be specified',
			],
			[
				categories.length > 1 && categories.includes('developer'),
				[],
				'the developer category cannot be combined with other categories',
			],
		),
		...typesOf(formats).flatMap((type, index) =>
			broken([
				!SEARCH_FORMATS.includes(type),
				['scrapeOptions', 'formats', index],
				'Invalid input',
			]),
		),
	];
}

function extractRules(body: Entry): Broken[] {
	const { urls, prompt, schema } = body as Entry & { urls?: string[] };
	return [
		...(body.ignoreInvalidURLs === true ? [] : urlRules(body)),
		...broken(
			[!urls && !prompt, [], "Either 'urls' or 'prompt' must be provided."],
			[whyNoSchema(schema) !== undefined, ['schema'], 'Invalid JSON schema.'],
		),
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

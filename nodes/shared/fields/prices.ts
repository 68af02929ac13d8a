/*
 * What requests are known to cost, in credits, before they are sent. What a response says it cost counts instead, once
 * it is there.
 */
import type { IDataObject } from 'n8n-workflow';

import { wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import { isObject } from '../json';

const PAGE = 1;
/** Newer services bill an enhanced proxy like any other, but say so only afterwards. */
const ENHANCED_PAGE = 5;
/** What older services call the enhanced proxy. */
const ENHANCED_PROXIES = ['enhanced', 'stealth'];
const AI_FORMAT = 4;
const AI_FORMATS = ['json', 'question', 'highlights', 'audio', 'video'];
/** What such a page costs more if the service has to write a script for it; the form doesn't have this format. */
const DETERMINISTIC_JSON = 9;
const PER_TEN_RESULTS = 2;
/** In place of the price without a mode; of several modes the dearest counts. */
const ENTERPRISE_PER_TEN: Record<string, number> = { anon: 2, zdr: 10 };
const LOCKDOWN = 4;
const REDACTION = 4;
const URL_CHECK = 2;
/** Modes that ask nobody whom the service has to pay. */
const FREE_CHECKS = ['off', 'manual-only', 'zscaler'];
/** Of a page's content, for instructions to AI; the form doesn't have it. */
const INJECTION_CHECK = 4;
/** What a page of X, formerly Twitter, costs more. */
const X_PAGE = 29;
const X_URL = /^(https?:\/\/)?(www\.)?(x|twitter|mobile\.twitter)\.com([/:?#]|$)/i;
/** A search also checks results that it drops: it looks for twice as many as it may give. */
const CHECKED_PER_RESULT = 2;
const RESULTS_BY_DEFAULT = 5;
const CRAWLED_BY_DEFAULT = 10_000;
const MAPPED_BY_DEFAULT = 5_000;
const AGENT_BY_DEFAULT = 2_500;

/** The most a node may cost in an execution: nothing is sent whose known price might exceed what is left. */
export const creditBudget: Field<number> = wholeNumberField({
	displayName: 'Credit Budget',
	name: 'creditBudget',
	default: 500,
	minValue: 1,
	description:
		"Maximum number of credits this node may use in one execution, over all its items and all rounds of a loop. A request that could exceed it is not sent, and its item fails. Prices come from the service's responses or, before the first one, from its price list.",
	wire: { in: 'settings', limitsCosts: true },
});

/** A page, scraped with these options; its `url` may be among them. */
export function pagePrice(options: IDataObject): number {
	const { url, formats, proxy, zeroDataRetention, lockdown, redactPII, threatProtection } = options;
	// JSON and the JSON mode of change tracking are one extraction; a question was once a query.
	const kindOf = ({ type, modes }: IDataObject) => {
		if (Array.isArray(modes) && (modes as unknown[]).includes('json')) return 'json';
		return type === 'query' ? 'question' : type;
	};
	const kinds = new Set(withType(formats).map(kindOf));
	const isDeterministic = kinds.delete('deterministicJson');
	// It takes the place of the other extraction.
	if (isDeterministic) kinds.delete('json');
	return (
		(ENHANCED_PROXIES.includes(String(proxy)) ? ENHANCED_PAGE : PAGE) +
		AI_FORMATS.filter((format) => kinds.has(format)).length * AI_FORMAT +
		(isDeterministic ? DETERMINISTIC_JSON : 0) +
		(zeroDataRetention === true ? 1 : 0) +
		(lockdown === true ? LOCKDOWN : 0) +
		// Redaction Options stand in the place of the plain yes.
		(redactPII ? REDACTION : 0) +
		(X_URL.test(String(url)) ? X_PAGE : 0) +
		(checksInjection(options) ? INJECTION_CHECK : 0) +
		checkPrice(threatProtection)
	);
}

/**
 * What a request with this body costs if its pages can't be scraped: the checks of their URLs, and that of a page's content,
 * which is billed with the page.
 */
export function checksPrice(body: IDataObject): number {
	const count = Array.isArray(body.urls) ? body.urls.length : 1;
	const contentCheck = checksInjection(body) ? PAGE + INJECTION_CHECK : 0;
	return count * checkPrice(body.threatProtection) + contentCheck;
}

/** Whether a page is searched for instructions to AI; older services take that as part of the format JSON. */
function checksInjection({ checkPromptInjection, formats }: IDataObject): boolean {
	return [{ checkPromptInjection }, ...withType(formats)].some(
		(one: IDataObject) => one.checkPromptInjection === true,
	);
}

/** What the check of a URL costs. */
function checkPrice(threatProtection: unknown): number {
	if (!isObject(threatProtection)) return 0;
	return FREE_CHECKS.includes(String(threatProtection.mode)) ? 0 : URL_CHECK;
}

/** A search with as many results as it may have, and their pages where it scrapes them. */
export function searchPrice(body: IDataObject): number {
	const { limit, sources, enterprise, scrapeOptions, threatProtection } = body;
	const perSource = countOf(limit, RESULTS_BY_DEFAULT);
	const modes = [enterprise].flat().map((mode) => ENTERPRISE_PER_TEN[String(mode)] ?? 0);
	// Its pages are scraped with nothing kept, too.
	const page = { threatProtection, zeroDataRetention: Math.max(...modes) > 0 };
	const results = perSource * withType(sources ?? ['web']).length;
	return (
		Math.ceil(results / 10) * Math.max(PER_TEN_RESULTS, ...modes) +
		results * CHECKED_PER_RESULT * checkPrice(threatProtection) +
		(isObject(scrapeOptions) ? results * pagePrice({ ...page, ...scrapeOptions }) : 0)
	);
}

/** A crawl with as many pages as it may have. */
export function crawlPrice(body: IDataObject): number {
	const { url, limit, scrapeOptions, zeroDataRetention } = body;
	const options = { ...(scrapeOptions as IDataObject | undefined), url, zeroDataRetention };
	return countOf(limit, CRAWLED_BY_DEFAULT) * pagePrice(options);
}

/** An agent task that spends all it may. */
export function agentPrice({ maxCredits }: IDataObject): number {
	return countOf(maxCredits, AGENT_BY_DEFAULT);
}

/** How many a body asks for; the service's default where Additional Body Fields made it no number. */
function countOf(given: unknown, byDefault: number): number {
	return Number(given) > 0 ? Number(given) : byDefault;
}

/** The list of a site's pages, each of which may be checked. */
export function mapPrice({ limit, threatProtection }: IDataObject): number {
	return PAGE + countOf(limit, MAPPED_BY_DEFAULT) * checkPrice(threatProtection);
}

/** An extraction is billed by what a model reads and writes, which nobody knows before. */
export function unknownPrice(): undefined {
	return undefined;
}

/** What a response says was used; undefined where it doesn't say or doesn't know (-1). */
export function creditsIn({ creditsUsed, data }: IDataObject): number | undefined {
	const metadata = (data as IDataObject | undefined)?.metadata as IDataObject | undefined;
	return [creditsUsed, metadata?.creditsUsed].find(
		(value): value is number => typeof value === 'number' && value >= 0,
	);
}

/** Formats or sources, which the service takes as plain texts, too: all as objects with `type`. */
function withType(list: unknown): IDataObject[] {
	return [list]
		.flat()
		.map((entry) => (typeof entry === 'string' ? { type: entry } : entry))
		.filter(isObject);
}

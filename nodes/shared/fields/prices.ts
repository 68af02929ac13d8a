import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../form/field';
import { wholeNumber } from '../form/values';
import { isObject, listOf } from '../transport/json';

/**
 * What requests are known to cost, in credits, before they are sent. What a response says it cost counts instead, once
 * it is there.
 */
const PAGE = 1;
const ENHANCED_PAGE = 5;
/** The price of such a page that is in the cache. */
const LOCKDOWN_PAGE = 5;
const REDACTION = 4;
const THREAT_CHECK = 2;
const AI_FORMAT = 4;
const AI_FORMATS = ['json', 'question', 'highlights', 'audio', 'video'];
const PER_TEN_RESULTS = 2;
const ENTERPRISE_PER_TEN: Record<string, number> = { anon: 2, zdr: 10 };
const RESULTS_BY_DEFAULT = 5;
const CRAWLED_BY_DEFAULT = 10_000;
const AGENT_BY_DEFAULT = 2_500;

/** The most a node run may cost: nothing is sent whose known price might exceed what is left. */
export const creditBudget: Field<number> = wholeNumber({
	displayName: 'Credit Budget',
	name: 'creditBudget',
	default: 100,
	minValue: 1,
	description:
		"Most credits this node may use in one run, over all its items. A request that could exceed it is not sent, and its item fails. Prices come from the service's responses, before the first one from its price list.",
	wire: { in: 'settings' },
});

/** A page, scraped with these options. */
export function pagePrice(options: IDataObject): number {
	const { formats, proxy, lockdown, redactPII, threatProtection, zeroDataRetention } = options;
	const isCostly = ({ type, modes }: IDataObject): boolean =>
		AI_FORMATS.includes(String(type)) ||
		(Array.isArray(modes) && (modes as unknown[]).includes('json'));
	// JSON and the JSON mode of change tracking are one extraction.
	const kinds = new Set(
		listOf(formats)
			.filter(isCostly)
			.map(({ type }) => (type === 'changeTracking' ? 'json' : type)),
	);
	const base = lockdown === true ? LOCKDOWN_PAGE : proxy === 'enhanced' ? ENHANCED_PAGE : PAGE;
	const isChecked = isObject(threatProtection) && threatProtection.mode === 'normal';
	return (
		base +
		kinds.size * AI_FORMAT +
		(redactPII ? REDACTION : 0) +
		(isChecked ? THREAT_CHECK : 0) +
		(zeroDataRetention === true ? 1 : 0)
	);
}

/** A search with as many results as it may have, and their pages where it scrapes them. */
export function searchPrice({ limit, sources, enterprise, scrapeOptions }: IDataObject): number {
	const perSource = Number(limit ?? RESULTS_BY_DEFAULT);
	const types = (Array.isArray(sources) ? sources : ['web']).map((source) =>
		isObject(source) ? source.type : source,
	);
	const modes = Array.isArray(enterprise) ? enterprise : [];
	const perTen = modes.reduce<number>(
		(sum, mode) => sum + (ENTERPRISE_PER_TEN[String(mode)] ?? 0),
		PER_TEN_RESULTS,
	);
	const scraped = types.filter((type) => type !== 'images').length * perSource;
	return (
		Math.ceil((perSource * types.length) / 10) * perTen +
		(scrapeOptions === undefined ? 0 : scraped * pagePrice(scrapeOptions as IDataObject))
	);
}

/** A crawl with as many pages as it may have. */
export function crawlPrice({ limit, scrapeOptions, zeroDataRetention }: IDataObject): number {
	const options = { ...(scrapeOptions as IDataObject | undefined), zeroDataRetention };
	return Number(limit ?? CRAWLED_BY_DEFAULT) * pagePrice(options);
}

/** An agent task that spends all it may. */
export function agentPrice({ maxCredits }: IDataObject): number {
	return Number(maxCredits ?? AGENT_BY_DEFAULT);
}

/** The list of a site's pages. */
export function mapPrice(): number {
	return 1;
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

import { PRICES } from '../../nodes/shared/fields/prices';

import { typesOf, type Entry, type Typed } from '../entry';

export { PRICES };

/** Formats that cost more than the page, because AI or another service does the work. */
const COSTLY_FORMATS = ['question', 'highlights', 'query', 'audio', 'video'];

const X = /^(https?:\/\/)?([\w-]+\.)*(x|twitter)\.com(\/|$)/i;

/**
 * Returns the credits for a page. The single prices are those that the nodes use; how they add up is written anew here.
 * Our assumptions: PDFs have one page, Auto never needs the enhanced proxy, and an agent task costs 10 (mini) or 25
 * (pro) but never more than maxCredits, an extraction 5 per URL, a crawl the price of its pages, charged at its start.
 */
export function pagePrice(options: Entry, url = ''): number {
	const { proxy, lockdown, redactPII, zeroDataRetention, threatProtection } = options;
	const formats = (options.formats as Array<string | Typed> | undefined) ?? [];
	const types = typesOf(formats);
	const isTracked = formats.some(
		(format) => typeof format === 'object' && ((format.modes ?? []) as string[]).includes('json'),
	);
	const isJson = types.includes('json') || isTracked;
	const costly = COSTLY_FORMATS.filter((type) => types.includes(type)).length + (isJson ? 1 : 0);
	const { mode = 'normal' } = (threatProtection ?? { mode: 'off' }) as Entry;
	const added = [
		lockdown === true && !isJson ? PRICES.lockdownPage - PRICES.page : 0,
		proxy === 'enhanced' ? PRICES.enhancedPage - PRICES.page : 0,
		X.test(url) ? PRICES.xPage - PRICES.page : 0,
		redactPII ? PRICES.redaction : 0,
		zeroDataRetention === true && lockdown !== true ? PRICES.zeroDataRetention : 0,
		mode === 'normal' ? PRICES.threatCheck : 0,
		costly * PRICES.aiFormat,
	];
	return added.reduce((sum, one) => sum + one, PRICES.page);
}

/** Returns the total credits for some pages. */
export const pricesOf = (options: Entry, urls: string[]) =>
	urls.reduce((sum, url) => sum + pagePrice(options, url), 0);

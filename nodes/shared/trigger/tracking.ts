import { booleanField } from '../form/controls';

/** Parameters that don't identify a page: some by prefix, others by full name. */
const BEGINNINGS = ['utm_', 'mc_', 'pk_', 'mtm_', 'hsa_', 'oly_', 'vero_', '_hs', '__hs'];
const NAMES = [
	...['_ga', '_gl', 'dclid', 'fbclid', 'gad_source', 'gbraid', 'gclid', 'gclsrc', 'igshid'],
	...['mkt_tok', 'msclkid', 'ref_src', 'srsltid', 'ttclid', 'twclid', 'wbraid', 'yclid'],
];

export const ignoreTracking = booleanField('ignoreTracking', 'Ignore Tracking Parameters', {
	description: `Whether to treat URLs as the same that differ only in these parameters: ${BEGINNINGS.join('…, ')}…, ${NAMES.join(', ')}`,
	wire: { in: 'settings' },
});

/**
 * Removes the tracking parameters from a URL. The others stay as they were written; searchParams would rewrite them.
 */
export function removeTracking(url: URL): void {
	const parts = url.search.slice(1).split('&');
	const kept = parts.filter((part) => !isTracking(part));
	if (kept.length < parts.length) url.search = kept.join('&');
}

function isTracking(part: string): boolean {
	const [name = ''] = new URLSearchParams(part).keys();
	const lower = name.toLowerCase();
	return NAMES.includes(lower) || BEGINNINGS.some((beginning) => lower.startsWith(beginning));
}

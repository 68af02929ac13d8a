import { typesOf, type Entry, type Typed } from '../entry';

/** Formats that cost more than the page, because AI or another service does the work. */
const COSTLY_FORMATS = ['json', 'question', 'highlights', 'audio', 'video'];

/**
 * Returns the credits for a page. From api/openapi.yaml: an enhanced proxy up to 5 per request, PDFs 1 per page (ours
 * have one), in searches zdr 10 and anon 2 per 10 results. Our assumptions: a search costs 2 per 10 results, a scraped
 * page 1 and each costly format of it 4 more, an agent task 10 (mini) or 25 (pro) but never more than maxCredits, an
 * extraction 5 per URL, a crawl what its pages cost at its start, a map 1.
 */
export function pagePrice({ proxy, formats }: Entry): number {
	const types = typesOf(formats as Array<string | Typed> | undefined);
	const costly = COSTLY_FORMATS.filter((type) => types.includes(type));
	return (proxy === 'enhanced' ? 5 : 1) + 4 * costly.length;
}

/**
 * Returns all pages of a crawl with nothing but fetch and JSON.parse: no limit, no retry, no checks, no hiding of the
 * key.
 * @param {string} url the crawl's status
 * @param {string} apiKey
 * @returns {Promise<object[]>}
 */
export async function pagesInALoop(url, apiKey) {
	const pages = [];
	for (let next = url; next;) {
		const response = await fetch(next, { headers: { authorization: `Bearer ${apiKey}` } });
		const body = JSON.parse(await response.text());
		pages.push(...body.data);
		({ next } = body);
	}
	return pages;
}

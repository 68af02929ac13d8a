/** Whether one pattern fits a URL, in any case: with `*` the whole URL, without it a part of it. */
function fitsPattern(url: string, pattern: string): boolean {
	const [first, ...rest] = pattern.toLowerCase().split('*');
	const text = url.toLowerCase();
	if (rest.length === 0) return text.includes(first);
	const last = rest.pop()!;
	if (!text.startsWith(first)) return false;
	let position = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, position);
		if (found < 0) return false;
		position = found + part.length;
	}
	return text.length - position >= last.length && text.endsWith(last);
}

/** Whether a crawl's URL fits one of the patterns; without patterns every crawl does. */
export function matchesUrl(url: string | undefined, patterns: string[]): boolean {
	if (patterns.length === 0) return true;
	return url !== undefined && patterns.some((pattern) => fitsPattern(url, pattern));
}

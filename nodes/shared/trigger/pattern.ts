/** Whether a pattern matches a text, ignoring case: with `*` the whole text, otherwise a part of it. */
function fitsPattern(text: string, pattern: string): boolean {
	const [first, ...rest] = pattern.toLowerCase().split('*');
	const lower = text.toLowerCase();
	if (rest.length === 0) return lower.includes(first);
	const last = rest.pop()!;
	if (!lower.startsWith(first)) return false;
	let position = first.length;
	for (const part of rest) {
		const found = lower.indexOf(part, position);
		if (found < 0) return false;
		position = found + part.length;
	}
	return lower.length - position >= last.length && lower.endsWith(last);
}

export function fitsAny(text: string, patterns: string[]): boolean {
	return patterns.some((pattern) => fitsPattern(text, pattern));
}

/** Whether a URL matches one of the patterns; one without a path may also end with a slash. */
export function fitsAnyUrl(url: string, patterns: string[]): boolean {
	const isBare = /^[^/]+:\/\/[^/?#]+$/.test(url);
	return fitsAny(url, patterns) || (isBare && fitsAny(`${url}/`, patterns));
}

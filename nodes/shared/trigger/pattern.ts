/**
 * Returns a function that says whether one of the patterns matches a string, ignoring case. A pattern with `*` must
 * match the whole text, one without it a part.
 */
export function fitterOf(patterns: string[]): (text: string) => boolean {
	const parted = patterns.map((pattern) => pattern.toLowerCase().split('*'));
	return (text) => {
		const lower = text.toLowerCase();
		return parted.some((parts) => fits(lower, parts));
	};
}

/** The same for URLs: one without a path may also have a final slash. */
export function urlFitterOf(patterns: string[]): (url: string) => boolean {
	const fitsAny = fitterOf(patterns);
	return (url) => {
		const isBare = /^[^/]+:\/\/[^/?#]+$/.test(url);
		return fitsAny(url) || (isBare && fitsAny(`${url}/`));
	};
}

/** Whether the parts of a pattern, split at its asterisks, match a string. */
function fits(text: string, [first, ...rest]: string[]): boolean {
	const last = rest.pop();
	if (last === undefined) return text.includes(first);
	if (!text.startsWith(first)) return false;
	let position = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, position);
		if (found < 0) return false;
		position = found + part.length;
	}
	return text.length - position >= last.length && text.endsWith(last);
}

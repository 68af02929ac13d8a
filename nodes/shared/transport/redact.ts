import type { IDataObject } from 'n8n-workflow';

const MASK = '[API key]';
// Shorter ones are placeholders; replacing them would tear words apart.
const SHORTEST_KEY = 4;

/** A function that removes an API key from a text, in every form it can come back in. */
export function redactor(apiKey: string): (text: string) => string {
	if (apiKey.length < SHORTEST_KEY) return (text) => text;
	const forms = [
		...new Set([
			encodeURIComponent(apiKey),
			JSON.stringify(apiKey).slice(1, -1),
			Buffer.from(apiKey).toString('base64'),
			apiKey,
		]),
	];
	return (text) => {
		let clean = text;
		for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, MASK);
		return clean;
	};
}

/** A copy of a JSON value with all its texts, keys too, changed by the given function. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
	if (typeof value !== 'object' || value === null) return value;
	const copy: IDataObject = {};
	for (const [key, entry] of Object.entries(value)) {
		copy[change(key)] = mapTexts(entry, change) as IDataObject;
	}
	return copy;
}

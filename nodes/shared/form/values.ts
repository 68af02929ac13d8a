import { beginningOf } from '../text';
import { invalid, isEmpty, quoted } from './checks';
import type { Field, Place } from './field';

/**
 * Texts from a field that takes one per line, or an array from an expression. A JSON array of texts is taken too,
 * because that is how a model fills such a field. Empty lines are left out; undefined when nothing remains.
 */
export function lines(entered: unknown, place: Place): string[] | undefined {
	const list = entries(entered);
	if (list === undefined) {
		throw invalid(place, 'is neither text nor a list', 'Enter one per line, or give an array.');
	}
	const texts = list.map((entry, index) => {
		if (typeof entry === 'string' || typeof entry === 'number') return String(entry).trim();
		throw invalid(
			place,
			`has an entry that is not text (number ${index + 1})`,
			'Give an array of texts.',
		);
	});
	const filled = texts.filter((text) => text !== '');
	return filled.length > 0 ? filled : undefined;
}

/**
 * What was entered for a list of choices, unchecked: an array or one of them, or what models write: a JSON array, or
 * texts with commas or line ends between them. No choice has a comma in it.
 */
export function choicesIn(entered: unknown): unknown[] {
	const list =
		typeof entered === 'string'
			? (jsonTexts(entered) ?? entered.split(/[,\n]/).map((text) => text.trim()))
			: [entered].flat();
	return list.filter((entry) => !isEmpty(entry));
}

function entries(entered: unknown): unknown[] | undefined {
	if (Array.isArray(entered)) return entered;
	if (typeof entered === 'number') return [entered];
	if (typeof entered !== 'string') return undefined;
	return jsonTexts(entered) ?? entered.split(/\r?\n/);
}

/** What a JSON array holds; undefined for other lines, of which the first may begin with a bracket: `[0]` is a pattern. */
function jsonTexts(text: string): unknown[] | undefined {
	try {
		const parsed: unknown = JSON.parse(text);
		if (!Array.isArray(parsed)) return undefined;
		return parsed.length > 0 && parsed.every((entry) => typeof entry === 'number')
			? undefined
			: parsed;
	} catch {
		return undefined;
	}
}

/** URLs, one per line or an array; each needs its scheme. Throws for one that is none. */
export function urls(entered: unknown, place: Place): string[] | undefined {
	return checkedUrls(entered, place, checkUrl);
}

/** URLs like those of urls(), which the service judges: only an entry that holds several is rejected. */
export function urlLines(entered: unknown, place: Place): string[] | undefined {
	return checkedUrls(entered, place, checkOne);
}

function checkedUrls(entered: unknown, place: Place, check: UrlCheck): string[] | undefined {
	// Lists are pasted with their bullets.
	const list = lines(entered, place)?.map((entry) => entry.replace(/^[-*]\s+/, ''));
	list?.forEach((entry, index) => {
		const which = `has "${beginningOf(entry, 80)}" (number ${index + 1})`;
		check(entry, which, 'Enter one per line.', place);
	});
	return list;
}

/** One URL with its scheme. */
export function url(entered: unknown, place: Place): string | undefined {
	if (typeof entered !== 'string') {
		throw invalid(place, `is ${quoted(entered)}, which is not text`, 'Enter one URL.');
	}
	const text = entered.trim();
	if (text === '') return undefined;
	checkUrl(
		text,
		`is "${beginningOf(text, 80)}"`,
		'Enter one URL; other URLs need items of their own.',
		place,
	);
	return text;
}

/** Throws for a bad entry; `which` says what was entered, `oneOnly` what to do about several in a line. */
type UrlCheck = (entry: string, which: string, oneOnly: string, place: Place) => void;

/** Rejects what isn't one URL. */
const checkUrl: UrlCheck = (entry, which, oneOnly, place) => {
	if (!/^https?:\/\/[^/]/i.test(entry)) {
		if (/[,;|]\s*https?:\/\//i.test(entry)) checkOne(entry, which, oneOnly, place);
		// A path or a query may hold another URL, a sentence or a link of Markdown holds the one that is meant.
		const within = /(?<=[\s<(["'])https?:\/\/[^\s<>()[\]"']*[^\s<>()[\]"'.,;:]/i.exec(entry)?.[0];
		if (within !== undefined) {
			throw invalid(place, `${which}, which is not a URL`, `Enter the URL alone: ${within}.`);
		}
		const meant = entry.replace(/^(\w+:\/+|\/+)/, '') || 'example.com';
		throw invalid(
			place,
			`${which}, which is not a URL`,
			`Begin it with https://, e.g. https://${meant}.`,
		);
	}
	checkOne(entry, which, oneOnly, place);
	if (/\s/.test(entry)) {
		throw invalid(place, `${which}, which has a space in it`, 'Write a space in a URL as %20.');
	}
	if (!isUrl(entry)) {
		throw invalid(place, `${which}, which is not a URL`, 'Check its host name and port.');
	}
};

/** Rejects more than one URL. */
const checkOne: UrlCheck = (entry, which, oneOnly, place) => {
	// A path or a query may well hold another URL, but not behind a separator.
	if (/(^[^?#]*[,;|]|\s)https?:\/\//i.test(entry)) {
		throw invalid(place, `${which}, which is more than one URL`, oneOnly);
	}
};

/** Not URL.canParse(), which rejects international names now and then in Node 20. */
function isUrl(text: string): boolean {
	try {
		return new URL(text).host !== '';
	} catch {
		return false;
	}
}

/** ISO 3166-1 code of a country: two letters, sent in capitals. */
export function countryCode(entered: unknown, place: Place): string | undefined {
	const text = String(entered).trim();
	if (text === '') return undefined;
	if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
	throw invalid(
		place,
		`is "${beginningOf(text, 40)}", but must be a two-letter country code`,
		'Use the ISO 3166-1 code, e.g. US for the United States or DE for Germany.',
	);
}

/**
 * An object from name and value pairs as a fixed collection gives them: `{ pair: [{ name, value }] }`. Throws for a
 * name that comes twice, also in other capitals, and for a value that is an object.
 */
export function pairs(entered: unknown, place: Place): Record<string, string> | undefined {
	const { pair } = entered as { pair?: Array<{ name?: unknown; value?: unknown }> };
	const found = new Map<string, [name: string, value: string]>();
	for (const row of pair ?? []) {
		const odd = [row.name, row.value].find((part) => typeof part === 'object' && part !== null);
		if (odd !== undefined) {
			throw invalid(
				place,
				`has ${quoted(odd)} as a name or value, which is not text`,
				'Give names and values as text.',
			);
		}
		const [name, value] = [String(row.name ?? '').trim(), String(row.value ?? '')];
		if (name === '' && value === '') continue;
		if (name === '') {
			throw invalid(place, 'has a value without a name', 'Give each value a name.');
		}
		if (found.has(name.toLowerCase())) {
			throw invalid(place, `has "${name}" twice`, 'Keep one of them.');
		}
		found.set(name.toLowerCase(), [name, value]);
	}
	return found.size > 0 ? Object.fromEntries(found.values()) : undefined;
}

/** A control for name and value pairs, sent as one object. */
export function pairsField(field: {
	displayName: string;
	name: string;
	description: string;
	example: [name: string, value: string];
	addText: string;
}): Field {
	return {
		displayName: field.displayName,
		name: field.name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: field.addText },
		default: {},
		placeholder: field.addText,
		description: field.description,
		wire: { value: pairs },
		options: [
			{
				displayName: 'Pair',
				name: 'pair',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						required: true,
						placeholder: `e.g. ${field.example[0]}`,
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: `e.g. ${field.example[1]}`,
					},
				],
			},
		],
	};
}

/** A control for a whole number, checked against its limits before it is sent. */
export function wholeNumber(
	field: Omit<Field<number>, 'type' | 'typeOptions' | 'default'> & {
		default: number;
		minValue: number;
		maxValue?: number;
	},
): Field<number> {
	const { minValue, maxValue, ...property } = field;
	return {
		...property,
		type: 'number',
		typeOptions: { minValue, ...(maxValue !== undefined && { maxValue }), numberPrecision: 0 },
	};
}

/** A control for several texts, one per line or an array from an expression. */
export function linesField(
	field: Pick<Field, 'displayName' | 'name' | 'description'> & {
		example: string;
		required?: boolean;
		hint?: string;
		wire?: Field['wire'];
	},
): Field {
	const { example, wire, ...property } = field;
	return {
		...property,
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: `e.g. ${example}`,
		hint: field.hint ?? 'One per line, or an expression that gives an array',
		wire: { value: lines, ...wire },
	};
}

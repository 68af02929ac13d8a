import type { Field, Place } from './field';
import { invalid, quoted } from './checks';

/**
 * Texts from a field that takes one per line, or an array from an expression. JSON array text is taken too,
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
			`has an entry that is not a text (number ${index + 1})`,
			'Give an array of texts.',
		);
	});
	const filled = texts.filter((text) => text !== '');
	return filled.length > 0 ? filled : undefined;
}

function entries(entered: unknown): unknown[] | undefined {
	if (Array.isArray(entered)) return entered;
	if (typeof entered === 'number') return [entered];
	if (typeof entered !== 'string') return undefined;
	try {
		const parsed: unknown = JSON.parse(entered);
		if (Array.isArray(parsed)) return parsed;
	} catch {
		// Not JSON but lines, of which the first may well begin with a bracket.
	}
	return entered.split(/\r?\n/);
}

/** Web addresses, one per line or an array; each needs its scheme. Throws for one that has none. */
export function urls(entered: unknown, place: Place): string[] | undefined {
	const list = lines(entered, place);
	list?.forEach((entry, index) => checkUrl(entry, place, index));
	return list;
}

/** One web address with its scheme. */
export function url(entered: unknown, place: Place): string | undefined {
	if (typeof entered !== 'string') {
		throw invalid(place, `is ${quoted(entered)}, which is not a text`, 'Give one web address.');
	}
	const text = entered.trim();
	if (text === '') return undefined;
	checkUrl(text, place);
	return text;
}

function checkUrl(entry: string, place: Place, index?: number): void {
	if (/^https?:\/\/[^\s/]/i.test(entry)) return;
	const which =
		index === undefined
			? `is "${entry.slice(0, 80)}"`
			: `has "${entry.slice(0, 80)}" (number ${index + 1})`;
	throw invalid(
		place,
		`${which}, which is not a web address`,
		`Begin it with https://, e.g. https://${entry.replace(/^(\w+:\/+|\/+)/, '') || 'example.com'}.`,
	);
}

/** ISO 3166-1 code of a country: two letters, sent in capitals. */
export function countryCode(entered: unknown, place: Place): string | undefined {
	const text = String(entered).trim();
	if (text === '') return undefined;
	if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
	throw invalid(
		place,
		`is "${text.slice(0, 40)}", but must be a two-letter country code`,
		'Use the ISO 3166-1 code, e.g. US for the United States or DE for Germany.',
	);
}

/** An object from name and value pairs as a fixed collection gives them: `{ pair: [{ name, value }] }`. */
export function pairs(entered: unknown, place: Place): Record<string, string> | undefined {
	const { pair } = entered as { pair?: Array<{ name?: unknown; value?: unknown }> };
	const entries: Array<[string, string]> = [];
	for (const { name, value } of pair ?? []) {
		const key = String(name ?? '').trim();
		const text = String(value ?? '');
		if (key !== '') entries.push([key, text]);
		else if (text !== '') {
			throw invalid(place, 'has a value without a name', 'Give each value a name.');
		}
	}
	return entries.length > 0 ? Object.fromEntries(entries) : undefined;
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

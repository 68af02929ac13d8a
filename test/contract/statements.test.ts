/** What a person reads in a form is what the contract says: defaults, limits, prices and units. */
import { beyondFile, documentFile } from '../../api/files';
import { PRICES } from '../../nodes/shared/fields/prices';
import { choicesOf } from '../../nodes/shared/form/field';
import { ownTexts, priceTexts } from './explained';
import { isAlwaysSent, type Statement, statements } from './statements';

const all = statements();
const prices = {
	...(documentFile['x-prices'] as object),
	...(beyondFile['x-prices'] as object),
} as Record<keyof typeof PRICES, number>;
const explained = [...priceTexts(prices), ...ownTexts];

/** Returns the values that the contract's keyword has for the control, as JSON, in the control's unit. */
const said = ({ contract, field }: Statement, ...keywords: string[]) => {
	const unitMs = field?.wire?.unitMs;
	const values = contract.flatMap(({ rules }) =>
		keywords.flatMap((keyword) => rules[keyword] ?? []),
	);
	return [...new Set(values.map((value) => (unitMs ? String(Number(value) / unitMs) : value)))];
};

/**
 * Controls that begin with another value than the service's: the one for which a person adds them, n8n's usual limit,
 * and the time that a poll has.
 */
const OWN_DEFAULTS =
	/options\.(mode|timezone)$|onTermsRequired$|(Site|Page Trigger) → options\.limit$|Page Trigger → .*[oO]ptions\.timeout$/;

/** Controls that ask for more than the contract does: the service's own least, as their text says. */
const OWN_LEAST = /File → \w+\.timeout$/;

const LARGEST = ['maximum', 'maxLength', 'maxItems'];
const SMALLEST = ['minimum', 'minLength', 'minItems'];

/** Returns the JSON of a default as a text writes it. */
function valueOf(written: string, { field }: Statement): string {
	if (/^(on|off)$/.test(written)) return String(written === 'on');
	if (/^\d+$/.test(written)) return written;
	const choices = field === undefined ? [] : choicesOf(field);
	const chosen = choices.find(
		({ name, value }) => [name, value].includes(written) || name.toLowerCase() === written,
	);
	return JSON.stringify(chosen?.value ?? written);
}

const DEFAULTS = [
	/[Tt]he (?:service )?default is (?<written>[\w-]+)/,
	/(?<written>[\w-]+) is its normal size, the service default/,
	/This is the default|\(default\)/,
];

/** What a text says of limits: from the first to the second. */
const LIMITS = [
	/(?<least>\d[\d,.]*) to (?<most>\d[\d,]*)/,
	/(?:[Uu]p to|[Aa]t most) (?<most>\d[\d,]*)/,
	/[Aa]t least (?<least>\d[\d,]*)/,
];

const UNITS = /\((Ms|Seconds|Minutes|Hours)\)|\b([Mm]illi)?[Ss]econds\b/g;
/** Numbers, but not those in names, such as MP3. */
const NUMBERS =
	/(?<![\p{L}\d])\d(?:[\d,.]*\d)?(?!\p{L})|\b(half|twice|two|three|four|five|six|seven|ten|hundred|thousand)\b/giu;
const unitOf = (text: string) =>
	/^\(?(ms|milli)/i.test(text)
		? 'Milliseconds'
		: /^\(?s/i.test(text)
			? 'Seconds'
			: text === '(Hours)'
				? 'Hours'
				: 'Minutes';

/** The units in which controls take a time, by their length (ms). */
const UNITS_ENTERED: Record<number, string> = { 1_000: 'Seconds', 3_600_000: 'Hours' };

/** Returns what is wrong with a statement: each part of a text that the contract or the list explains is taken out. */
function wrongIn(statement: Statement): string[] {
	const { field, texts, where, value } = statement;
	const wrong: string[] = [];
	const expect = (what: string, found: string[], wanted: string[]) => {
		if (String(found) === String(wanted) && found.length > 0) return;
		wrong.push(
			`${where}: ${what} ${String(found)}, the contract says ${String(wanted) || 'nothing'}`,
		);
	};
	for (const [at, phrases] of explained) {
		if (!at.test(where)) continue;
		const lacking = phrases.filter((phrase) => !texts.some((text) => text.includes(phrase)));
		if (lacking.length > 0) wrong.push(`${where}: does not say "${lacking.join('", "')}"`);
	}
	let namesDefault = false;
	for (const full of texts) {
		let text = full;
		for (const [at, phrases] of explained) {
			if (!at.test(where)) continue;
			for (const phrase of phrases) {
				if (text.includes(phrase)) namesDefault ||= /default|unless/.test(phrase);
				text = text.replace(phrase, '…');
			}
		}
		for (const pattern of DEFAULTS) {
			const match = pattern.exec(text);
			if (match === null) continue;
			namesDefault = true;
			const written = match.groups?.written;
			const name = written === undefined ? JSON.stringify(value) : valueOf(written, statement);
			expect('default', [name], said(statement, 'default'));
			text = text.replace(pattern, '…');
		}
		for (const pattern of LIMITS) {
			const match = pattern.exec(text);
			if (match === null) continue;
			const { least, most } = match.groups!;
			const plain = (written: string) => [written.replace(/,/g, '')];
			if (most) expect('limit', plain(most), said(statement, ...LARGEST));
			if (least) expect('limit', plain(least), said(statement, ...SMALLEST));
			text = text.replace(pattern, '…');
		}
		const [unit] = statement.contract.map(
			({ description }) => /(Millis|S)econds/.exec(description ?? '')?.[0],
		);
		const { unitMs } = field?.wire ?? {};
		const entered = unitMs ? UNITS_ENTERED[unitMs] : unit;
		if (unitMs && unit) expect('unit sent', ['Milliseconds'], [unit]);
		for (const [found] of text.matchAll(UNITS)) {
			expect('unit', [unitOf(found)], entered ? [entered] : []);
		}
		const placeholder = field?.placeholder ?? '';
		const values = `${placeholder} ${String(value ?? '')}`.toLowerCase();
		const numbers = [...text.matchAll(NUMBERS)]
			.map(([number]) => number)
			.filter((number) => !values.includes(number.toLowerCase()));
		if (numbers.length > 0)
			wrong.push(`${where}: nothing explains ${String(numbers)} in "${full}"`);
		if (/default|unless set/i.test(text))
			wrong.push(`${where}: nothing explains the default in "${full}"`);
	}
	if (field && value === undefined) {
		const { maxValue } = field.typeOptions ?? {};
		const most = maxValue ?? field.wire?.maxLength;
		if (said(statement, ...LARGEST).length > 0 && most !== undefined)
			expect('limit', [String(most)], said(statement, ...LARGEST));
		const { minValue } = field.typeOptions ?? {};
		const hasLeast = said(statement, ...SMALLEST).length > 0 && !OWN_LEAST.test(where);
		if (hasLeast && minValue !== undefined)
			expect('least', [String(minValue)], said(statement, ...SMALLEST));
		const standard = said(statement, 'default');
		const isOnChoice = all.some(
			(one) => one.field === field && /default\)?$/.test(one.texts[1] ?? ''),
		);
		// The form shows it, or the control is only there to switch it.
		const shown = [field.default].flat().map((type) => ({ type }));
		const isShown =
			field.type === 'boolean' ||
			standard.some((one) => [field.default, shown].some((some) => JSON.stringify(some) === one));
		const isOwn = field.type === 'boolean' || isAlwaysSent(field) || OWN_DEFAULTS.test(where);
		if (standard.length > 0 && !isShown && !isOwn) {
			wrong.push(
				`${where}: begins with ${JSON.stringify(field.default)}, the default is ${String(standard)}`,
			);
		}
		if (standard.length > 0 && !namesDefault && !isOnChoice && !isShown && !isAlwaysSent(field)) {
			wrong.push(`${where}: does not name the default ${String(standard)}`);
		}
	}
	return wrong;
}

it('the prices of the forms are those of the contract', () => {
	expect(PRICES).toEqual(prices);
});

it('forms say of defaults, limits, prices and units what the contract says', () => {
	expect([...new Set(all.flatMap(wrongIn))]).toEqual([]);
});

it('each choice has something to choose', () => {
	const choices = all.filter(({ field, value }) => /ptions$/.test(field?.type ?? '') && !value);
	const empty = choices.filter(({ field }) => choicesOf(field!).length === 0);
	expect(empty.map(({ where }) => where)).toEqual([]);
	expect(choices.length).toBeGreaterThan(100);
});

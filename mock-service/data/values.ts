import { hash, pick } from './hash';
import { capital, SENTENCES } from './texts';

/** A field to fill, and the page that it is filled from. */
export interface Wanted {
	/** Words of the field's name and format, in lower case: `publishedOn` → `published on`. */
	words: string;
	/** Position in a list. */
	index: number;
	url: string;
	title: string;
	topic: string;
}

type Rule<T> = [pattern: RegExp, make: (wanted: Wanted, n: number) => T];

const PEOPLE = ['Ada Larsen', 'Noor Haddad', 'Jun Okafor'];
const PLACES = ['Storgata 12, Oslo', 'Rua Augusta 40, Lisbon', 'Kimathi Street 7, Nairobi'];

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : 'northwind.example');

/** Returns who is behind a page, by its address: `blue-lamp.example` → `Blue Lamp`. */
const companyOf = (url: string) =>
	(hostOf(url).split('.').at(-2) ?? 'northwind').split('-').map(capital).join(' ');

/** Returns a day of the year 2026. */
function dayOf({ words }: Wanted, n: number): string {
	const day = new Date(Date.UTC(2026, 0, 1 + (n % 300))).toISOString();
	return words.includes('date time') ? day.replace('.000', '') : day.slice(0, 10);
}

/** Returns a price; all prices of a page are that of one thing. */
const priceOf = ({ url, topic }: Wanted) => 10 + (hash(topic, url) % 90) + 0.9;

/** Texts by the words of a field's name; the first rule that fits is used. */
const TEXTS: Array<Rule<string>> = [
	[/\be ?mails?\b/, ({ url }) => `hello@${hostOf(url)}`],
	[
		/\b(image|photo|picture|logo)s?\b/,
		({ url, index }) => `https://${hostOf(url)}/${index + 1}.jpg`,
	],
	[/\b(ur[li]|href|link|website|homepage|source)s?\b/, ({ url, index }) => `${url}#${index + 1}`],
	[/\b(phone|telephone|fax)s?\b/, (_, n) => `+1 555 01${10 + (n % 90)}`],
	[/\b(year|founded|established)\b/, (_, n) => String(1980 + (n % 45))],
	[/\b(date|day|published|posted|created|updated|starts?|ends?|deadline)\b|\bon$/, dayOf],
	[/\b(author|people|person|contact|ceo|founder)s?\b|\bby$/, (_, n) => pick(PEOPLE, n)],
	[/\bcurrency\b/, () => 'USD'],
	[/\b(price|cost|fee|amount|salary)s?\b/, (wanted) => `$${priceOf(wanted).toFixed(2)}`],
	[/\b(address|street|city|location|place|country)\b/, (_, n) => pick(PLACES, n)],
	[/\b(sku|isbn|id|code|number)\b/, (_, n) => `A-${1000 + (n % 9000)}`],
	[/\b(availability|available|stock)\b/, (_, n) => pick(['In stock', 'Sold out'], n)],
	[
		/\b(company|organi[sz]ation|vendor|seller|publisher|employer|brand|competitor)s?\b/,
		({ url, index }) => numbered(companyOf(url), index),
	],
	[/\b(name|title|headline|product|subject|event)\b/, ({ title, index }) => numbered(title, index)],
];

/** Returns a name that differs from those before it in its list. */
const numbered = (name: string, index: number) => (index > 0 ? `${name} ${index + 1}` : name);

/** Numbers by the words of a field's name; those of whole numbers are rounded. */
const NUMBERS: Array<Rule<number>> = [
	[/\b(rating|stars|score)\b/, (_, n) => 3 + (n % 20) / 10],
	[/\b(year|founded|established)\b/, (_, n) => 1980 + (n % 45)],
	[/\b(price|cost|fee|amount|rent)s?\b/, priceOf],
];

/** Returns the words of a name: `imageUrl` → `image url`. */
export const wordsOf = (name: string) =>
	name
		.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
		.replace(/[^a-z\d]+/gi, ' ')
		.trim()
		.toLowerCase();

/** Returns a text that fits the field's name, else any sentence. */
export function textFor(wanted: Wanted): string {
	const n = hash(wanted.topic, wanted.url, wanted.words) + wanted.index;
	const rule = TEXTS.find(([pattern]) => pattern.test(wanted.words));
	return rule ? rule[1](wanted, n) : pick(SENTENCES, n);
}

/** Returns a number that fits the field's name, else one from 1 to 100. */
export function numberFor(wanted: Wanted, isWhole: boolean): number {
	const n = hash(wanted.topic, wanted.url, wanted.words, wanted.index);
	const rule = NUMBERS.find(([pattern]) => pattern.test(wanted.words));
	const made = rule ? rule[1](wanted, n) : 1 + (n % 100);
	return isWhole ? Math.round(made) : made;
}

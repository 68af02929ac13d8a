import { hash, pick } from './hash';
import { capital, SENTENCES, slug } from './texts';

/** A field to fill, and the page that it is filled from. */
export interface Wanted {
	/** Words of the field's name and format, in lower case: `publishedOn` → `published on`. */
	words: string;
	description: string;
	/** Words of the field around it, such as the list that its object is in. */
	around: string;
	/** Position in a list. */
	index: number;
	url: string;
	title: string;
	topic: string;
}

/** What a field in no list and without a description has. */
export const EMPTY = { words: '', description: '', around: '', index: 0 };

type Rule<T> = [pattern: RegExp, make: (wanted: Wanted, n: number) => T];

const PEOPLE = ['Ada Larsen', 'Noor Haddad', 'Jun Okafor'];
const PLACES = [
	['Oslo', 'Norway', 'Storgata 12, 0155 Oslo'],
	['Lisbon', 'Portugal', 'Rua Augusta 40, 1100 Lisbon'],
	['Nairobi', 'Kenya', 'Kimathi Street 7, 00100 Nairobi'],
];

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : 'northwind.example');

/** Returns a number that is the same for all fields of a page. */
const ofPage = ({ url, topic }: Wanted) => hash(topic, url);

const placeOf = (wanted: Wanted) => pick(PLACES, ofPage(wanted));

const labelOf = (url: string) => hostOf(url).split('.').at(-2) ?? 'northwind';

/** Returns who is behind a page: its subject if the address is named so, else by the address: `blue-lamp.example` → `Blue Lamp`. */
function companyOf({ url, title }: Wanted): string {
	const label = labelOf(url);
	return slug(title) === label ? title : label.split('-').map(capital).join(' ');
}

/** Returns a day of the year 2026, `later` days after that of the page. */
function dayOf(wanted: Wanted, later: number): string {
	const day = new Date(Date.UTC(2026, 0, 1 + (ofPage(wanted) % 300) + later)).toISOString();
	return /date time/.test(wanted.words) ? day.replace('.000', '') : day.slice(0, 10);
}

/** Returns a price; all prices of a page are that of one thing. */
function priceOf(wanted: Wanted): number {
	const n = ofPage(wanted);
	return /\brent\b/.test(wanted.description) ? 800 + (n % 25) * 50 : 10 + (n % 90) + 0.9;
}

const one =
	(...texts: string[]) =>
	({ index }: Wanted, n: number) =>
		pick(texts, n + index);

/** Texts by the words of a field's name; the first rule that fits is used. */
const TEXTS: Array<Rule<string>> = [
	[/\bmailto\b/, ({ url }) => `mailto:hello@${hostOf(url)}`],
	[/\be ?mails?\b/, ({ url }) => `hello@${hostOf(url)}`],
	[
		/\b(image|img|photo|picture|logo|thumbnail)s?\b/,
		({ url, index }) => `https://${hostOf(url)}/images/${index + 1}.jpg`,
	],
	[/\bsocial\b/, (wanted) => `https://social-${wanted.index + 1}.example/${labelOf(wanted.url)}`],
	[
		/\b(url|uri|href|link|website|homepage|site|source)s?\b/,
		({ url, index }) => (index > 0 ? `${url}#${index + 1}` : url),
	],
	[/\b(phone|telephone|mobile|fax)s?\b/, ({ index }, n) => `+1 555 01${10 + ((n + index) % 90)}`],
	[
		/\bcontact\b(?! names?)/,
		(wanted) => `${pick(PEOPLE, ofPage(wanted))}, hello@${hostOf(wanted.url)}`,
	],
	[/\b(year|founded|established|built)\b/, (_, n) => String(1980 + (n % 45))],
	[/\bends?\b/, (wanted) => dayOf(wanted, 1)],
	[
		/\b(until|deadline|expires?|updated|changed|modified|due|apply by|closes?)\b/,
		(wanted) => dayOf(wanted, 14),
	],
	[
		/\b(date|day|published|posted|created|starts?|begins?|since)\b|\b(on|at)$/,
		(wanted) => dayOf(wanted, 0),
	],
	[
		/\b(author|people|person|contact|ceo|founder|owner|agent|speaker|performer|host|writer|reviewer|manager|recruiter|(first|last|full|user|contact) name)s?\b|\bby$/,
		(wanted, n) => pick(PEOPLE, n + wanted.index),
	],
	[/\bcurrency\b/, () => 'USD'],
	[/\b(salary|wage|pay|compensation)\b/, (_, n) => `$${45 + (n % 50)},000 a year`],
	[/\b(price|cost|fee|amount|revenue|budget)s?\b/, (wanted) => `$${priceOf(wanted).toFixed(2)}`],
	[/\b(rating|score|stars)\b/, (_, n) => `${3 + (n % 20) / 10} of 5`],
	[/\b(countr(y|ies)|nation)\b/, (wanted) => placeOf(wanted)[1]],
	[/\b(address|street)\b/, (wanted) => placeOf(wanted)[2]],
	[/\b(city|town|location|place|region|headquarters)s?\b/, (wanted) => placeOf(wanted)[0]],
	[/\b(sku|mpn|gtin|ean|isbn|id|code|number)\b/, (_, n) => `A-${1000 + (n % 9000)}`],
	[/\b(availability|available|stock)\b/, one('In stock', 'Sold out')],
	[/\b(area|size|surface)\b/, (_, n) => `${40 + (n % 90)} m²`],
	[/\b(duration|time|length)\b/, (_, n) => `${15 + (n % 9) * 5} minutes`],
	[/\b(employees|headcount|staff)\b/, one('11–50', '51–200', '201–500')],
	[/\bindustr(y|ies)\b|\bsector\b/, one('Retail', 'Software', 'Tourism')],
	[/\b(section|categor(y|ies)|genre)\b/, one('Home', 'Business', 'Travel')],
	[/\b(topic|tag|keyword)s?\b/, one('prices', 'trends', 'advice')],
	[/\bdescription\b/, ({ title }) => `${title}: what it is, and for whom.`],
	[
		/\b(text|comment|quote|review)s?\b/,
		one('I use it every day.', 'It came late, but works well.'),
	],
	[/\bbusiness\b|\bthey do\b/, one('Sells and repairs coffee machines', 'Builds desk lamps')],
	[/\bdiets?\b/, one('vegetarian', 'gluten-free')],
	[/\bvenues?\b/, one('Town Hall', 'Harbor Theater')],
	[/\bcuisines?\b/, one('Italian', 'Lebanese', 'Japanese')],
	[/\bingredients?\b/, one('200 g flour', '2 eggs', '100 ml milk')],
	[
		/\b(step|instruction)s?\b/,
		({ index }) => pick(['Mix everything in a bowl.', 'Bake for 20 minutes.'], index),
	],
	[/\b(benefit|perk)s?\b/, one('30 days of vacation', 'Work from home', 'Free lunch')],
	[
		/\b(requirement|qualification|skill)s?\b/,
		one('Three years of experience', 'Fluent English', 'A driving licence'),
	],
	[/\b(praised|pros|likes?|strengths?)\b/, one('Easy to use', 'Fast delivery', 'Well made')],
	[/\b(criticized|cons|dislikes?|weaknesses)\b/, one('Short manual', 'High price', 'Few colors')],
	[/\bproducts\b|\bservices\b/, one('Desk lamps', 'Coffee beans', 'Repairs')],
	[/\bstatus\b/, one('Open', 'Closed')],
	[
		/\b(company|companies|organi[sz]ation|organi[sz]er|vendor|seller|publisher|employer|brand|competitor)s?\b/,
		(wanted) => numbered(companyOf(wanted), wanted),
	],
	[
		/\b(name|title|headline|heading|product|subject|event)\b/,
		(wanted) =>
			PERSONS.test(wanted.around) ? pick(PEOPLE, wanted.index) : numbered(wanted.title, wanted),
	],
];

/** Words of a list of persons. */
const PERSONS = /\b(author|people|person|contact|speaker|team|founder|reviewer|employee)s?\b/;

/** Returns a name that differs from those before it in its list. */
const numbered = (name: string, { index }: Wanted) => (index > 0 ? `${name} ${index + 1}` : name);

/** Numbers by the words of a field's name; those of whole numbers are rounded. */
const NUMBERS: Array<Rule<number>> = [
	[/\b(rating|stars|score)\b/, (_, n) => 3 + (n % 20) / 10],
	[/\b(count|reviews|votes|likes|views|quantity)\b/, (_, n) => 3 + (n % 400)],
	[/\b(year|founded|established|built|since)\b/, (_, n) => 1980 + (n % 45)],
	[
		/\b(old|original|regular|before|list|was)\b/,
		(wanted) => Math.round(priceOf(wanted) * 125) / 100,
	],
	[/\b(price|cost|fee|amount|rent)s?\b/, priceOf],
	[/\bbedrooms?\b/, (wanted) => 1 + (ofPage(wanted) % 3)],
	[/\brooms?\b/, (wanted) => 2 + (ofPage(wanted) % 3)],
	[/\b(servings?|portions?|persons)\b/, (_, n) => 2 + (n % 5)],
	[/\b(minutes?|duration)\b/, (_, n) => 10 + (n % 9) * 5],
	[/\bcalories\b/, (_, n) => 180 + (n % 40) * 10],
	[/\b(employees|headcount|staff)\b/, (_, n) => 11 + (n % 400)],
];

/** Returns the words of a name: `imageUrl` → `image url`. */
export const wordsOf = (name: string) =>
	name
		.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
		.replace(/[^a-z\d]+/gi, ' ')
		.trim()
		.toLowerCase();

/** Returns the examples that a description names: `e.g. in stock, sold out` → both. */
const examplesIn = (description: string) =>
	/\be\.g\. ([^.;()]+)/
		.exec(description)?.[1]
		.split(',')
		.map((text) => text.trim()) ?? [];

/** Returns a text that fits the field: an example from its description, else by its name, else any sentence. */
export function textFor(wanted: Wanted): string {
	const n = hash(wanted.topic, wanted.url, wanted.words);
	const examples = examplesIn(wanted.description);
	if (examples.length > wanted.index) return pick(examples, n + wanted.index);
	const rule = TEXTS.find(([pattern]) => pattern.test(wanted.words));
	return rule ? rule[1](wanted, n) : pick(SENTENCES, n + wanted.index);
}

/** Returns a number that fits the field's name, else one from 1 to 100. */
export function numberFor(wanted: Wanted, isWhole: boolean): number {
	const n = hash(wanted.topic, wanted.url, wanted.words, wanted.index);
	const rule = NUMBERS.find(([pattern]) => pattern.test(wanted.words));
	const made = rule ? rule[1](wanted, n) : 1 + (n % 100);
	return isWhole ? Math.round(made) : made;
}

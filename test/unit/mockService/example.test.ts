import type { IDataObject } from 'n8n-workflow';

import { example } from '../../../mock-service/data/example';
import { isObject } from '../../../nodes/shared/base/json';
import { FIELD_LISTS } from '../../../nodes/shared/fields/fieldLists';

type Value = Record<string, unknown>;

const SUBJECTS = ['desk-lamp', 'a/marketing-manager', 'soup?id=2', ''].flatMap((path) =>
	['https://shop.example', 'https://docs.blue-lamp.example', 'https://www.northwind.example'].map(
		(site) => ({ topic: 'x', url: `${site}/${path}`, title: 'Desk lamp' }),
	),
);

const DAY = /^2026-\d\d-\d\d$/;
const NAME = /^[A-Z][a-z]+ [A-Z][a-z]+$/;
const URL = /^https:\/\/[\w.-]+\.example(\/\S*)?$/;
const EMAIL = /^hello@[\w.-]+\.example$/;
const PRICE = /^\$\d+\.\d\d$/;
const SENTENCE = /^[A-Z].{10,}\.$/;
/** A short name or phrase, not a sentence. */
const WORDS = /^(?!.*\.$)[\w’ ,-]{3,30}$/;
const ADDRESS = /^[A-Z][\w ]+ \d+, \d{5}|^[A-Z][\w ]+ \d+, \d{4} /;
const RATING = [3, 5];
const COUNT = [1, 500];

/** What a believable value is like, by list and field: a pattern, the least and greatest number, or a type. */
const LIKE: Record<string, Record<string, RegExp | number[] | string>> = {
	product: {
		name: /^Desk lamp$/,
		brand: /^(Shop|Blue Lamp|Northwind)$/,
		price: [10, 101],
		currency: /^[A-Z]{3}$/,
		oldPrice: [12, 130],
		availability: /^(in stock|sold out|in 3 days)$/,
		sku: /^A-\d{4}$/,
		rating: RATING,
		reviewCount: COUNT,
		category: WORDS,
		description: SENTENCE,
		imageUrl: URL,
	},
	article: {
		title: /^Desk lamp$/,
		author: NAME,
		publishedOn: DAY,
		updatedOn: DAY,
		section: WORDS,
		summary: SENTENCE,
		mainPoints: SENTENCE,
		topics: WORDS,
		language: /^[a-z]{2}$/,
		imageUrl: URL,
	},
	company: {
		name: /^Desk lamp$/,
		description: SENTENCE,
		industry: WORDS,
		products: WORDS,
		email: EMAIL,
		phone: /^\+1 555 01\d\d$/,
		address: ADDRESS,
		country: WORDS,
		contactNames: NAME,
		socialLinks: URL,
		foundedIn: [1980, 2025],
		employees: /^\d+–\d+$/,
	},
	job: {
		title: /^Desk lamp$/,
		company: /^(Shop|Blue Lamp|Northwind)$/,
		location: /^[A-Z][a-z]+$/,
		isRemote: 'boolean',
		employmentType: /^full time$/,
		salary: /^\$\d\d,000 a year$/,
		postedOn: DAY,
		applyBy: DAY,
		requirements: WORDS,
		benefits: WORDS,
		applyUrl: URL,
		contact: /^[A-Z]\w+ [A-Z]\w+, hello@/,
	},
	event: {
		name: /^Desk lamp$/,
		startsAt: DAY,
		endsAt: DAY,
		venue: WORDS,
		address: ADDRESS,
		isOnline: 'boolean',
		price: PRICE,
		organizer: /^(Shop|Blue Lamp|Northwind)$/,
		speakers: NAME,
		description: SENTENCE,
		ticketUrl: URL,
	},
	realEstate: {
		title: /^Desk lamp$/,
		price: [800, 2000],
		currency: /^[A-Z]{3}$/,
		isForRent: 'boolean',
		propertyType: /^apartment$/,
		address: ADDRESS,
		rooms: [2, 4],
		bedrooms: [1, 3],
		livingArea: /^\d+ m²$/,
		yearBuilt: [1980, 2025],
		features: /^(balcony|garden)$/,
		contact: /^[A-Z]\w+ [A-Z]\w+, hello@/,
	},
	recipe: {
		name: /^Desk lamp$/,
		description: SENTENCE,
		ingredients: WORDS,
		steps: SENTENCE,
		servings: [2, 6],
		prepMinutes: [10, 60],
		cookMinutes: [10, 60],
		calories: [100, 600],
		cuisine: WORDS,
		diets: WORDS,
		rating: RATING,
		imageUrl: URL,
	},
	reviews: {
		subject: /^Desk lamp$/,
		averageRating: RATING,
		reviewCount: COUNT,
		'reviews.author': NAME,
		'reviews.rating': RATING,
		'reviews.date': DAY,
		'reviews.title': /^Desk lamp( 2)?$/,
		'reviews.text': SENTENCE,
		praised: WORDS,
		criticized: WORDS,
	},
};

const schemaOf = (list: (typeof FIELD_LISTS)[number]) => ({
	type: 'object',
	properties: list.fields,
});

/** Returns the single values of a field, of each entry in lists. */
const valuesAt = (value: unknown, path: string[]): unknown[] => {
	if (Array.isArray(value)) return value.flatMap((entry) => valuesAt(entry, path));
	return path.length === 0 ? [value] : valuesAt((value as Value)[path[0]], path.slice(1));
};

/** Returns the paths of all fields with a single value or a list of such. */
function pathsOf(fields: IDataObject, before = ''): string[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const items = (field as IDataObject).items as IDataObject | undefined;
		return isObject(items?.properties)
			? pathsOf(items.properties, `${before}${name}.`)
			: [`${before}${name}`];
	});
}

function expectLike(value: unknown, like: RegExp | number[] | string) {
	if (like instanceof RegExp) expect(value).toMatch(like);
	else if (typeof like === 'string') expect(typeof value).toBe(like);
	else {
		expect(value).toBeGreaterThanOrEqual(like[0]);
		expect(value).toBeLessThanOrEqual(like[1]);
	}
}

describe.each(FIELD_LISTS)('the ready-made list $name', (list) => {
	it('has only fields that are in the table', () => {
		expect(Object.keys(LIKE[list.value])).toEqual(pathsOf(list.fields));
	});

	it.each(Object.entries(LIKE[list.value]))('%s gets a believable value', (path, like) => {
		for (const subject of SUBJECTS) {
			for (const value of valuesAt(example(schemaOf(list), subject), path.split('.'))) {
				expectLike(value, like);
			}
		}
	});

	it('has whole numbers where they are asked for, and lists without doubles', () => {
		for (const subject of SUBJECTS) {
			const made = example(schemaOf(list), subject) as Value;
			for (const [name, { type }] of Object.entries(list.fields)) {
				if (type === 'integer') expect(Number.isInteger(made[name])).toBe(true);
				if (type === 'array') expect(new Set(made[name] as unknown[]).size).toBe(2);
			}
		}
	});
});

it.each([
	['product', 'price', 'oldPrice'],
	['article', 'publishedOn', 'updatedOn'],
	['job', 'postedOn', 'applyBy'],
	['event', 'startsAt', 'endsAt'],
	['realEstate', 'bedrooms', 'rooms'],
])('%s: %s is less than %s', (value, less, more) => {
	const list = FIELD_LISTS.find((one) => one.value === value)!;
	for (const subject of SUBJECTS) {
		const made = example(schemaOf(list), subject) as Record<string, number | string>;
		expect(made[less] < made[more]).toBe(true);
	}
});

it.each<[string, Value, RegExp | number[]]>([
	['founders', { type: 'string' }, NAME],
	['written_by', { type: 'string' }, NAME],
	['E-Mail Address', { type: 'string' }, EMAIL],
	['when', { type: 'string', format: 'date-time' }, /^2026-\d\d-\d\dT00:00:00Z$/],
	['where', { type: 'string', format: 'uri' }, URL],
	['founded', { type: 'integer' }, [1980, 2025]],
	['founded', { type: 'string' }, /^(19|20)\d\d$/],
	['rating', { type: 'number', minimum: 4.9 }, [4.9, 5]],
	['stars', { type: 'integer', maximum: 2 }, [1, 2]],
	['candidate', { type: 'string' }, SENTENCE],
	['explanation', { type: 'string' }, SENTENCE],
	['level', { type: 'string', description: 'One word, e.g. junior, senior' }, /^(junior|senior)$/],
])('the words of a name count, not its letters: %s as %j', (name, schema, like) => {
	for (const subject of SUBJECTS) {
		const made = example({ type: 'object', properties: { [name]: schema } }, subject) as Value;
		expectLike(made[name], like);
	}
});

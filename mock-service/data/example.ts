import type { Entry } from '../entry';
import { hash, pick } from './hash';
import { SENTENCES } from './texts';

/** What an example is about. */
interface Subject {
	topic: string;
	url: string;
	title: string;
}

const TEXTS: Array<[RegExp, (subject: Subject, n: number) => unknown]> = [
	[/e-?mail/i, ({ url }) => `hello@${hostOf(url)}`],
	[/url|link|website|homepage|source/i, ({ url }) => url],
	[/date|founded|since|year|published/i, (_, n) => `20${10 + (n % 15)}-0${1 + (n % 9)}-15`],
	[
		/author|person|people|ceo|founder|contact|(first|last|full).?name/i,
		(_, n) => pick(['Ada Larsen', 'Noor Haddad', 'Jun Okafor'], n),
	],
	[/phone/i, (_, n) => `+1 555 01${10 + (n % 90)}`],
	[/plan/i, (_, n) => pick(['Starter', 'Team', 'Business'], n)],
	[/compan|organi[sz]ation|vendor|brand|name|title|headline/i, ({ title }) => title],
	[/currency/i, () => 'USD'],
	[/availab|stock/i, (_, n) => pick(['In stock', 'Sold out'], n)],
	[/city|country|location|address/i, (_, n) => pick(['Oslo', 'Lisbon', 'Nairobi'], n)],
];

/** Names of numbers that are years. */
const YEAR = /year|founded|since/i;

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : 'northwind.example');

/** Returns a value for a JSON Schema, chosen to fit the names of its properties and always the same. */
export function example(
	schema: Entry | undefined,
	subject: Subject,
	name = '',
	depth = 0,
): unknown {
	const { topic, url } = subject;
	if (!schema || (Object.keys(schema).length === 0 && depth === 0)) {
		return { answer: `Made up for “${topic}”: ${pick(SENTENCES, hash(topic))}`, sources: [url] };
	}
	if ('const' in schema) return schema.const;
	if (Array.isArray(schema.enum)) return schema.enum[0];
	if ('default' in schema) return schema.default;
	const n = hash(topic, url, name, depth);
	const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
	if (depth > 8) return null;
	if (schema.properties || type === 'object') {
		const properties = Object.entries((schema.properties ?? {}) as Record<string, Entry>);
		return Object.fromEntries(
			properties.map(([key, value]) => [key, example(value, subject, key, depth + 1)]),
		);
	}
	if (type === 'array') {
		return [0, 1].map((i) =>
			example(
				(schema.items ?? { type: 'string' }) as Entry,
				{ ...subject, url: `${url}#${i}` },
				name,
				depth + 1,
			),
		);
	}
	if (type === 'integer') {
		return (schema.minimum as number) ?? (YEAR.test(name) ? 1980 + (n % 45) : n % 1000);
	}
	if (type === 'number') return (schema.minimum as number) ?? (n % 10000) / 100;
	if (type === 'boolean') return n % 2 === 0;
	if (type === 'null') return null;
	const made = TEXTS.find(([pattern]) => pattern.test(name));
	return made ? made[1](subject, n) : pick(SENTENCES, n);
}

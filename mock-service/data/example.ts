import type { Entry } from '../entry';
import { hash, pick } from './hash';
import { capital, SENTENCES, SITES } from './texts';

const TEXTS: Array<[RegExp, (topic: string, url: string, n: number) => unknown]> = [
	[/e-?mail/i, () => 'hello@northwind.example'],
	[/url|link|website|homepage/i, (_topic, url) => url],
	[/date|founded|since/i, (_topic, _url, n) => `20${10 + (n % 15)}-0${1 + (n % 9)}-15`],
	[/compan|organi[sz]ation|vendor|brand/i, (_topic, _url, n) => pick(SITES, n)[1]],
	[
		/name|author|person|ceo|founder/i,
		(_topic, _url, n) => pick(['Ada Larsen', 'Noor Haddad', 'Jun Okafor'], n),
	],
	[/currency/i, () => 'USD'],
	[/city|country|location/i, (_topic, _url, n) => pick(['Oslo', 'Lisbon', 'Nairobi'], n)],
	[/title|headline/i, (topic) => capital(topic)],
];

/** Returns a value for a JSON Schema, plausible by the names of its properties and always the same. */
export function example(
	schema: Entry | undefined,
	topic: string,
	url: string,
	name = '',
	depth = 0,
): unknown {
	if (!schema || (Object.keys(schema).length === 0 && depth === 0)) {
		return { answer: `${capital(topic)}: ${pick(SENTENCES, hash(topic))}`, sources: [url] };
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
			properties.map(([key, value]) => [key, example(value, topic, url, key, depth + 1)]),
		);
	}
	if (type === 'array') {
		return [0, 1].map((i) =>
			example((schema.items ?? { type: 'string' }) as Entry, topic, `${url}#${i}`, name, depth + 1),
		);
	}
	if (type === 'integer') return (schema.minimum as number) ?? n % 1000;
	if (type === 'number') return (schema.minimum as number) ?? (n % 10000) / 100;
	if (type === 'boolean') return n % 2 === 0;
	if (type === 'null') return null;
	const made = TEXTS.find(([pattern]) => pattern.test(name));
	return made ? made[1](topic, url, n) : pick(SENTENCES, n);
}

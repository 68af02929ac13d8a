import { isEntry } from '../entry';
import { hash, pick } from './hash';
import { SENTENCES } from './texts';
import { type Wanted, numberFor, textFor, wordsOf } from './values';

/** What an example is about. */
interface Subject {
	topic: string;
	url: string;
	title: string;
}

const MOST_DEPTH = 8;

/** Returns a value for a JSON Schema, chosen to fit the names of its properties and always the same. */
export function example(schema: unknown, subject: Subject): unknown {
	// The service takes anything as the schema of the format JSON.
	if (!isEntry(schema) || Object.keys(schema).length === 0) {
		const { topic, url } = subject;
		return { answer: `Made up for “${topic}”: ${pick(SENTENCES, hash(topic))}`, sources: [url] };
	}
	return valueFor(schema, { words: '', index: 0, ...subject }, 0);
}

function valueFor(schema: unknown, parent: Wanted, depth: number): unknown {
	if (!isEntry(schema)) return textFor(parent);
	if ('const' in schema) return schema.const;
	if (Array.isArray(schema.enum)) return schema.enum[0];
	if ('default' in schema) return schema.default;
	if (depth > MOST_DEPTH) return null;
	const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
	const wanted = {
		...parent,
		words: `${parent.words} ${wordsOf(String(schema.format ?? ''))}`.trim(),
	};
	if (schema.properties || type === 'object') {
		const properties = Object.entries(schema.properties ?? {});
		return Object.fromEntries(
			properties.map(([name, value]) => {
				return [name, valueFor(value, { ...wanted, words: wordsOf(name) }, depth + 1)];
			}),
		);
	}
	if (type === 'array') {
		const items = schema.items ?? { type: 'string' };
		return [0, 1].map((index) => valueFor(items, { ...wanted, index }, depth + 1));
	}
	if (type === 'integer' || type === 'number') {
		const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
		const made = numberFor(wanted, type === 'integer');
		return Math.min(Math.max(made, minimum ?? made), maximum ?? Infinity);
	}
	if (type === 'boolean') return hash(wanted.topic, wanted.url, wanted.words) % 2 === 0;
	return type === 'null' ? null : textFor(wanted);
}

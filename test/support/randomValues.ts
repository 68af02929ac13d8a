import { Expression, type IDataObject } from 'n8n-workflow';

/** Values of every type, as a service or an expression may give them. */
type Random = () => number;

/** Words of an exception, or of a value that is none. */
export const INTERNAL =
	/TypeError|RangeError|SyntaxError|Cannot (read|convert|set)|is not (a function|iterable)|\bundefined\b|\[object |\bNaN\b|Invalid (time|array|string)|\bheap\b/;

const oneOf = <Value>(values: Value[], random: Random): Value =>
	values[Math.floor(random() * values.length)];

/** Returns a value of any type that JSON has. */
function anyValue(random: Random): unknown {
	return oneOf<unknown>(
		[
			null,
			true,
			false,
			0,
			-1,
			2.5,
			1e21,
			'',
			' ',
			'text',
			'12',
			[],
			{},
			[null],
			[[]],
			['a', 1],
			{ a: 1 },
			{ type: 'x' },
			[{ url: 5 }],
		],
		random,
	);
}

/** Returns a value of any type that an expression gives: also what JSON has no word for. */
export function anyExpressed(random: Random): unknown {
	if (random() < 0.7) return anyValue(random);
	return oneOf<unknown>(
		[
			undefined,
			NaN,
			Infinity,
			new Date(0),
			new Date(NaN),
			10n,
			'x'.repeat(20_000),
			'true',
			'[1',
			'{"a":1}',
			'\u0000',
			'\ud800',
			[undefined],
			{ a: undefined },
			new Set([1]),
			/(?<a>x)/.exec('x')!.groups,
			'https://a.example',
		],
		random,
	);
}

/** The dates that n8n has in expressions. */
const { DateTime } = globalsOfExpressions();

function globalsOfExpressions() {
	const data: IDataObject = {};
	Expression.initializeGlobalContext(data);
	return data as unknown as { DateTime: { fromMillis(ms: number, options?: object): object } };
}

class Plan {
	name = 'Pro';

	get price(): number {
		return 10;
	}
}

/** Returns an object whose part throws; what it says must not reach a person. */
function throwing(part: 'get' | 'toJSON' | 'toString' | 'keys'): object {
	const fails = (): never => {
		throw new TypeError('Cannot read the inside of this object');
	};
	if (part === 'keys') return new Proxy({}, { ownKeys: fails, get: fails, has: fails });
	if (part !== 'get') return { a: 1, [part]: fails };
	return Object.defineProperty({}, 'a', { get: fails, enumerable: true });
}

const THROWING = (['get', 'toJSON', 'toString', 'keys'] as const).map(
	(part) => () => throwing(part),
);

/** Values that only code can make. */
export const EXOTIC: Array<() => unknown> = [
	() => {
		const circle: Record<string, unknown> = { a: 1 };
		return Object.assign(circle, { self: circle });
	},
	() => {
		const list: unknown[] = ['https://a.example'];
		list.push(list);
		return list;
	},
	() => Symbol('a'),
	() => [Symbol('a')],
	() => () => 'text',
	() => ({ a: 10n }),
	() => [10n],
	() => DateTime.fromMillis(0, { zone: 'utc' }),
	() => DateTime.fromMillis(NaN),
	() => [DateTime.fromMillis(0, { zone: 'utc' })],
	() => new Plan(),
	() => [new Plan()],
	() => new Proxy({ a: 1 }, {}),
	() => new Proxy(['https://a.example'], {}),
	() => ({ toString: () => 'https://a.example' }),
	() => Object.create(null) as object,
	() => new Map([['a', 1]]),
	() => new Error('Failed'),
	() => Buffer.from('a'),
	() => Promise.resolve('a'),
	...THROWING,
	() => [throwing('get')],
	() => ({ a: throwing('toJSON') }),
];

type Inside = [holder: Record<string, unknown>, key: string];

/** Returns every place in a value, from the outside in. */
function placesIn(value: unknown): Inside[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]): Inside[] => [
		[value as Inside[0], key],
		...placesIn(entry),
	]);
}

/** Returns a copy of a response after some changes at random places. */
function withChanges(
	response: unknown,
	random: Random,
	times: number,
	change: (place: Inside, places: Inside[]) => void,
): unknown {
	const root: Record<string, unknown> = { response: structuredClone(response) };
	for (let time = 0; time < times; time++) {
		const places = placesIn(root);
		if (places.length > 0) change(oneOf(places, random), places);
	}
	return root.response ?? null;
}

/** Returns a copy of a response in which some values are dropped, retyped, nested or repeated. */
export const changed = (response: unknown, random: Random, times: number): unknown =>
	withChanges(response, random, times, ([holder, key]) => {
		const before = holder[key];
		const change = Math.floor(random() * 5);
		if (change === 0) delete holder[key];
		else if (change === 1 || change === 2) holder[key] = anyValue(random);
		else if (change === 3)
			holder[key] = oneOf<unknown>([[before], { value: before }, { data: before }], random);
		else holder[key] = Array.isArray(before) ? [...before, ...before] : [before, before];
	});

/** Texts and numbers that few services send. */
const ODD = [
	...['\u0000', '\ud800', '\u202eabc', '😀'.repeat(50), 'İ', 'a'.repeat(70_000), '{"a":1}', '=1+1'],
	...[2 ** 53, 1e308, -1e308, 5e-324, -0, 0.1 + 0.2],
];

/** Keys that every object inherits something under. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON', 'then'];

/**
 * Returns a copy of a response in which some values are swapped or have another shape: lists as objects and the other way
 * round, numbers as texts, odd texts and numbers, inherited names as keys, entries twice, and null among entries.
 */
export const twisted = (response: unknown, random: Random, times: number): unknown =>
	withChanges(response, random, times, ([holder, key], places) => {
		const before = holder[key];
		const [other, otherKey] = oneOf(places, random);
		switch (Math.floor(random() * 7)) {
			case 0:
				// A value can't be put into itself.
				if (typeof before === 'object' || typeof other[otherKey] === 'object') return;
				[holder[key], other[otherKey]] = [other[otherKey], before];
				return;
			case 1:
				if (typeof before !== 'object' || before === null) return;
				holder[key] = Array.isArray(before) ? { ...before } : Object.values(before);
				return;
			case 2:
				holder[key] =
					typeof before === 'string' ? Number(before) || [before] : JSON.stringify(before);
				return;
			case 3:
				holder[key] = oneOf<unknown>(ODD, random);
				return;
			case 4:
				Object.defineProperty(
					typeof before === 'object' && before ? before : holder,
					oneOf(INHERITED, random),
					{ value: anyValue(random), enumerable: true, configurable: true, writable: true },
				);
				return;
			case 5:
				holder[key] = Array.isArray(before) ? [...before, ...structuredClone(before)] : before;
				return;
			default:
				if (Array.isArray(before)) before.splice(Math.floor(random() * 2), 0, null);
		}
	});

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
];

type Holder = Record<string, unknown> | unknown[];

/** Returns a copy of a response in which some values are dropped, retyped, nested or repeated. */
export function changed(response: unknown, random: Random, times: number): unknown {
	const root = { response: structuredClone(response) };
	for (let time = 0; time < times; time++) {
		const places: Array<[Holder, string | number]> = [];
		const walk = (value: unknown): void => {
			if (Array.isArray(value)) {
				value.forEach((entry, index) => {
					places.push([value, index]);
					walk(entry);
				});
			} else if (typeof value === 'object' && value !== null) {
				for (const [key, entry] of Object.entries(value)) {
					places.push([value as Holder, key]);
					walk(entry);
				}
			}
		};
		walk(root);
		if (places.length === 0) break;
		const [holder, key] = oneOf(places, random) as [Record<string, unknown>, string];
		const before = holder[key];
		const change = Math.floor(random() * 5);
		if (change === 0) delete holder[key];
		else if (change === 1 || change === 2) holder[key] = anyValue(random);
		else if (change === 3)
			holder[key] = oneOf<unknown>([[before], { value: before }, { data: before }], random);
		else holder[key] = Array.isArray(before) ? [...before, ...before] : [before, before];
	}
	return root.response ?? null;
}

import { merge, optionsCollection, optionsField } from '../../../nodes/shared/fields/options';
import { limitField } from '../../../nodes/shared/fields/returnAll';

describe('merge', () => {
	it.each([
		[{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
		[{ a: { b: 1, c: 1 } }, { a: { b: 2 } }, { a: { b: 2, c: 1 } }],
		[{ a: [1, 2] }, { a: [3] }, { a: [3] }],
		[{ a: { b: 1 } }, { a: [3] }, { a: [3] }],
		[{ a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
		[{ a: { b: 1 } }, { a: null }, { a: null }],
	])('%j and %j is %j', (target, source, merged) => {
		merge(target, source);
		expect(target).toEqual(merged);
	});

	it('does not change what the target was given', () => {
		const given = { b: { c: 1 } };
		const target = { a: given };
		merge(target, { a: { b: { d: 2 } } });
		expect(target).toEqual({ a: { b: { c: 1, d: 2 } } });
		expect(given).toEqual({ b: { c: 1 } });
	});

	it('changes no prototype', () => {
		const target: Record<string, unknown> = {};
		merge(target as never, JSON.parse('{"__proto__": {"polluted": 1}, "a": 1}') as never);
		expect(target).toEqual({ a: 1 });
		expect(target.polluted).toBeUndefined();
	});
});

describe('Options', () => {
	const names = (method: 'GET' | 'POST' | 'DELETE') =>
		optionsField([limitField], method).options?.map(({ name }) => name);
	const shared = ['maxTextLength', 'maxResponseLength', 'maxConcurrent', 'maxWait'];

	it('has what is the operation’s own first, then what all operations share', () => {
		expect(names('GET')).toEqual(['limit', ...shared]);
		expect(names('DELETE')).toEqual(['limit', ...shared]);
	});

	it('offers further body fields where a body is sent', () => {
		expect(names('POST')).toEqual(['limit', 'additionalBodyFields', ...shared]);
	});

	it('puts what is in it where it would go without it', () => {
		expect(optionsCollection([limitField])).toMatchObject({
			displayName: 'Options',
			name: 'options',
			placeholder: 'Add Option',
			type: 'collection',
			default: {},
			wire: { spread: true },
		});
	});
});

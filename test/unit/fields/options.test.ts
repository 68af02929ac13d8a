import {
	limitField,
	maxConcurrent,
	merge,
	optionsCollection,
	optionsField,
} from '../../../nodes/shared/fields/options';
import { country } from '../../../nodes/shared/fields/search/fields';
import { composed } from '../../support/form';

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
		const fields = [country, maxConcurrent];
		const values = { country: 'DE', maxConcurrent: 3 };
		expect(composed([optionsCollection(fields)], { options: values })).toEqual(
			composed(fields, values),
		);
	});
});

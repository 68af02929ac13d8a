import type { IDataObject } from 'n8n-workflow';

import { issuesIn } from '../../../../nodes/shared/client/errors/details';

const wrong = (path: Array<string | number>, more: IDataObject = {}) => ({
	path,
	message: `wrong ${path.join('.')}`,
	...more,
});

describe('what is wrong, from an entry of details', () => {
	it('is each unknown key, in its object', () => {
		expect(issuesIn({ path: ['a'], message: 'Unrecognized', keys: ['b', 'c'] })).toEqual([
			{ path: ['a', 'b'], message: 'the service does not know “b”' },
			{ path: ['a', 'c'], message: 'the service does not know “c”' },
		]);
	});

	it('is its message where it names no keys', () => {
		expect(issuesIn({ ...wrong(['a']), keys: [] })).toEqual([wrong(['a'])]);
	});

	it('is nothing where it says that the service works on', () => {
		expect(issuesIn({ state: 'processing_continues', documentPages: 900 })).toEqual([]);
	});

	it('is at a place whose parts are no texts, too', () => {
		const odd = { toString: 1, valueOf: 1 };
		expect(issuesIn({ path: [odd, 2, null], keys: [odd] })).toEqual([
			{
				path: [JSON.stringify(odd), 2, 'null', JSON.stringify(odd)],
				message: `the service does not know “${JSON.stringify(odd)}”`,
			},
		]);
	});

	it('is a message that is no text as JSON', () => {
		expect(issuesIn({ path: ['a'], message: { min: 1 } })).toEqual([
			{ path: ['a'], message: '{"min":1}' },
		]);
	});

	it('is what the alternative with the fewest issues says', () => {
		const unionErrors = [
			{ issues: [wrong(['a']), wrong(['b'])] },
			{ issues: [wrong(['c'])] },
			{ issues: [wrong(['d']), wrong(['e'])] },
		];
		expect(issuesIn({ unionErrors })).toEqual([wrong(['c'])]);
	});

	it('is not what an alternative of another type says, nor one that says nothing', () => {
		const unionErrors = [
			{ issues: [] },
			{ issues: [wrong(['f', 0, 'type'])] },
			{ issues: [wrong(['f', 0, 'type']), wrong(['f', 0, 'x'])] },
			{ issues: [wrong(['a']), wrong(['b']), wrong(['c'])] },
		];
		expect(issuesIn({ unionErrors })).toEqual(['a', 'b', 'c'].map((name) => wrong([name])));
	});

	it('has paths from the top also where alternatives have their own', () => {
		const errors = [[null, wrong(['x'])]];
		expect(issuesIn({ path: ['f', 0], errors })).toEqual([
			{ path: ['f', 0, 'x'], message: 'wrong x' },
		]);
	});

	it('is found also between what is no issue', () => {
		expect(issuesIn({ unionErrors: [null, {}, { issues: [null, wrong(['a'])] }] })).toEqual([
			wrong(['a']),
		]);
	});

	it('is the type where no alternative has it', () => {
		const unionErrors = [
			{ issues: [] },
			{
				issues: [
					wrong(['f', 'x'], { expected: 'number' }),
					wrong(['f', 0, 'type'], { values: ['a'] }),
				],
			},
			{ issues: [wrong(['f', 0, 'type'], { expected: 'b' })] },
			{ issues: [wrong(['f', 0, 'type'])] },
			{ issues: [wrong(['f', 0, 'type'], { values: ['a'] })] },
		];
		expect(issuesIn({ unionErrors })).toEqual([
			{ path: ['f', 0, 'type'], message: 'no such type' },
		]);
	});

	it('is at the place of the alternatives where these say nothing', () => {
		expect(issuesIn({ path: ['f'], errors: [[], []] })).toEqual([
			{ path: ['f'], message: 'no such type' },
		]);
	});
});

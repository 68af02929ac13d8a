import type { IDataObject } from 'n8n-workflow';

import { detailLines, issuesIn } from '../../../../nodes/shared/client/errors/details';

const wrong = (path: Array<string | number>, more: IDataObject = {}) => ({
	path,
	message: `wrong ${path.join('.')}`,
	...more,
});

describe('what is wrong, from an entry of details', () => {
	it('is what it says, also where it is a text', () => {
		expect(detailLines(['No such country', 'No such city.'])).toEqual([
			'No such country.',
			'No such city.',
		]);
		expect(detailLines({ path: ['country'], message: 'is unknown' })).toEqual([
			'country: is unknown.',
		]);
	});

	it('is each unknown key, in its object', () => {
		expect(issuesIn({ path: ['a'], message: 'Unrecognized', keys: ['b', 'c'] })).toEqual([
			{ path: ['a', 'b'], message: 'the service does not know “b”' },
			{ path: ['a', 'c'], message: 'the service does not know “c”' },
		]);
	});

	it('is nothing where it says that the service works on', () => {
		expect(issuesIn({ state: 'processing_continues', documentPages: 900 })).toEqual([]);
	});

	it('is what the alternative with the fewest issues says', () => {
		const unionErrors = [
			{ issues: [wrong(['a']), wrong(['b'])] },
			{ issues: [wrong(['c'])] },
			{ issues: [wrong(['d']), wrong(['e'])] },
		];
		expect(issuesIn({ unionErrors })).toEqual([wrong(['c'])]);
	});

	it('has paths from the top also where alternatives have their own', () => {
		const errors = [[null, wrong(['x'])]];
		expect(issuesIn({ path: ['f', 0], errors })).toEqual([
			{ path: ['f', 0, 'x'], message: 'wrong x' },
		]);
	});

	it('is the type, with those there are, where no alternative has it', () => {
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

/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { comparedText, dataText } from '../../../nodes/WebDataPageTrigger/content';

describe('comparedText', () => {
	it('has the lines with something in them, without spaces at their end', async () => {
		expect(await comparedText('# A  \r\n\r\n  - b\t\n \nc', [])).toBe('# A\n  - b\nc');
	});

	it('leaves out what fits a pattern: a part of the line, or with a star all of it', async () => {
		const text = '1,204 visitors today\nVisitors welcome\nUpdated: Monday\nNot updated: ever';
		expect(await comparedText(text, ['*visitors today', 'updated:'])).toBe('Visitors welcome');
		expect((await comparedText(text, ['updated:*'])).split('\n')).toHaveLength(3);
	});
});

describe('dataText', () => {
	it('is none where long names make it too long', async () => {
		const data = { ['x'.repeat(1_000_000)]: Array.from({ length: 400 }, (_, n) => n) };
		expect(await dataText(data, [])).toBeUndefined();
		expect(await dataText({ text: 'x'.repeat(4_000_000) }, [])).toHaveLength(4_000_006);
	});

	it('has a line for each value, fields in alphabetical order', async () => {
		const data = { b: [{ y: 1, x: null }, 'text'], a: { d: true }, empty: [], none: {} };
		expect((await dataText(data, []))!.split('\n')).toEqual([
			'a.d: true',
			'b[0].y: 1',
			'b[1]: text',
			'empty: []',
			'none: {}',
		]);
	});

	it('leaves out values that fit a pattern, with all their lines', async () => {
		expect(await dataText({ price: 1, checkedAt: 'just\nnow' }, ['checkedAt:*'])).toBe('price: 1');
	});
});

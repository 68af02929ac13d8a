import { dataLines, textLines } from '../../../nodes/WebDataPageTrigger/content';

describe('textLines', () => {
	it('are those with something in them, without spaces at their end', () => {
		expect(textLines('# A  \r\n\r\n  - b\t\n \nc', [])).toEqual(['# A', '  - b', 'c']);
	});

	it('leave out what fits a pattern: a part of the line, or with a star all of it', () => {
		const text = '1,204 visitors today\nVisitors welcome\nUpdated: Monday\nNot updated: ever';
		expect(textLines(text, ['*visitors today', 'updated:'])).toEqual(['Visitors welcome']);
		expect(textLines(text, ['updated:*'])).toHaveLength(3);
	});
});

describe('dataLines', () => {
	it('are one for each value, fields in alphabetical order', () => {
		const data = { b: [{ y: 1, x: null }, 'text'], a: { d: true }, empty: [], none: {} };
		expect(dataLines(data, [])).toEqual([
			'a.d: true',
			'b[0].x: null',
			'b[0].y: 1',
			'b[1]: text',
			'empty: []',
			'none: {}',
		]);
	});

	it('leave out what fits a pattern', () => {
		expect(dataLines({ price: 1, checkedAt: 'now' }, ['checkedAt:*'])).toEqual(['price: 1']);
	});
});

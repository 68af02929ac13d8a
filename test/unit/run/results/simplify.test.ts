import type { IDataObject } from 'n8n-workflow';

import { simplifierFor } from '../../../../nodes/shared/run/results/simplify';
import {
	type ResultShape,
	crawlPageShape,
	pageShape,
} from '../../../../nodes/shared/fields/shapes';
import { ScriptedTask } from '../../../support/task';

const SHAPE: ResultShape = [
	{ name: 'url', label: 'URL', from: ['metadata.url', 'url'] },
	{ name: 'title', label: 'Title', from: ['metadata.title'] },
	{ name: 'markdown', label: 'Markdown' },
	{ name: 'language', label: 'Language', from: ['metadata.language'], isExtra: true },
];

const RESULT = { markdown: 'm', unknown: 1, metadata: { url: 'u', title: 't', language: 'en' } };

const lean = (values: IDataObject, result: IDataObject = RESULT, shape = SHAPE) =>
	simplifierFor(shape, new ScriptedTask([], { values }).form)(result);

describe('a result', () => {
	it.each([{ simplify: true }, { output: 'simplified' }])(
		'has its useful fields, flat and in their order: %j',
		(values) => {
			expect(Object.entries(lean(values))).toEqual([
				['url', 'u'],
				['title', 't'],
				['markdown', 'm'],
			]);
		},
	);

	it('has the fields to return and warnings, whatever Simplify says', () => {
		const page = { ...RESULT, crawlId: 'c', crawlStatus: 'completed', crawlWarning: 'w' };
		const values = { fieldsToReturn: ['title'], simplify: true };
		expect(lean(values, page, crawlPageShape)).toEqual({ url: 'u', title: 't', crawlWarning: 'w' });
		expect(lean(values, page, pageShape)).toEqual({ url: 'u', title: 't' });
	});

	it('takes the first of several values of the metadata, so that the field keeps its type', () => {
		const metadata = { url: ['u', 'v'], title: [null, 'My Shop', 'Logo'] };
		expect(lean({ simplify: true }, { metadata })).toEqual({ url: 'u', title: 'My Shop' });
		expect(lean({ simplify: false }, { metadata })).toEqual({ metadata });
	});
});

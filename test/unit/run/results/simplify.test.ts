import type { IDataObject } from 'n8n-workflow';

import { simplifierFor } from '../../../../nodes/shared/run/results/simplify';
import { crawlPageShape, pageShape } from '../../../../nodes/shared/fields/shapes';
import { ScriptedTask } from '../../../support/task';

const lean = (values: IDataObject, result: IDataObject, shape = pageShape) =>
	simplifierFor(shape, new ScriptedTask([], { values }).form)(result);

describe('a result', () => {
	it('has the fields to return and warnings, whatever Simplify says', () => {
		const metadata = { url: 'u', title: 't', language: 'en' };
		const page = { markdown: 'm', metadata, crawlId: 'c', crawlWarning: 'w' };
		const values = { fieldsToReturn: ['title'], simplify: true };
		expect(lean(values, page, crawlPageShape)).toEqual({ url: 'u', title: 't', crawlWarning: 'w' });
		expect(lean(values, page)).toEqual({ url: 'u', title: 't' });
	});

	it('takes the first of several values of the metadata, so that the field keeps its type', () => {
		const metadata = { url: ['u', 'v'], title: [null, 'My Shop', 'Logo'] };
		expect(lean({ simplify: true }, { metadata })).toEqual({ url: 'u', title: 'My Shop' });
		expect(lean({ simplify: false }, { metadata })).toEqual({ metadata });
	});
});

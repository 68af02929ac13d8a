import { commonForm } from '../../../nodes/shared/run/commonForm';
import { textField } from '../../../nodes/shared/form/controls';
import type { Field } from '../../../nodes/shared/form/field';

const text = (name: string, rest: object = {}) => textField(name, name, rest);
const required = text('url', { required: true });
const optional = text('url');

describe('a control of several operations', () => {
	it.each([
		[[required, required], true],
		[[required, optional], undefined],
	])('is required only if it is for all: %#', (fields, isRequired) => {
		const [field, ...more] = commonForm(fields.map((one, index) => [`operation${index}`, [one]]));
		expect(more).toEqual([]);
		expect(field.required).toBe(isRequired);
		expect(field.displayOptions).toBeUndefined();
	});

	it.each([
		['one', { show: { '/operation': ['b'] } }],
		['most', { hide: { '/operation': ['a'] } }],
	])('is shown for its operations only: %s', (name, displayOptions) => {
		const forms = commonForm([
			['a', [text('all')]],
			['b', [text('all'), text('one'), text('most')]],
			['c', [text('all'), text('most')]],
		]);
		expect(forms.find((field) => field.name === name)!.displayOptions).toEqual(displayOptions);
	});

	it('may not differ in the parts of any other', () => {
		const list = (name: string) =>
			({
				...text('list'),
				type: 'fixedCollection',
				options: [{ displayName: name, name, values: [] }],
			}) as Field;
		const forms = (other: string) => () =>
			commonForm([
				['a', [list('row')]],
				['b', [list(other)]],
			]);
		expect(forms('pair')).toThrow('Controls of one name differ');
		expect(forms('row')()[0].options).toEqual([{ displayName: 'row', name: 'row', values: [] }]);
	});
});

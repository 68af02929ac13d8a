import { Form } from '../../../nodes/shared/form/form';
import { booleanField, textField } from '../../../nodes/shared/form/controls';
import { place } from '../../support/form';

const named = textField('name', 'Name', { wire: { as: 'who.name' } });
const limit = textField('limit', 'Limit', { default: '10', wire: { in: 'query' } });
const simplify = booleanField('simplify', 'Simplify', { default: true, wire: { in: 'settings' } });

const form = (parts: object) =>
	new Form({ body: {}, query: {}, path: {}, settings: {}, ...parts }, place);

describe('the value of a field', () => {
	it.each([
		['in the body, under its own path', named, { body: { who: { name: 'Ada' } } }, 'Ada', 'Ada'],
		['in the query', limit, { query: { limit: '5' } }, '5', '5'],
		['that is off', simplify, { settings: { simplify: false } }, false, false],
		['that was left alone', simplify, { body: { simplify: false } }, undefined, true],
		['that was left alone, as text', limit, {}, undefined, '10'],
	])('%s', (_name, field, parts, set, value) => {
		expect(form(parts).get<unknown>(field)).toBe(set);
		expect(form(parts).value<unknown>(field)).toBe(value);
	});
});

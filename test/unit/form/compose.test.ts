import { compose } from '../../../nodes/shared/form/form';
import { choicesField } from '../../../nodes/shared/form/controls';
import { type Field, shownFor } from '../../../nodes/shared/form/field';
import { isShown, lines } from '../../../nodes/shared/form/values';
import { bodyOf, composed, errorOf, node, place } from '../../support/form';

const text = (name: string, more: Partial<Field> = {}): Field => ({
	displayName: `The ${name}`,
	name,
	type: 'string',
	default: '',
	...more,
});
const number = (name: string, more: Partial<Field> = {}): Field => ({
	...text(name),
	type: 'number',
	default: 5,
	...more,
});
const collection = (name: string, options: Field[], more: Partial<Field> = {}): Field => ({
	...text(name),
	type: 'collection',
	default: {},
	options,
	...more,
});

describe('compose', () => {
	const NOTHING = [null, undefined, '', ' \n', [], {}];

	it.each(NOTHING)('rejects an option that was added but gives %j', (value) => {
		const options = collection('options', [text('a')]);
		const error = errorOf(() => bodyOf(options, { a: value as never }));
		expect(error.message).toBe('The a is empty');
		expect(error.description).toContain('check its expression, or remove it');
		expect(bodyOf(options, {})).toEqual({});
	});

	describe('in a tool of an AI agent', () => {
		const asked = { a: "={{ $fromAI('a') }}", b: "={{ $fromAI('b') }}" };
		const tool = { ...node, type: 'webDataTool', parameters: { ...asked, all: asked } };
		const made = (fields: Field[], values: Record<string, unknown>, parameters = tool.parameters) =>
			compose(fields, (name) => values[name], { ...place, node: { ...tool, parameters } }).body;

		it.each([...NOTHING, 'null', 'undefined', 'None', 'N/A', ['undefined']])(
			'takes a model’s word for nothing as not set: %j',
			(value) => {
				const list = text('b', { wire: { value: lines } });
				expect(made([text('a'), list], { a: value, b: value })).toEqual({});
				expect(made([collection('all', [text('a')])], { all: { a: value } })).toEqual({});
			},
		);

		it('is not asked to leave out what rows do not need', () => {
			const rows = text('b', {
				type: 'fixedCollection',
				default: {},
				options: [
					{
						displayName: 'Step',
						name: 'step',
						values: [
							text('kind'),
							shownFor({ kind: ['write'] }, text('text', { wire: { heeded: true } })),
						],
					},
				],
			});
			const steps = { step: { kind: 'click', text: 'office' } };
			const parameters = {
				...asked,
				b: { step: { kind: 'click', text: "={{ $fromAI('t') }}" } },
			};
			expect(made([rows], { b: steps }, parameters as never)).toEqual({ b: { kind: 'click' } });
		});

		it('keeps a word that a person entered', () => {
			const fixed = { a: 'none', b: '', all: { a: 'none', b: '' } };
			expect(made([text('a'), collection('all', [text('a')])], fixed, fixed)).toEqual({
				a: 'none',
				all: { a: 'none' },
			});
		});

		it('but not where the field is required, or limits costs', () => {
			expect(made([text('a', { required: true })], { a: 'none' })).toEqual({ a: 'none' });
			const budget = number('b', { wire: { limitsCosts: true } });
			expect(() => made([collection('all', [budget])], { all: { b: 'null' } })).toThrow(
				"The b: {{ $fromAI('b') }} gives nothing",
			);
		});
	});

	it('leaves an optional field out where its expression says that it may give nothing', () => {
		const read = () => '';
		const at = (raw: string) => ({ ...place, node: { ...node, parameters: { a: raw } } });
		expect(compose([text('a')], read, at('={{ $json.q ?? "" }}')).body).toEqual({});
		expect(() => compose([text('a')], read, at('={{ $json.q }}'))).toThrow('gives nothing');
		const limit = number('a', { wire: { limitsCosts: true } });
		expect(() => compose([limit], read, at('={{ $json.q ?? "" }}'))).toThrow('gives nothing');
		// A list without an entry isn't empty: something was meant.
		const list = text('a', { wire: { value: lines } });
		const entered = () => [''];
		expect(() => compose([list], entered, at('={{ $json.q ?? "" }}'))).toThrow('gives nothing');
	});

	it('asks for each entry of a list of choices', () => {
		const field = choicesField('a', 'The a', { choices: [['web', 'Web']], wire: { open: true } });
		const parameters = { a: ['={{ $json.nope }}', 'web'] };
		const at = { ...place, node: { ...node, parameters }, evaluate: () => undefined };
		expect(() => compose([field], () => [undefined, 'web'], at)).toThrow('gives nothing');
	});

	it('shows a field also for true and false as text, and for choices as objects', () => {
		const limit = shownFor({ all: [false] }, text('limit'));
		expect(isShown(limit, () => 'false', place)).toBe(true);
		expect(isShown(limit, () => 'true', place)).toBe(false);
		const prompt = shownFor({ formats: ['json'] }, text('prompt'));
		expect(isShown(prompt, () => [{ type: 'json', schema: {} }], place)).toBe(true);
		expect(isShown(prompt, () => ({ type: 'links' }), place)).toBe(false);
	});

	it('wants what a collection requires, once something was added to it', () => {
		const hook = collection('hook', [text('url', { wire: { required: true } }), text('more')]);
		expect(errorOf(() => bodyOf(hook, { more: 'x' })).message).toBe('The url is empty');
		expect(bodyOf(hook, {})).toEqual({});
	});

	it('does not see the default of what was not added to a collection', () => {
		const parts = [number('a'), shownFor({ a: [5] }, text('b'))];
		expect(bodyOf(collection('all', parts), { b: 'x' })).toEqual({});
		expect(bodyOf(collection('all', parts), { a: 5, b: 'x' })).toEqual({ all: { a: 5, b: 'x' } });
	});

	it('does not send what is hidden', () => {
		const fields = [
			text('mode', { default: 'a' }),
			shownFor({ mode: ['a'] }, text('forA')),
			shownFor({ mode: ['b'] }, text('forB')),
		];
		expect(composed(fields, { mode: 'b', forA: 'x', forB: 'y' }).body).toEqual({
			mode: 'b',
			forB: 'y',
		});
		expect(composed(fields, { forA: 'x', forB: 'y' }).body).toEqual({ forA: 'x' });
	});

	it('lets texts that are no choice pass where the service may know more', () => {
		const choices = [{ name: 'X', value: 'x' }];
		const open = text('model', { type: 'options', options: choices, wire: { open: true } });
		expect(bodyOf(open, 'y')).toEqual({ model: 'y' });
		expect(errorOf(() => bodyOf(open, 7)).message).toContain('not one of its choices');
		const list: Field = { ...open, type: 'multiOptions' };
		expect(bodyOf(list, ['x', 'y', ''])).toEqual({ model: ['x', 'y'] });
		// An expression that gave nothing.
		expect(errorOf(() => bodyOf(list, ['x', null])).message).toContain('is "null", which is not');
	});

	it('makes one object of a fixed collection without rows, none of an untouched one, and wants it filled in', () => {
		const one: Field = {
			...text('size'),
			type: 'fixedCollection',
			default: {},
			options: [
				{ displayName: 'Size', name: 'values', values: [number('width'), number('height')] },
			],
		};
		expect(bodyOf(one, { values: { width: 7, height: 5 } })).toEqual({ size: { width: 7 } });
		expect(bodyOf(one, { values: { width: 5, height: 5 } })).toEqual({});
		expect(errorOf(() => bodyOf(one, { other: 1 })).message).toMatch(/is empty$/);
	});
});

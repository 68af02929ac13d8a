/** How entered values are read: they are sent as they are, converted in a few ways that are all listed here, or refused. */
import type { IDataObject } from 'n8n-workflow';

import { countryField, languagesField } from '../../../nodes/shared/fields/places';
import { queryOperatorsField } from '../../../nodes/shared/fields/search/queryOperators';
import { day } from '../../../nodes/shared/fields/search/timeFilter';
import { includeTags } from '../../../nodes/shared/fields/tags';
import { formFieldsOf } from '../../../nodes/shared/run/properties';
import { compose } from '../../../nodes/shared/form/form';
import {
	booleanField,
	choiceField,
	choicesField,
	headersField,
	jsonField,
	linesField,
	textField,
	wholeNumberField,
} from '../../../nodes/shared/form/controls';
import type { Field } from '../../../nodes/shared/form/field';
import { oneUrl, urls } from '../../../nodes/shared/form/urls';
import { isNothing } from '../../../nodes/shared/base/json';
import { search } from '../../../nodes/WebDataSearch/operations/search';
import { bodyOf, composed, errorOf, node, place } from '../../support/form';

const at = { ...place, labels: ['Field'] };
const sent = (field: Field, value: unknown) => bodyOf(field, value)[field.name];
const messageOf = (work: () => unknown) => errorOf(work).message;

const text = textField('field', 'Field', { placeholder: 'e.g. a' });
const number = wholeNumberField('field', 'Field', { default: 7, minValue: 1, maxValue: 100 });
const list = linesField('field', 'Field', { example: 'a' });
const CHOICES = {
	choices: [
		['raw_html', 'Raw HTML'],
		['md', 'Markdown (Text)'],
	] as Array<[string, string]>,
};
const choice = choiceField('field', 'Field', { default: '', ...CHOICES });
const choices = choicesField('field', 'Field', CHOICES);

describe('data is exact', () => {
	it.each([
		['a text', text, ' /wiki/Mr. ', '/wiki/Mr.'],
		['words for nothing', text, 'n/a', 'n/a'],
		['a list of texts that looks like JSON', list, '[1]', ['[1]']],
		['JSON in a text', text, '{"error": "ENOENT"}', '{"error": "ENOENT"}'],
		['a list, one per line', list, ' a, b \n\n • c\n"d"', ['a, b', '• c', '"d"']],
		['a list by an expression', list, [' a\nb ', 7], ['a\nb', '7']],
		['selectors', includeTags, '[data-x]\n<b>\n* > a', undefined],
	])('%s', (_, field, entered, value) => {
		const expected = value ?? String(entered).split('\n');
		expect(sent(field, entered)).toEqual(expected);
	});
});

describe('the conversions are', () => {
	it.each([
		['text to a number', number, ' 12 ', 12],
		['text to true', booleanField('field', 'Field', {}), ' True ', true],
		['JSON to a list', list, '["a", "b"]', ['a', 'b']],
		['JSON to an object', jsonField('field', 'Field', {}), '{"a": [1]}', { a: [1] }],
		['the name of a choice to its value', choice, 'Raw HTML', 'raw_html'],
		['choices in a text', choices, 'raw html, md', ['raw_html', 'md']],
		['a country by its name', countryField(''), 'Germany', 'DE'],
		['a code of a country', countryField(''), 'uk', 'UK'],
		['a language by its name, and a tag', languagesField(''), ['German', 'de-AT'], ['de', 'de-AT']],
	])('%s', (_, field, entered, value) => {
		expect(sent(field, entered)).toEqual(value);
	});

	it.each([
		['a bare host', 'example.com/a', 'https://example.com/a'],
		['a bare host', 'bücher.example:8080', 'https://xn--bcher-kva.example:8080/'],
		['a bare host', 'a.example/Annual Report.pdf', 'https://a.example/Annual%20Report.pdf'],
		['an object of ours', { url: 'https://a.example/b', title: 'B' }, 'https://a.example/b'],
	])('%s to a URL', (_, entered, url) => {
		expect(oneUrl(entered, at, '')).toBe(url);
		expect(urls([entered], at)).toEqual([url]);
	});

	it('pasted lines, which Edit Fields turns into blanks, to URLs', () => {
		const all = ['https://a.example/1', 'https://b.example/', 'https://c.example/x,y.html'];
		for (const entered of [
			all.join('\n'),
			all.join(' '),
			all.join(', '),
			all.slice(0, 2).join(','),
			'a.example/1 b.example, c.example/x,y.html',
			JSON.stringify(all),
		]) {
			expect(urls(entered, at)).toEqual(all.slice(0, urls(entered, at)!.length));
		}
		expect(urls('a.example,b.example', at)).toEqual(['https://a.example/', 'https://b.example/']);
		const archived = 'https://web.archive.example/web/2020/https://a.example/';
		for (const between of [' ', ', ', ',']) {
			expect(urls(`https://a.example/${between}${archived}`, at)).toEqual([
				'https://a.example/',
				archived,
			]);
		}
		// The one in the middle has another one in its path, and that at the end in its query.
		const nested = [all[0], archived, `${all[1]}?u=${all[2]}`];
		expect(urls(nested.join(','), at)).toEqual(nested);
		expect(urls('https://a.example/x,\nhttps://b.example/y,', at)).toEqual([
			'https://a.example/x',
			'https://b.example/y',
		]);
	});
});

describe('a legal URL stays one, with its marks', () => {
	it.each([
		'https://a.example/x,y.html',
		'https://a.example/wiki/Mr.',
		'https://a.example/?u=https://b.example,https://c.example',
		'https://web.archive.example/web/2020/https://a.example/',
		'https://a.example/x?q=react next.js',
		'https://a.example/search?q=*',
		'https://a.example/docs/Annual Report.pdf',
	])('%s', (entered) => {
		const { href } = new URL(entered);
		expect(oneUrl(entered, at, '')).toBe(href);
		expect(urls(entered, at)).toEqual([href]);
		expect(urls([entered], at)).toEqual([href]);
	});

	it.each([
		['example', 'is "example", which is not a URL'],
		['mailto:me@a.example', 'is "mailto:me@a.example", which is not a URL'],
		['https:\\/\\/a.example', 'is "https:\\/\\/a.example", which is not a URL'],
		['https://a.example/{{id}}', 'is "https://a.example/{{id}}", which is not a URL'],
		['https://a.example/${id}', 'is "https://a.example/${id}", which is not a URL'],
		['https://a.example/*', 'is "https://a.example/*", which is the URL of many pages'],
		['https://a.example https://b.example', /which is more than one URL$/],
		['https://a.example/x,https://b.example/y', /which is more than one URL$/],
		[7, 'is "7", which is not a URL'],
		[['https://a.example'], 'is "["https://a.example"]", which is not a URL'],
		...['x\ty', 'x;https://b.example/', 'x|https://b.example/'].map((path): [string, RegExp] => [
			`https://a.example/${path}`,
			/which is not a URL$/,
		]),
	])('%j is none', (entered, message) => {
		const problem = messageOf(() => oneUrl(entered, at, 'Enter one.'));
		if (typeof message === 'string') expect(problem).toBe(`Field ${message}`);
		else expect(problem).toMatch(message);
	});
});

describe('nothing', () => {
	const NOTHING = [undefined, null, '', ' \n\u200b', [], {}];

	it('is one notion: no value, a blank text, an empty list or object', () => {
		expect(NOTHING.map(isNothing)).toEqual(NOTHING.map(() => true));
		const values = ['none', '-', 0, false, [''], { a: null }, new Date(0)];
		expect(values.map(isNothing)).toEqual(values.map(() => false));
	});
});

describe('refused is', () => {
	it.each([
		['true or false as text', text, false, 'is "false", which is not text'],
		['a number beyond its limits', number, '101', 'is 101, but must be from 1 to 100'],
		['no number', number, '5 s', 'is "5 s", which is not a number'],
		['a part of a whole number', number, 1.5, 'is 1.5, but must be a whole number'],
		['no choice', choice, 'text', 'is "text", which is not one of its choices'],
		['no flag', booleanField('field', 'Field', {}), 'yes', /neither true nor false$/],
		['an entry that is no text', list, ['a', null], 'has an entry that is not text (number 2)'],
		['text for an object', jsonField('field', 'Field', {}), '{a: 1}', /^Field is not valid JSON: /],
		['an expression as plain text', text, 'see {{ $json.a }}', 'holds an expression as plain text'],
		['one in a list', list, ['a', '{{ $json.a }}'], 'holds an expression as plain text'],
		['a list in other quotes', list, " ['/a','/b']", /^Field is not valid JSON: /],
	])('%s', (_, field, entered, message) => {
		const parameters = { field: entered as string };
		const here = { ...place, node: { ...node, parameters } };
		const problem = messageOf(() => compose([field], () => entered, here));
		if (typeof message === 'string') expect(problem).toBe(`Field ${message}`);
		else expect(problem).toMatch(message);
	});

	it.each(['NGA', 'marraskuuta', '1'])('no code of a country: %s', (entered) => {
		expect(messageOf(() => sent(countryField(''), entered))).toContain('two-letter country code');
	});

	it.each(['11/18/2026', 'November 18', '2026-02-30', '2026-13-01', '2026-11-01 to 2026-11-07'])(
		'no date: %s',
		(entered) => {
			expect(messageOf(() => day(entered, at))).toBe(`Field is "${entered}", which is not a date`);
		},
	);

	it('a text behind an operator that is missing', () => {
		const query = (entered: string, options = {}) =>
			composed(formFieldsOf(search), { query: entered, options }).body.query;
		// Those that follow from the form are none.
		for (const options of [{}, { queryOperators: { exclude: 'jobs' } }])
			for (const bad of ['tea site:', '(tea intitle: ) cup', '-filetype:'])
				expect(messageOf(() => query(bad, options))).toMatch(/^Query has ".*:" with nothing/);
		for (const good of ['allinurl: admin', 'what is site: for', 'tea -', '()', '"-"', 'OR x'])
			expect(query(good)).toBe(good);
		expect(messageOf(() => query('x'.repeat(501)))).toContain('501 characters');
	});

	it('no header', () => {
		const field = headersField('field', 'Field', {
			description: '',
			example: ['a', 'b'],
			addText: '',
		});
		const header = (name: string, value: string) => ({ pair: [{ name, value }] });
		expect(sent(field, header(' X-Token ', 'Bearer null'))).toEqual({ 'X-Token': 'Bearer null' });
		for (const bad of [
			header('a b', 'c'),
			header('a:', 'c'),
			header('a', 'b\r\nc: d'),
			header('Authorization', 'Bearer {{token}}'),
			header('Authorization', 'Bearer ${TOKEN}'),
			header('', 'c'),
			{
				pair: [
					{ name: 'a', value: 'b' },
					{ name: 'a', value: 'c' },
				],
			},
		]) {
			expect(() => sent(field, bad)).toThrow(/./);
		}
		expect(messageOf(() => sent(field, header('a', 'sec\nret')))).not.toContain('ret');
	});
});

it('a date is the day that a text names, or that of a Date where the workflow is', () => {
	const there = { ...at, timezone: 'Asia/Tokyo' };
	for (const entered of ['2026-11-18', '2026-11-18T00:00:00', '2026-11-18T23:30:00.000Z'])
		expect(day(entered, there)).toBe('2026-11-18');
	expect(day(new Date('2026-11-17T23:30:00Z'), there)).toBe('2026-11-18');
});

it('query operators are an operator and the entry, in quotes if it has blanks', () => {
	const written = (operators: IDataObject) =>
		composed([queryOperatorsField], { queryOperators: operators }).body.query;
	expect(
		written({
			exactPhrase: 'flat white\n"oat milk"',
			exclude: 'jobs\npart time',
			site: 'amazon.*\nsite:example.com',
			fileType: 'pdf',
		}),
	).toBe(
		'"flat white" "oat milk" -jobs -"part time" (site:amazon.* OR site:example.com) filetype:pdf',
	);
});

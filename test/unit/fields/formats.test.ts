import type { IDataObject } from 'n8n-workflow';

import { formFieldsOf } from '../../../nodes/shared/run/properties';
import { scrape } from '../../../nodes/WebDataScrape/operations/scrape';
import { searchAndScrape } from '../../../nodes/WebDataSearch/operations/searchAndScrape';
import { composed, errorOf } from '../../support/form';

const page = { url: 'https://a.example' };
const formats = (values: IDataObject) =>
	composed(formFieldsOf(scrape), { ...page, ...values }).body.formats;

describe('formats', () => {
	it.each([[['links', 'html']], ['["links","html"]'], ['links, html'], ['links\nhtml']])(
		'are sent as texts where they have no settings: %j',
		(given) => {
			expect(formats({ formats: given })).toEqual(['links', 'html']);
		},
	);

	it('are always sent with a search, which scrapes nothing without them', () => {
		const { body } = composed(formFieldsOf(searchAndScrape), {
			query: 'q',
			options: { browserOptions: { mobile: true } },
		});
		expect(body.scrapeOptions).toEqual({ formats: ['markdown'], mobile: true });
	});

	it('read attributes by selector, and say which row lacks something', () => {
		const rows = [
			{ selector: '.price', attribute: 'data-price' },
			{ selector: 'a.next', attribute: 'href' },
		];
		const read = (attribute: IDataObject[]) =>
			formats({ formats: ['attributes'], attributesToRead: { attribute } });
		expect(read(rows)).toEqual([{ type: 'attributes', selectors: rows }]);
		expect(errorOf(() => read([rows[0], { selector: 'a' }])).description).toContain(
			'Attributes to Read → Attribute 2 → Attribute',
		);
		expect(errorOf(() => formats({ formats: ['attributes'] })).message).toContain(
			'Attributes to Read',
		);
	});

	const details = {
		schemaFrom: 'json',
		schemaJson: '{"type":"string"}',
		jsonPrompt: 'Prices',
		question: 'When?',
		highlightsQuery: 'hours',
		screenshotOptions: { quality: 1, viewport: { size: { width: 1, height: 2 } } },
		changeTrackingOptions: { modes: ['git-diff', 'json'], prompt: 'p', tag: 't' },
	};
	const complete = [
		'markdown',
		{ type: 'json', schema: { type: 'string' }, prompt: 'Prices' },
		{ type: 'screenshot', quality: 1, viewport: { width: 1, height: 2 } },
		{ type: 'question', question: 'When?' },
		{ type: 'highlights', query: 'hours' },
		{ type: 'changeTracking', modes: ['git-diff', 'json'], prompt: 'p', tag: 't' },
	];
	const types = complete.map((format) => (typeof format === 'string' ? format : format.type));
	it.each([
		['texts', types],
		['objects', types.map((type) => ({ type }))],
		['JSON text, as models write it', JSON.stringify(types)],
		['both, mixed', types.map((type, index) => (index % 2 === 0 ? type : { type }))],
	])('carry what was set for each, given as %s', (_, chosen) => {
		expect(formats({ formats: chosen, ...details })).toEqual(complete);
	});

	it('pass through where this form does not know them, without changing what an expression gave', () => {
		const given = [
			{ type: 'screenshot', fullPage: true },
			{ type: 'newFormat', a: 1 },
		];
		expect(formats({ formats: given })).toEqual(given);
		expect(formats({ formats: ['word'] })).toEqual(['word']);
		const json = { type: 'json' };
		expect(formats({ formats: [json], jsonPrompt: 'x' })).toEqual([{ type: 'json', prompt: 'x' }]);
		expect(json).toEqual({ type: 'json' });
	});

	it.each<[IDataObject, RegExp]>([
		[{ type: 'json', schema: {} }, /without fields or a prompt/],
		[{ type: 'json', schema: { type: 'object', properties: {} } }, /^Schema has no fields/],
		[{ type: 'json', schema: [] }, /without fields or a prompt/],
		[{ type: 'json', schema: { name: 'string' } }, /^Schema looks like an example/],
		[{ type: 'json', schema: 'name' }, /^Schema is not valid JSON/],
		[{ type: 'json', prompt: ' ' }, /without fields or a prompt/],
		[{ type: 'question', question: ' ' }, /^Question is empty/],
		[{ type: 'highlights', query: [] }, /^Highlights Query is empty/],
		[{ type: 'attributes', selectors: [] }, /^Attributes to Read is empty/],
	])('of an expression are not paid for if they ask for nothing: %j', (format, says) => {
		expect(errorOf(() => formats({ formats: [format] })).message).toMatch(says);
	});

	it('cannot be empty, nor something else', () => {
		for (const nothing of ['', null, []]) {
			expect(formats({ formats: nothing })).toBeUndefined();
			const search = { query: 'q', formats: nothing };
			const error = errorOf(() => composed(formFieldsOf(searchAndScrape), search));
			expect(error.message).toBe('Formats is empty');
		}
		const odd = errorOf(() => formats({ formats: [{ kind: 'html' }] }));
		expect(odd.message).toBe('Formats has "{"kind":"html"}", which is not one of its choices');
		expect(odd.description).toContain('Give text, e.g. markdown');
	});

	it('need what they ask for, of 10,000 characters at most, however many bytes these have', () => {
		const question = (text?: string) => formats({ formats: ['question'], question: text });
		expect(errorOf(() => question()).message).toBe('Question is empty');
		expect(question('😀'.repeat(10_000))).toHaveLength(1);
		expect(errorOf(() => question('x'.repeat(10_001))).message).toBe(
			'Question has 10001 characters, but at most 10000 are allowed',
		);
	});

	it.each([
		[
			{ formats: ['changeTracking'] },
			'Formats has Change Tracking without Markdown',
			'Add the format Markdown',
		],
		[{ formats: ['json'] }, 'Formats has Fields (JSON) without fields or a prompt', 'under Schema'],
	])('are not sent as %j', (values, problem, remedy) => {
		const error = errorOf(() => formats(values as IDataObject));
		expect(error.message).toBe(problem);
		expect(error.description).toContain(remedy);
	});
});

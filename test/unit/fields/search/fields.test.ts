import type { IDataObject } from 'n8n-workflow';

import type { Form } from '../../../../nodes/shared/form/form';
import { formFieldsOf } from '../../../../nodes/shared/run/properties';
import { searchResults } from '../../../../nodes/shared/run/results/searchResults';
import { search } from '../../../../nodes/WebDataSearch/operations/search';
import { composed, errorOf } from '../../../support/form';

const body = (values: IDataObject) =>
	composed(formFieldsOf(search), { query: 'coffee', ...values }).body;

describe('time filter', () => {
	const tbs = (values: IDataObject) => body(values).tbs;

	it.each([
		[{}, undefined],
		[{ published: 'qdr:w', options: { newestFirst: true } }, 'sbd:1,qdr:w'],
		[{ published: 'any', options: { newestFirst: true } }, 'sbd:1'],
		[
			{ published: 'dates', from: '2026-01-15', to: '2026-01-15', options: { newestFirst: true } },
			'sbd:1,cdr:1,cd_min:01/15/2026,cd_max:01/15/2026',
		],
		[{ published: 'any', from: '2026-01-15' }, undefined],
		[{ published: 'sbd:1,qdr:w', options: { newestFirst: true } }, 'sbd:1,qdr:w'],
		[{ published: ' qdr:h6 ' }, 'qdr:h6'],
		[{ published: 'past WEEK' }, 'qdr:w'],
		[
			{ published: 'Custom Range', from: '2026-01-15', to: '2026-01-16' },
			'cdr:1,cd_min:01/15/2026,cd_max:01/16/2026',
		],
		[{ published: null, options: { newestFirst: true } }, 'sbd:1'],
		[{ published: 'cdr:1,cd_min:01/15/2026' }, 'cdr:1,cd_min:01/15/2026'],
		[{ published: 'cdr:1,cd_max:1/15/2026,sbd:1' }, 'cdr:1,cd_max:1/15/2026,sbd:1'],
	])('%j becomes %s', (range, expected) => {
		expect(tbs(range)).toBe(expected);
	});

	it.each([
		[
			{ from: '2026-02-01', to: '2026-01-31' },
			'From is 2026-02-01, which is after To (2026-01-31)',
			'Swap the two dates.',
		],
		[{ from: '', to: '2026-01-31' }, 'From is empty'],
		[{ from: '2026-01-31', to: '' }, 'To is empty'],
		[
			{ from: 'yesterday', to: '2026-01-31' },
			'From is "yesterday", which is not a date',
			'Pick a day, or write it as YYYY-MM-DD.',
		],
		[{ from: new Date(NaN), to: '2026-01-31' }, 'From is "Invalid Date", which is not a date'],
	])('rejects %j', (dates, message, remedy = '') => {
		const error = errorOf(() => tbs({ published: 'dates', ...dates } as IDataObject));
		expect(error.message).toBe(message);
		expect(error.description).toMatch(/field: (From|To)\)/);
		expect(error.description).toContain(remedy);
	});
});

describe('search options', () => {
	it('sends categories as objects, and sources as texts where they have no settings, also those an expression gives', () => {
		const sources = ['news', { type: 'web', location: 'Bonn' }, { type: 'maps' }];
		expect(body({ options: { sources, categories: ['pdf', 'law'] } })).toMatchObject({
			sources: ['news', { type: 'web', location: 'Bonn' }, 'maps'],
			categories: [{ type: 'pdf' }, { type: 'law' }],
		});
		expect(body({ options: { sources: '["web","news"]' } }).sources).toEqual(['web', 'news']);
		expect(errorOf(() => body({ options: { sources: [{ kind: 'web' }] } })).message).toBe(
			'Sources has "{"kind":"web"}", which is not one of its choices',
		);
		for (const [chosen, problem] of [
			[['news', undefined], 'undefined", which is not one of its choices'],
			[[{ type: 'web', location: undefined }], 'location" without a value'],
		]) {
			const { message } = errorOf(() => body({ options: { sources: chosen } as never }));
			expect(message).toBe(`Sources has "${String(problem)}`);
		}
	});

	it('takes the category Developer only by itself, as the service does', () => {
		const chosen = (categories: unknown) => ({
			query: 'q',
			options: { categories } as IDataObject,
		});
		expect(body(chosen(['developer'])).categories).toEqual([{ type: 'developer' }]);
		const both = chosen([{ type: 'developer' }, 'pdf']);
		expect(errorOf(() => body(both)).message).toBe('Categories has Developer together with others');
	});

	it('puts what belongs to the web source there, and keeps what an expression gave with it', () => {
		const options = { webOnly: { location: 'Berlin', published: 'qdr:d' } };
		expect(body({ options: { sources: ['news', 'web'], ...options } }).sources).toEqual([
			'news',
			{ type: 'web', location: 'Berlin', tbs: 'qdr:d' },
		]);
		expect(
			body({ options: { sources: [{ type: 'web', location: 'Bonn' }], ...options } }).sources,
		).toEqual([{ type: 'web', location: 'Bonn', tbs: 'qdr:d' }]);
	});

	it('sets the search’s own fields, too, where it is about the web alone, unless they are set', () => {
		const web = { webOnly: { location: 'Berlin', published: 'qdr:d' } };
		const sources = [{ type: 'web', location: 'Berlin', tbs: 'qdr:d' }];
		expect(body({ options: web })).toMatchObject({ sources, location: 'Berlin', tbs: 'qdr:d' });
		const own = { ...web, location: 'Bonn' };
		expect(body({ published: 'qdr:w', options: own })).toMatchObject({
			sources,
			location: 'Bonn',
			tbs: 'qdr:w',
		});
		const more = body({ options: { sources: ['web', 'news'], ...web } });
		expect(more).not.toHaveProperty('tbs');
		expect(more).not.toHaveProperty('location');
	});

	it('rejects domains to include beside domains to exclude', () => {
		const options = { excludeDomains: 'a.example', includeDomains: 'b.example' };
		expect(errorOf(() => body({ options })).message).toBe(
			'Include Domains is set together with Exclude Domains',
		);
	});
});

describe('a search without a query', () => {
	const checked = (values: IDataObject) => composed(formFieldsOf(search), values).body.query;

	it('is one by its operators', () => {
		const queryOperators = { site: 'example.com', fileType: 'pdf' };
		expect(checked({ query: '', options: { queryOperators } })).toBe(
			'site:example.com filetype:pdf',
		);
		expect(checked({ query: null, options: { queryOperators } })).toBe(
			'site:example.com filetype:pdf',
		);
	});

	it('or by nothing, which is not sent', () => {
		for (const query of ['', '  ', null, undefined]) {
			expect(errorOf(() => checked({ query })).message).toBe('Query is empty');
		}
	});
});

describe('the results of a search', () => {
	const form = (options: IDataObject = {}) =>
		composed(formFieldsOf(search), { query: 'coffee', options }) as Form;
	const web = [{ title: 'A', url: 'https://a.example' }];
	const response = { success: true, id: 'search-1', creditsUsed: 2, data: { web } };

	it('keep what they have under the same name, and ours too', () => {
		const news = [{ title: 'A', source: 'The Paper', query: 'tea' }];
		expect(searchResults({ data: { news } }, form())).toEqual([
			{
				title: 'A',
				source: 'The Paper',
				query: 'tea',
				searchSource: 'news',
				searchQuery: 'coffee',
			},
		]);
		expect(searchResults({ data: { news: [{ source: 'news' }] } }, form())).toEqual([
			{ source: 'news', query: 'coffee' },
		]);
	});

	it('may be texts, but not nothing', () => {
		expect(searchResults({ data: { web: ['https://a.example', null] } }, form())).toEqual([
			{ source: 'web', query: 'coffee', result: 'https://a.example' },
		]);
	});

	it('carry what the service says of the search where that is asked for, and no item if there are none', () => {
		const info = { id: 'search-1', creditsUsed: 2, results: 1 };
		expect(searchResults(response, form({ includeRunDetails: true }))).toEqual([
			{ source: 'web', query: 'coffee', ...web[0], search: info },
		]);
		const none = { ...response, data: { web: [] }, creditsUsed: 0, warning: 'nothing found' };
		expect(searchResults(none, form({ includeRunDetails: true }))).toEqual([]);
		expect(searchResults(none, form({ includeSearchInfo: false }))).toEqual([]);
	});
});

import type { IDataObject } from 'n8n-workflow';

import { formFieldsOf } from '../../../nodes/shared/engine/operationForm';
import { MAX_QUERY_LENGTH } from '../../../nodes/shared/fields/queryOperators';
import { day, timeFilterField } from '../../../nodes/shared/fields/timeFilter';
import { search } from '../../../nodes/WebDataSearch/operations/search';
import { composed, errorOf, place } from '../../support/form';

const body = (values: IDataObject) =>
	composed(formFieldsOf(search), { query: 'coffee', ...values }).body;
const queryOf = (operators: IDataObject, query = 'coffee') =>
	body({ query, queryOperators: operators }).query;

describe('query operators', () => {
	it.each([
		['exactPhrase', 'flat white', 'coffee "flat white"'],
		['exactPhrase', 'say "hi"', 'coffee "say hi"'],
		['exclude', 'jobs\nflat white', 'coffee -jobs -"flat white"'],
		['site', 'https://example.com/', 'coffee site:example.com'],
		['site', 'a.example\nb.example', 'coffee (site:a.example OR site:b.example)'],
		['site', 'http://example.com/shop/chairs/', 'coffee site:example.com/shop/chairs'],
		['site', 'archive.example/http://a.example', 'coffee site:archive.example/http://a.example'],
		['excludeSite', 'a.example\nb.example', 'coffee -site:a.example -site:b.example'],
		['fileType', '.pdf', 'coffee filetype:pdf'],
		['fileType', ['pdf', 'docx'], 'coffee (filetype:pdf OR filetype:docx)'],
		['fileType', 'tar.gz', 'coffee filetype:tar.gz'],
		['excludeFileType', 'pdf', 'coffee -filetype:pdf'],
		['excludeFileType', '.tar.gz\ntar.gz', 'coffee -filetype:tar.gz -filetype:tar.gz'],
		['inTitle', 'review', 'coffee intitle:review'],
		['inTitle', 'long term', 'coffee intitle:"long term"'],
		['inUrl', 'blog', 'coffee inurl:blog'],
		['related', 'https://example.com', 'coffee related:example.com'],
		['imageSize', '1920 × 1080', 'coffee imagesize:1920x1080'],
		['largerThan', '800x600', 'coffee larger:800x600'],
		['allInTitle', 'electric car test', 'coffee allintitle:electric car test'],
		['allInUrl', 'product lamp', 'coffee allinurl:product lamp'],
	])('%s %j becomes %s', (name, entered, expected) => {
		expect(queryOf({ [name]: entered })).toBe(expected);
	});

	it('stands in the order of the form, those that take all words last', () => {
		expect(queryOf({ allInTitle: 'x y', site: 'a.example', exactPhrase: 'b' })).toBe(
			'coffee "b" site:a.example allintitle:x y',
		);
	});

	it('adds nothing for operators left empty', () => {
		expect(queryOf({ site: '', exclude: '\n' })).toBe('coffee');
	});

	it('has to fit into the query together with it', () => {
		const rest = ' site:a.example'.length;
		const longest = 'x'.repeat(MAX_QUERY_LENGTH - rest);
		expect(queryOf({ site: 'a.example' }, longest)).toHaveLength(500);
		const error = errorOf(() => queryOf({ site: 'a.example' }, `${longest}x`));
		expect(error.message).toBe(
			'Query with its Query Operators has 501 characters, but at most 500 are allowed',
		);
		expect(error.description).toContain('(field: Query with its Query Operators)');
		expect(errorOf(() => body({ query: 'x'.repeat(501) })).message).toBe(
			'Query has 501 characters, but at most 500 are allowed',
		);
	});

	it.each(['large', '1920', '1920x', 'x1080', 'over 1920x1080', '1920x1080 px'])(
		'refuses the image size %s',
		(entered) => {
			const error = errorOf(() => queryOf({ imageSize: entered }));
			expect(error.message).toBe(`Image Size is "${entered}", but must be WIDTHxHEIGHT`);
			expect(error.description).toContain('e.g. 1920x1080');
		},
	);
});

describe('time filter', () => {
	const field = timeFilterField({ displayName: 'Time Filter', name: 'when', description: '' });
	const tbs = (range?: IDataObject) =>
		composed([field], { when: range === undefined ? {} : { range } }).body.when;

	it.each([
		[{ past: 'qdr:h' }, 'qdr:h'],
		[{}, 'qdr:w'],
		[{ past: 'qdr:w', sortByDate: true }, 'sbd:1,qdr:w'],
		[{ past: '', sortByDate: true }, 'sbd:1'],
		[
			{ past: 'dates', from: '2026-01-15T00:00:00', to: '2026-02-03T10:00:00' },
			'cdr:1,cd_min:01/15/2026,cd_max:02/03/2026',
		],
		[
			{ past: 'dates', from: '2026-01-15', to: '2026-01-15', sortByDate: true },
			'sbd:1,cdr:1,cd_min:01/15/2026,cd_max:01/15/2026',
		],
		[{ past: '' }, undefined],
		[{ past: '', from: '2026-01-15' }, undefined],
		[{ past: 'qdr:d', from: '2026-01-15', to: '2026-01-16' }, 'qdr:d'],
		[{ past: 'qdr:d', sortByDate: 'false' }, 'qdr:d'],
		[{ past: 'qdr:d', sortByDate: 'true' }, 'sbd:1,qdr:d'],
		[{ past: 'qdr:d', sortByDate: null }, 'qdr:d'],
		[{ past: null }, undefined],
		[{ past: null, sortByDate: true }, 'sbd:1'],
	])('%j becomes %s', (range, expected) => {
		expect(tbs(range)).toBe(expected);
	});

	it('sends nothing when it was not added', () => {
		expect(tbs()).toBeUndefined();
	});

	it('sends nothing when it was added to the options, but not set', () => {
		expect(body({ options: { timeFilter: {} } })).toEqual({ query: 'coffee' });
	});

	it.each([
		[
			{ from: '2026-02-01', to: '2026-01-31' },
			'From is 2026-02-01, which is after To (2026-01-31)',
			'Swap the two dates.',
		],
		[{ from: '', to: '2026-01-31' }, 'From is empty'],
		[{ to: '2026-01-31' }, 'From is empty'],
		[{ from: '2026-01-31', to: '' }, 'To is empty'],
		[{ from: '2026-01-31' }, 'To is empty'],
		[
			{ from: 'yesterday', to: '2026-01-31' },
			'From is "yesterday", which is not a date',
			'Pick a day, or write it as YYYY-MM-DD.',
		],
		[{ from: '2026-01-31', to: 'today' }, 'To is "today", which is not a date'],
		[
			{ from: 'since 2026-01-15', to: '2026-01-31' },
			'From is "since 2026-01-15", which is not a date',
		],
		[
			{ from: 'x'.repeat(99), to: '2026-01-31' },
			`From is "${'x'.repeat(40)}", which is not a date`,
		],
		[{ from: new Date(NaN), to: '2026-01-31' }, 'From is "Invalid Date", which is not a date'],
		[{ from: '2026-02-31', to: '2026-03-31' }, 'From is "2026-02-31", which is not a date'],
		[{ from: '2026-13-01', to: '2027-03-31' }, 'From is "2026-13-01", which is not a date'],
	])('refuses %j', (dates, message, remedy = '') => {
		const error = errorOf(() => tbs({ past: 'dates', ...dates } as IDataObject));
		expect(error.message).toBe(message);
		expect(error.description).toContain('Time Filter → ');
		expect(error.description).toContain(remedy);
	});

	it('refuses a range that does not exist', () => {
		expect(errorOf(() => tbs({ past: 'qdr:z' })).message).toBe(
			'Published is "qdr:z", which is not one of its choices',
		);
	});
});

describe('day', () => {
	it.each([
		['2026-01-15T23:30:00.000+02:00', '2026-01-15'],
		['2024-02-29', '2024-02-29'],
		[new Date('2026-01-15T12:00:00Z'), '2026-01-15'],
		[{ toJSON: () => '2026-01-15T23:30:00.000+02:00' }, '2026-01-15'],
		['', undefined],
		[null, undefined],
		[undefined, undefined],
	])('%p is %s', (entered, expected) => {
		expect(day(entered, place)).toBe(expected);
	});

	it.each([
		['Europe/Berlin', '2026-01-16'],
		['America/New_York', '2026-01-15'],
		[undefined, '2026-01-15'],
	])('of a moment is that of the workflow in %s', (timezone, expected) => {
		expect(day(new Date('2026-01-15T23:30:00Z'), { ...place, timezone })).toBe(expected);
	});
});

describe('search options', () => {
	it('sends sources and categories as objects', () => {
		expect(body({ options: { sources: ['web', 'news'], categories: ['pdf'] } })).toEqual({
			query: 'coffee',
			sources: [{ type: 'web' }, { type: 'news' }],
			categories: [{ type: 'pdf' }],
		});
	});

	it('puts what belongs to the web source there', () => {
		expect(
			body({
				options: {
					sources: ['news', 'web'],
					webLocation: 'Berlin',
					webTimeFilter: { range: { past: 'qdr:d' } },
				},
			}).sources,
		).toEqual([{ type: 'news' }, { type: 'web', location: 'Berlin', tbs: 'qdr:d' }]);
		expect(body({ options: { webLocation: 'Berlin' } }).sources).toEqual([
			{ type: 'web', location: 'Berlin' },
		]);
	});

	it('refuses what belongs to the web source where that is not searched', () => {
		expect(
			errorOf(() => body({ options: { sources: ['news'], webLocation: 'Berlin' } })).message,
		).toBe('Web: Location is set, but Sources has no Web');
	});

	it('keeps country, limit, enterprise and the rest apart', () => {
		expect(
			body({
				options: {
					limit: 5,
					country: 'de',
					location: 'Berlin,Germany',
					enterprise: ['zdr'],
					timeout: 1,
					ignoreInvalidURLs: false,
					timeFilter: { range: { past: 'qdr:m' } },
				},
			}),
		).toEqual({
			query: 'coffee',
			limit: 5,
			country: 'DE',
			location: 'Berlin,Germany',
			enterprise: ['zdr'],
			timeout: 1,
			ignoreInvalidURLs: false,
			tbs: 'qdr:m',
		});
	});

	it('keeps settings out of the request', () => {
		const { body: sent, settings } = composed(formFieldsOf(search), {
			query: 'coffee',
			options: { splitIntoItems: false, maxConcurrent: 2, maxWait: 0, maxTextLength: 10 },
		});
		expect(sent).toEqual({ query: 'coffee' });
		expect(settings).toEqual({
			splitIntoItems: false,
			maxConcurrent: 2,
			maxWait: 0,
			maxTextLength: 10,
		});
	});
});

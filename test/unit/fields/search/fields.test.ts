import { getGlobalState } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { Form } from '../../../../nodes/shared/form/form';
import { formFieldsOf } from '../../../../nodes/shared/run/operationForm';
import { shownFields } from '../../../../nodes/shared/form/compose';
import { MAX_QUERY_LENGTH } from '../../../../nodes/shared/fields/search/queryText';
import { day } from '../../../../nodes/shared/fields/search/timeFilter';
import { searchResults } from '../../../../nodes/shared/run/results/searchResults';
import { search } from '../../../../nodes/WebDataSearch/operations/search';
import { composed, errorOf, place } from '../../../support/form';

const body = (values: IDataObject) =>
	composed(formFieldsOf(search), { query: 'coffee', ...values }).body;
/** What the form always sends with a search. */
const shown = { query: 'coffee', limit: 5 };
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
		['site', '\u200ea.example\u200e', 'coffee site:a.example'],
		['exactPhrase', '"\u200eflat white\u200e"', 'coffee "flat white"'],
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
		['exclude', '-jobs\n--flat white', 'coffee -jobs -"flat white"'],
		['exclude', 'e-mail', 'coffee -e-mail'],
		['exactPhrase', '-5 degrees', 'coffee "-5 degrees"'],
		['site', 'https://example.com//', 'coffee site:example.com'],
		['site', 'site:a.example', 'coffee site:a.example'],
		['site', 'site: site:https://a.example/', 'coffee site:a.example'],
		['excludeSite', '-site:a.example\nsite:b.example', 'coffee -site:a.example -site:b.example'],
		['fileType', 'filetype:pdf', 'coffee filetype:pdf'],
		['inTitle', '5" disk', 'coffee intitle:"5 disk"'],
		['inTitle', '"review"', 'coffee intitle:review'],
		['allInTitle', '"electric car" test', 'coffee allintitle:"electric car" test'],
		['allInUrl', 'allinurl:"a b" c', 'coffee allinurl:"a b" c'],
		['exactPhrase', 'flat "white', 'coffee "flat white"'],
		['fileType', 'ext:pdf', 'coffee filetype:pdf'],
		['excludeFileType', '-ext:pdf', 'coffee -filetype:pdf'],
		['inTitle', 'InTitle: "review"', 'coffee intitle:review'],
		['inUrl', '"inurl:blog"', 'coffee inurl:blog'],
		['imageSize', 'imagesize:1920x1080', 'coffee imagesize:1920x1080'],
		['exclude', 'site:a.example', 'coffee -site:a.example'],
		['exactPhrase', 'intitle:review', 'coffee "intitle:review"'],
		['exactPhrase', 'website: a', 'coffee "website: a"'],
		['inTitle', 'After: a story', 'coffee intitle:"After: a story"'],
		['exclude', '-ads -jobs', 'coffee -ads -jobs'],
		['exclude', 'ads -"new york" -jobs', 'coffee -ads -"new york" -jobs'],
		['exclude', 'NOT ads NOT jobs', 'coffee -ads -jobs'],
		['exclude', 'ads | jobs', 'coffee -ads -jobs'],
		['exclude', 'full-time job', 'coffee -"full-time job"'],
		['exactPhrase', '"new york" "real estate"', 'coffee "new york" "real estate"'],
		['exactPhrase', 'the "real" estate', 'coffee "the real estate"'],
		...[
			'a.example, b.example',
			'a.example b.example',
			'a.example OR b.example',
			'a.example and b.example',
			'site:a.example OR site:b.example',
			'(site:a.example OR site:b.example)',
			'https://a.example/ | b.example',
		].map((sites): [string, string, string] => [
			'site',
			sites,
			'coffee (site:a.example OR site:b.example)',
		]),
		['excludeSite', '-site:a.example -site:b.example', 'coffee -site:a.example -site:b.example'],
		...[
			'PDF files',
			'PDF documents',
			'*.pdf',
			'application/pdf',
			'PDFs',
			'Acrobat',
			'.PDF',
			'filetype:PDF',
		].map((type): [string, string, string] => ['fileType', type, 'coffee filetype:pdf']),
		...['doc/docx', 'doc or docx', 'filetype:doc OR filetype:docx', '.doc, .docx', 'doc, Word'].map(
			(types): [string, string, string] => [
				'fileType',
				types,
				'coffee (filetype:doc OR filetype:docx)',
			],
		),
		['fileType', 'Excel', 'coffee filetype:xlsx'],
		['fileType', 'text/csv', 'coffee filetype:csv'],
		['fileType', 'text/plain', 'coffee filetype:txt'],
		['fileType', 'PDF (.pdf)', 'coffee filetype:pdf'],
		['exactPhrase', '“new york”', 'coffee "new york"'],
		['site', 'gov', 'coffee site:gov'],
	])('%s %j becomes %s', (name, entered, expected) => {
		expect(queryOf({ [name]: entered })).toBe(expected);
	});

	it.each([
		['exactPhrase', '""', 'Exact Phrase'],
		['exclude', '-', 'Exclude Words'],
		['site', 'site:', 'Only Sites'],
		['site', 'https://', 'Only Sites'],
		['site', 'None', 'Only Sites'],
		['fileType', 'none', 'File Type'],
		['excludeSite', '-site:', 'Exclude Sites'],
		['inTitle', '"', 'In Title'],
		['allInTitle', '" "', 'All Words in Title'],
		['exactPhrase', '-', 'Exact Phrase'],
		['site', '-', 'Only Sites'],
		['excludeSite', '--', 'Exclude Sites'],
		['fileType', '-', 'File Type'],
		['fileType', '.-', 'File Type'],
		['excludeFileType', '-', 'Exclude File Type'],
		['inTitle', '-', 'In Title'],
		['inUrl', '- -', 'In URL'],
		['related', '-', 'Related To'],
		['allInTitle', '-', 'All Words in Title'],
		['allInUrl', '"-"', 'All Words in URL'],
		['exactPhrase', '–', 'Exact Phrase'],
	])('%s %j is nothing to search for', (name, entered, label) => {
		const error = errorOf(() => queryOf({ [name]: entered }));
		expect(error.message).toBe(`${label} has "${entered}", which leaves nothing to search for`);
		expect(error.description).toContain('Enter the words alone');
	});

	it.each([
		['fileType', 'site:x', 'site:'],
		['site', 'intitle:review', 'intitle:'],
		['site', '-site:a.example', '-site:'],
		['inTitle', 'inurl:blog', 'inurl:'],
		['inTitle', '-intitle:blog', '-intitle:'],
		['inUrl', 'intitle:intitle:a', 'intitle:'],
		['inTitle', 'allintitle:a b', 'allintitle:'],
		['related', 'site:a.example', 'site:'],
		['imageSize', 'larger:1x1', 'larger:'],
		['allInTitle', 'inurl:a b', 'inurl:'],
		['allInUrl', 'filetype:pdf', 'filetype:'],
	])('%s %j has the operator of another field', (name, entered, operator) => {
		const { message, description } = errorOf(() => queryOf({ [name]: entered }));
		expect(message).toContain(` has "${entered}", which has another operator: ${operator}`);
		expect(description).toContain('Enter the words alone');
	});

	it.each([
		['fileType', 'Publications', 'which is not a file type'],
		['fileType', 'annual reports', 'which is more than one entry'],
		['site', 'wikipedia', 'which is not a site'],
		['site', 'news sites', 'which is more than one entry'],
	])('%s %j is refused', (name, entered, problem) => {
		expect(errorOf(() => queryOf({ [name]: entered })).message).toContain(
			`has "${entered}", ${problem}`,
		);
	});

	it('does not depend on where the query stands in the form', () => {
		const fields = formFieldsOf(search).reverse();
		const values = { query: 'coffee', queryOperators: { site: 'a.example' } };
		expect(composed(fields, values).body.query).toBe('coffee site:a.example');
	});

	it('stands in the order of the form, those that take all words last', () => {
		expect(queryOf({ allInTitle: 'x y', site: 'a.example', exactPhrase: 'b' })).toBe(
			'coffee "b" site:a.example allintitle:x y',
		);
	});

	it.each([{ site: '' }, { exclude: '\n' }])(
		'rejects an operator that was added but is empty: %j',
		(operators) => {
			expect(() => queryOf(operators)).toThrow(' is empty');
		},
	);

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
		'rejects the image size %s',
		(entered) => {
			const error = errorOf(() => queryOf({ imageSize: entered }));
			expect(error.message).toBe(`Image Size is "${entered}", but must be WIDTHxHEIGHT`);
			expect(error.description).toContain('like this: 1920x1080');
		},
	);
});

describe('time filter', () => {
	const tbs = (values: IDataObject) => body(values).tbs;

	it.each([
		[{ published: 'qdr:h' }, 'qdr:h'],
		[{}, undefined],
		[{ published: 'qdr:w', sortBy: 'date' }, 'sbd:1,qdr:w'],
		[{ published: 'any', sortBy: 'date' }, 'sbd:1'],
		[
			{ published: 'dates', from: '2026-01-15T00:00:00', to: '2026-02-03T10:00:00' },
			'cdr:1,cd_min:01/15/2026,cd_max:02/03/2026',
		],
		[
			{ published: 'dates', from: '2026-01-15', to: '2026-01-15', sortBy: 'date' },
			'sbd:1,cdr:1,cd_min:01/15/2026,cd_max:01/15/2026',
		],
		[{ published: 'any' }, undefined],
		[{ published: 'any', from: '2026-01-15' }, undefined],
		[{ published: 'qdr:d', from: '2026-01-15', to: '2026-01-16' }, 'qdr:d'],
		[{ published: 'qdr:d', sortBy: 'relevance' }, 'qdr:d'],
		[{ published: 'qdr:d', sortBy: 'Newest First' }, 'sbd:1,qdr:d'],
		[{ published: 'qdr:d', sortBy: null }, 'qdr:d'],
		[{ published: 'sbd:1,qdr:w' }, 'sbd:1,qdr:w'],
		[{ published: 'sbd:1,qdr:w', sortBy: 'date' }, 'sbd:1,qdr:w'],
		[{ published: ' qdr:h6 ' }, 'qdr:h6'],
		[
			{ published: 'cdr:1, cd_min:01/15/2026, cd_max:2/3/2026' },
			'cdr:1,cd_min:01/15/2026,cd_max:2/3/2026',
		],
		[{ published: 'past WEEK' }, 'qdr:w'],
		[
			{ published: 'Custom Range', from: '2026-01-15', to: '2026-01-16' },
			'cdr:1,cd_min:01/15/2026,cd_max:01/16/2026',
		],
		[{ published: null }, undefined],
		[{ published: null, sortBy: 'date' }, 'sbd:1'],
		[{ published: 'sbd:1' }, 'sbd:1'],
		[{ published: 'tbs=qdr:h12' }, 'qdr:h12'],
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
			`From is "${'x'.repeat(79)}…", which is not a date`,
		],
		[{ from: { day: 1 }, to: '2026-01-31' }, 'From is "{"day":1}", which is not a date'],
		[{ from: new Date(NaN), to: '2026-01-31' }, 'From is "Invalid Date", which is not a date'],
		[{ from: '2026-02-31', to: '2026-03-31' }, 'From is "2026-02-31", which is not a date'],
		[{ from: '2026-13-01', to: '2027-03-31' }, 'From is "2026-13-01", which is not a date'],
	])('rejects %j', (dates, message, remedy = '') => {
		const error = errorOf(() => tbs({ published: 'dates', ...dates } as IDataObject));
		expect(error.message).toBe(message);
		expect(error.description).toMatch(/field: (From|To)\)/);
		expect(error.description).toContain(remedy);
	});

	it('rejects a range that does not exist', () => {
		expect(errorOf(() => tbs({ published: 'qdr:z' })).message).toBe(
			'Published is "qdr:z", which is not one of its choices',
		);
	});

	it.each([
		'qdr:w,qdr:m',
		'qdr:w,cdr:1,cd_min:01/15/2026',
		'cdr:1',
		'cd_min:01/15/2026',
		'cdr:1,cd_min:13/15/2026',
		'cdr:1,cd_min:02/30/2026,cd_max:03/15/2026',
		'cdr:1,cd_min:03/15/2026,cd_max:02/15/2026',
		'cdr:1,cd_min:03/15/2026,cd_min:04/15/2026',
	])('rejects a time filter that is not one period: %s', (published) => {
		for (const values of [{ published }, { options: { webOnly: { published } } }]) {
			expect(errorOf(() => tbs(values)).message).toMatch(
				/Published is ".*", which is not one period$/,
			);
		}
	});

	it('comes with a notice exactly where the service does not filter', () => {
		const fields = formFieldsOf(search);
		const isNoticed = (values: IDataObject) =>
			shownFields(fields, (name) => values[name], place).some(({ type }) => type === 'notice');
		expect(isNoticed({ sources: ['web', 'news'], published: 'qdr:w' })).toBe(true);
		expect(isNoticed({ sources: ['images'], published: 'dates' })).toBe(true);
		expect(isNoticed({ sources: ['news'], published: 'any' })).toBe(false);
		expect(isNoticed({ sources: ['news'] })).toBe(false);
		expect(isNoticed({ sources: ['web'], published: 'qdr:w' })).toBe(false);
	});
});

describe('day', () => {
	it.each([
		['2026-01-15T23:30:00.000+02:00', '2026-01-15'],
		['2024-02-29', '2024-02-29'],
		[new Date('2026-01-15T12:00:00Z'), '2026-01-15'],
		[[''], undefined],
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
		const moment = new Date('2026-01-15T23:30:00Z');
		expect(day(moment, { ...place, timezone })).toBe(expected);
		expect(day([moment], { ...place, timezone })).toBe(expected);
		expect(day('2026-01-15T23:30:00.000Z', { ...place, timezone })).toBe(expected);
		expect(day('2026-01-15T23:30Z', { ...place, timezone })).toBe(expected);
		expect(day('2026-01-15T00:00:00.000Z', { ...place, timezone })).toBe('2026-01-15');
		expect(() => day('2026-02-31T12:00:00.000Z', { ...place, timezone })).toThrow('is not a date');
	});

	it.each(['DEFAULT', ''])("of a moment is that of n8n's own time zone in %j", (timezone) => {
		const own = getGlobalState().defaultTimezone;
		expect(own).toBe('America/New_York');
		const moment = new Date('2026-01-15T23:30:00-05:00');
		expect(day(moment, { ...place, timezone })).toBe('2026-01-15');
	});

	it('of a moment is unknown in a time zone that does not exist', () => {
		const { message, description } = errorOf(() =>
			day(new Date(), { ...place, timezone: 'UTC+2', labels: ['From'] }),
		);
		expect(message).toBe(
			'From is a time whose day depends on the time zone, but "UTC+2" is not one',
		);
		expect(description).toContain("in the workflow's settings, e.g. Europe/Berlin.");
		expect(description).toContain('(field: From)');
	});
});

describe('search options', () => {
	it('sends limit and sources as shown', () => {
		expect(body({})).toEqual(shown);
		expect(body({ limit: null, sources: null })).toEqual(shown);
		expect(body({ limit: 7, sources: ['news'] })).toEqual({
			query: 'coffee',
			limit: 7,
			sources: ['news'],
		});
	});

	it('sends categories as objects, and sources as texts where they have no settings, also those an expression gives', () => {
		const sources = ['news', { type: 'web', location: 'Bonn' }, { type: 'maps' }];
		expect(body({ sources, options: { categories: ['pdf', 'law'] } })).toMatchObject({
			sources: ['news', { type: 'web', location: 'Bonn' }, 'maps'],
			categories: [{ type: 'pdf' }, { type: 'law' }],
		});
		expect(body({ sources: '["web","news"]' }).sources).toEqual(['web', 'news']);
		expect(errorOf(() => body({ sources: [{ kind: 'web' }] })).message).toBe(
			'Sources has "{"kind":"web"}", which is not one of its choices',
		);
	});

	it.each<[field: string, entry: object, key: string, known: string]>([
		['Categories', { type: 'github', mood: 1 }, 'mood', 'github has only type'],
		['Categories', { type: 'pdf', tbs: 'qdr:d' }, 'tbs', 'pdf has only type'],
		['Sources', { type: 'news', tbs: 'qdr:d' }, 'tbs', 'news has only type'],
		['Sources', { type: 'web', location: 'Bonn', limit: 5 }, 'limit', 'web has only type, tbs,'],
	])('%s name the key that %j must not have', (field, entry, key, known) => {
		const chosen = [entry] as unknown as IDataObject[];
		const form = field === 'Sources' ? { sources: chosen } : { options: { categories: chosen } };
		const { message, description } = errorOf(() => body({ query: 'q', ...form }));
		expect(message).toBe(`${field} has "${key}" in "${JSON.stringify(entry)}"`);
		expect(description).toContain(known);
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
		expect(body({ sources: ['news', 'web'], options }).sources).toEqual([
			'news',
			{ type: 'web', location: 'Berlin', tbs: 'qdr:d' },
		]);
		expect(body({ sources: [{ type: 'web', location: 'Bonn' }], options }).sources).toEqual([
			{ type: 'web', location: 'Bonn', tbs: 'qdr:d' },
		]);
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
		const more = body({ sources: ['web', 'news'], options: web });
		expect(more).not.toHaveProperty('tbs');
		expect(more).not.toHaveProperty('location');
	});

	it('rejects what belongs to the web source where that is not searched', () => {
		expect(
			errorOf(() => body({ sources: ['news'], options: { webOnly: { location: 'Berlin' } } }))
				.message,
		).toBe('Web: Location is set, but Sources has no Web');
	});

	it('keeps country, enterprise and the rest apart', () => {
		expect(
			body({
				published: 'qdr:m',
				options: {
					country: 'de',
					location: 'Berlin,Germany',
					enterprise: ['zdr'],
					timeout: 1,
					ignoreInvalidURLs: false,
					safe: true,
					highlights: false,
					includeDomains: 'Example.COM\nb.example',
				},
			}),
		).toEqual({
			...shown,
			country: 'DE',
			location: 'Berlin,Germany',
			enterprise: ['zdr'],
			timeout: 1,
			ignoreInvalidURLs: false,
			tbs: 'qdr:m',
			safe: true,
			highlights: false,
			includeDomains: ['example.com', 'b.example'],
		});
	});

	it.each(['https://example.com/blog', 'example.com/blog', 'example'])(
		'rejects the domain %s',
		(domain) => {
			const error = errorOf(() => body({ options: { excludeDomains: `a.example\n${domain}` } }));
			expect(error.message).toBe(`Exclude Domains has "${domain}", which is not a domain`);
			expect(error.description).toContain('like example.com');
		},
	);

	it('rejects domains to include beside domains to exclude', () => {
		const options = { excludeDomains: 'a.example', includeDomains: 'b.example' };
		expect(errorOf(() => body({ options })).message).toBe(
			'Include Domains is set together with Exclude Domains',
		);
	});

	it('keeps settings out of the request', () => {
		const settings = { splitIntoItems: false, maxConcurrent: 2, maxWait: 0, maxTextLength: 10 };
		const made = composed(formFieldsOf(search), {
			query: 'coffee',
			options: { ...settings, includeSearchInfo: true },
		});
		expect(made.body).toEqual(shown);
		expect(made.settings).toMatchObject({ ...settings, includeSearchInfo: true });
	});
});

describe('a search without a query', () => {
	const checked = (values: IDataObject) => composed(formFieldsOf(search), values).body.query;

	it('is one by its operators', () => {
		const queryOperators = { site: 'example.com', fileType: 'pdf' };
		expect(checked({ query: '', queryOperators })).toBe('site:example.com filetype:pdf');
		expect(checked({ query: null, queryOperators })).toBe('site:example.com filetype:pdf');
	});

	it('or by nothing, which is not sent', () => {
		for (const query of ['', '  ', null, undefined]) {
			expect(errorOf(() => checked({ query })).message).toBe('Query is empty');
		}
	});
});

describe('the results of a search', () => {
	const form = (options: IDataObject = {}) =>
		new Form(composed(formFieldsOf(search), { query: 'coffee', options }), {
			...place,
			itemIndex: 2,
			timezone: 'UTC',
		});
	const web = [{ title: 'A', url: 'https://a.example' }];
	const response = { success: true, id: 'search-1', creditsUsed: 2, data: { web } };

	it('say where they come from', () => {
		expect(searchResults({ ...response, warning: 'slow' }, form())).toEqual([
			{ source: 'web', query: 'coffee', searchWarning: 'slow', ...web[0] },
		]);
		expect(searchResults({ data: {} }, form())).toEqual([]);
	});

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

	it('are of the web where they have no source', () => {
		expect(searchResults({ data: web }, form())).toEqual([
			{ source: 'web', query: 'coffee', ...web[0] },
		]);
	});

	it('may be texts, but not nothing', () => {
		expect(searchResults({ data: { web: ['https://a.example', null] } }, form())).toEqual([
			{ source: 'web', query: 'coffee', result: 'https://a.example' },
		]);
	});

	it('carry what the service says of the search where that is asked for, and no item if there are none', () => {
		const info = { id: 'search-1', creditsUsed: 2, results: 1 };
		expect(searchResults(response, form({ includeSearchInfo: true }))).toEqual([
			{ source: 'web', query: 'coffee', ...web[0], search: info },
		]);
		const none = { ...response, data: { web: [] }, creditsUsed: 0, warning: 'nothing found' };
		expect(searchResults(none, form({ includeSearchInfo: true }))).toEqual([]);
		expect(searchResults(none, form({ includeSearchInfo: false }))).toEqual([]);
	});
});

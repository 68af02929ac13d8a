/** What a service would reject, or bill for nothing, is rejected before it is sent. */
import type { IDataObject } from 'n8n-workflow';

import { Form } from '../../../nodes/shared/form/form';
import { formFieldsOf } from '../../../nodes/shared/run/operationForm';
import { compose } from '../../../nodes/shared/form/compose';
import { type Field, childrenOf } from '../../../nodes/shared/form/field';
import type { Operation } from '../../../nodes/shared/run/operation';
import { start as agent } from '../../../nodes/WebDataAgent/operations/start';
import { start as extract } from '../../../nodes/WebDataExtract/operations/start';
import { scrape } from '../../../nodes/WebDataScrape/operations/scrape';
import { search } from '../../../nodes/WebDataSearch/operations/search';
import { OPERATORS } from '../../../nodes/shared/fields/search/queryText';
import { actionNodes, operationOf } from '../../../scripts/lib/nodes';
import { operationsOf } from '../../contract/controls';
import { composed, errorOf, node, place } from '../../support/form';

const URL = 'https://example.com';
const bodyOf = (operation: Operation, values: IDataObject) =>
	composed(formFieldsOf(operation), { url: URL, query: 'coffee', ...values }).body;
const messageOf = (operation: Operation, values: IDataObject) =>
	errorOf(() => bodyOf(operation, values)).message;

describe('the query of a search', () => {
	/** What a query becomes that stands in the form as `raw`. */
	const sent = (query: string, raw: unknown = '={{ $json.query }}', more: IDataObject = {}) => {
		const fields = formFieldsOf(search);
		const values: IDataObject = { query, ...more };
		const at = { ...place, node: { ...node, parameters: { query: raw } } as typeof node };
		const read = (name: string) =>
			name in values ? values[name] : fields.find((field) => field.name === name)?.default;
		return compose(fields, read, at).body.query;
	};

	const NOTHING = [
		...['', ' ', '""', '" "', 'undefined', 'null', 'NaN', '[object Object]', '"undefined"'],
		...[
			'none',
			'None',
			'N/A',
			'nil',
			'"none"',
			'Invalid DateTime',
			'-',
			'–',
			'.',
			'/',
			'[]',
			'{}',
			'*',
		],
		...['()', ')', '|', '"-"', '#N/A', '…'],
	];
	const SCHEMES = ['https://', 'http://'];
	const hollow = OPERATORS.flatMap((operator) =>
		[...NOTHING, ...SCHEMES].flatMap((nothing) => [
			`${operator}:${nothing}`,
			`tea ${operator}:${nothing} green`,
			`tea (-${operator}:${nothing})`,
		]),
	);

	it.each([
		...hollow,
		...['tea after:Thu Jan 01 1970 00:00:00 GMT', 'tea before:yesterday'],
		...['site:/blog lawyer', 'related:/ tea', 'after: x', 'SITE:null tea'],
		...[
			'“” lawyer',
			'„“ lawyer',
			'"" lawyer',
			'tea "  "',
			'"undefined" tea',
			'tea "[object Object]"',
		],
		...[
			'OR x price',
			' OR x price',
			'x OR ',
			'x OR',
			'x OR OR y',
			'(OR x)',
			'(x OR ) y',
			'| x',
			'x AND',
		],
		...['pricing -', 'pricing - ', '(tea -) price', '-'],
		...['site:.example.com tea', '-site:..example', 'tea site:www..com', 'related:.shop.example/a'],
		...['coffee -undefined', '-null tea', 'tea ()', '( ) tea'],
		...['site:www. tea', 'site:www tea', 'site:OR tea', 'tea site:all', 'filetype:any tea'],
		...['"\u200b" price', '"-" price', '"." price', 'tea "–"', '"N/A" reviews', '"*" tea'],
		...['tea $5..$', 'tea $..$9', 'tea $..', 'tea -()', 'site:(', 'tea site:"'],
		...['N/A reviews', '#N/A CEO', '#REF! reviews', '{{ $json.brand }} reviews'],
	])('has a part without a word, by an expression: %j', (query) => {
		const { message } = errorOf(() => sent(query));
		expect(message).toMatch(
			/^Query (has ".*" with nothing to search for in it: |contains ".*"|is ")/,
		);
	});

	it.each(['{"query":null}', '{"a":{"b":"tea"}}', '[{"a":"tea"},{"a":"milk"}]'])(
		'is none in JSON without text: %s',
		(query) => {
			expect(errorOf(() => sent(query)).message).toMatch(/^Query is ".*", which has no query$/);
		},
	);

	it.each([
		...['"new york" "real estate"', '"new york""real estate"', 'a "b" c "d" "e"', '12" x 5" frame'],
		...[
			'site:example.com -jobs "flat white"',
			'site:.edu tea',
			'site:.gov.uk tax',
			'site:none.example tea',
			'intitle:none-stick pans',
			'AND gate explanation',
			'OR gates in Minecraft',
			'inurl:/blog/ tea',
			'filetype:.pdf',
		],
		...['undefined is not a function', 'null pointer', 'javascript intitle:"undefined behavior"'],
		...[
			'tea OR coffee',
			'(tea OR coffee) price',
			'foo() in javascript',
			'rock - paper',
			'covid-19',
			'C-',
			'either or',
		],
		...['site:( a.example OR b.example ) tea', 'intitle:" a b" tea', 'site:no tea', 'tea $5..$9'],
		...[
			'tea $5..',
			'N/A meaning',
			'#N/A in Excel',
			'what does #REF! mean',
			'vue {{ x }}',
			'display "none" css',
			'what is "?"',
		],
		...['OREGON price', 'website: how to', 'the time before: a novel'.replace(': ', ' ')],
	])('is sent as an expression gave it: %j', (query) => {
		expect(sent(query)).toBe(query);
	});

	const withItem = (query: string, json: IDataObject) => {
		const at = { ...place, node: { ...node, parameters: { query: '={{ $json.a + $json.b }}' } } };
		const fields = formFieldsOf(search);
		const read = (name: string) =>
			name === 'query' ? query : fields.find((field) => field.name === name)?.default;
		return compose(fields, read, { ...at, item: () => json } as typeof place).body.query;
	};

	it.each(['N/A', 'n/a', '#N/A', '#REF!', '#DIV/0!', '#NAME?', 'undefined', 'null', 'NaN'])(
		'has no word for nothing that is a field of its item: %s',
		(brand) => {
			for (const query of [`${brand} reviews`, `reviews of ${brand}`, `"${brand}" price`]) {
				expect(errorOf(() => withItem(query, { brand, name: 'tea' })).message).toMatch(
					/^Query has ".*" with nothing to search for in it: /,
				);
			}
		},
	);

	it('is its item’s own with such a word', () => {
		const query = 'undefined is not a function';
		expect(withItem(query, { query, type: 'undefined' })).toBe(query);
		expect(withItem(query, { text: `${query}.` })).toBe(query);
		expect(withItem('tea reviews', { brand: 'N/A' })).toBe('tea reviews');
	});

	it.each([
		['site: example.com lamp', 'site:example.com lamp'],
		['lamp -site:  a.example', 'lamp -site:a.example'],
		['report filetype: pdf', 'report filetype:pdf'],
		['tea after: 2024-01-01', 'tea after:2024-01-01'],
		['tea after:2024-01-05T10:00:00.000+01:00', 'tea after:2024-01-05'],
		['(tea before: 2024-01-05T10:00Z)', '(tea before:2024-01-05)'],
		...['{"search":"tea"}', '{"queries":["tea"]}', '[{"query":"tea"}]', '{"q":"tea"}'].map(
			(json): [string, string] => [json, 'tea'],
		),
		['moon imagesize: 1920x1080', 'moon imagesize:1920x1080'],
		['"say ""hi"""', 'say "hi"'],
		['"""new york"" hotels"', '"new york" hotels'],
	])('is sent as it was meant: %j becomes %j', (query, meant) => {
		expect(sent(query)).toBe(meant);
	});

	it.each([
		...['What does the operator site: do', '"" means what', 'OR gate', 'foo () bar', 'null'],
		...hollow.filter((query) => query.includes(' ')),
	])('is the person’s own where it was typed: %j', (query) => {
		expect(sent(query, query)).toBe(query.trim() === '' ? '' : query);
	});

	it.each(['–', '.', '?', '*', '\u200b', '(\u200b)', 'https://', 'N/A', 'none', '"…"'])(
		'is no query by an expression: %j',
		(query) => {
			expect(errorOf(() => sent(query)).message).toMatch(
				/^Query (is empty|is ".*", which says nothing|has ".*" with nothing)/,
			);
		},
	);

	it.each([
		'jobs, careers',
		'jobs; careers',
		'-jobs, -careers',
		'jobs OR careers',
		'jobs\ncareers',
	])('leaves out each of several words in a line: %j', (exclude) => {
		expect(sent('tea', 'tea', { queryOperators: { exclude } })).toBe('tea -jobs -careers');
	});

	it('takes phrases beside a quoted query', () => {
		const queryOperators = { exactPhrase: 'new york\nreal estate' };
		expect(sent('"a b"', '"a b"', { queryOperators })).toBe('"a b" "new york" "real estate"');
	});

	it('does not leave the operators alone where its expression gives nothing', () => {
		const queryOperators = { site: 'example.com' };
		for (const nothing of ['', ' ']) {
			expect(errorOf(() => sent(nothing, undefined, { queryOperators })).message).toBe(
				'Query is empty',
			);
		}
		expect(sent('', '', { queryOperators })).toBe('site:example.com');
	});

	it.each([
		...['https://', 'http:', '/blog', '2026-11-18', '18.11.2026', '2026-11-18T10:00:00.000Z', '7'],
		...['a b', '.', '...', 'all', 'Any', 'both', 'www.', '*', '()', 'N/A', '#N/A'],
	])('takes no site that is none: %j', (site) => {
		const problem =
			/^Only Sites has ".*", which (is not a site|is more than one|leaves nothing)|^Only Sites is empty$/;
		expect(errorOf(() => sent('tea', 'tea', { queryOperators: { site } })).message).toMatch(
			problem,
		);
	});

	it.each([
		'example.com',
		'https://example.com/',
		'example.com/blog',
		'.edu',
		'gov',
		'*.example.com',
	])('takes the site %s', (site) => {
		expect(sent('tea', 'tea', { queryOperators: { site } })).toContain(' site:');
	});
});

describe('an operator of a query', () => {
	const NONE = ['N/A', 'none', 'null', 'undefined', '-', '*', '()', '#N/A', '\u200b', '…', '[]'];
	const OPERATORS_OF_FORM = childrenOf(
		formFieldsOf(search).find(({ name }) => name === 'queryOperators')!,
	).map(({ name, displayName }): [string, string] => [displayName, name]);
	const entered = (name: string, value: string, raw: string) => {
		const queryOperators = { [name]: value };
		const parameters = { queryOperators: { [name]: raw } };
		const at = { ...place, node: { ...node, parameters } as typeof node };
		const values: IDataObject = { query: 'tea', queryOperators };
		const fields = formFieldsOf(search);
		const read = (key: string) =>
			key in values ? values[key] : fields.find((field) => field.name === key)?.default;
		return compose(fields, read, at).body.query;
	};

	it.each(OPERATORS_OF_FORM)('%s takes no word for nothing by an expression', (label, name) => {
		for (const value of NONE) {
			expect(errorOf(() => entered(name, value, '={{ $json.value }}')).message).toMatch(
				new RegExp(`^${label} (has ".*", which leaves nothing|is ".*"|is empty)`),
			);
		}
	});

	it.each(OPERATORS_OF_FORM)('%s takes no marks alone where it was typed', (label, name) => {
		for (const value of ['*', '()', '-', '…']) {
			expect(errorOf(() => entered(name, value, value)).message).toMatch(
				new RegExp(`^${label} (has ".*", which leaves nothing|is ".*", but must be|is empty)`),
			);
		}
	});

	it.each(['exactPhrase', 'exclude', 'inTitle', 'inUrl', 'allInTitle'])(
		'%s takes a word such as null that a person typed',
		(name) => {
			expect(entered(name, 'null', 'null')).toMatch(/null"?$/);
		},
	);

	it.each([
		['site', '-b.example', 'Only Sites has "-b.example", which has a minus in front'],
		['related', '-b.example', 'Related To has "-b.example", which has a minus in front'],
		['fileType', 'all', 'File Type has "all", which is not a file type'],
		['fileType', 'any', 'File Type has "any", which is not a file type'],
		['fileType', 'images', 'File Type has "images", which is not a file type'],
		['site', 'a..example', 'Only Sites has "a..example", which is not a site'],
		['site', 'a', 'Only Sites has "a", which is not a site'],
		['excludeSite', '()', 'Exclude Sites is empty'],
		['excludeFileType', 'files', 'Exclude File Type is empty'],
		['excludeFileType', 'all', 'Exclude File Type has "all", which is not a file type'],
	])('%s takes nothing that is no value of it: %s', (name, value, message) => {
		expect(errorOf(() => entered(name, value, value)).message).toBe(message);
	});
});

describe('an expression that returns no value', () => {
	const fields = formFieldsOf(search);
	const withQuery = (query: string, parameters: IDataObject) => {
		const at = { ...place, node: { ...node, parameters } as typeof node };
		const read = (name: string) =>
			name === 'query' ? query : fields.find((field) => field.name === name)?.default;
		return compose(fields, read, at).body;
	};

	it.each(['undefined', ' null', 'NaN'])('is no text to send: %j', (query) => {
		const error = errorOf(() => withQuery(query, { query: '=={{ $json.missing }}' }));
		expect(error.message).toBe(`Query is "${query.trim()}"`);
		expect(error.description).toContain('The expression returns no value');
	});

	it('is told from a word that a person typed', () => {
		expect(withQuery('null', { query: 'null' }).query).toBe('null');
	});
});

describe('an answer to an agent', () => {
	const approve = { decision: 'approve', approvalId: 'a' };
	const inThread = (answer: IDataObject, more: IDataObject = {}) => ({
		prompt: 'Go on',
		options: { threadId: 't', approval: { answer }, ...more },
	});

	it.each([
		[{ approval: { answer: approve } }, 'Approval Response needs Thread ID, which is missing'],
		[{ threadId: '' }, 'Thread ID is empty'],
		[{ threadId: '{{ $json.threadId }}' }, 'Thread ID holds an expression as plain text'],
		[{ threadId: { threadId: 't' } }, 'Thread ID is not a valid ID'],
		[inThread({ ...approve, decision: '' }).options, 'Decision is empty'],
		[inThread({ ...approve, decision: 'maybe' }).options, /^Decision is "maybe", which is not one/],
		[inThread({ ...approve, approvalId: '' }).options, 'Approval ID is empty'],
		// Without a call, it would approve all.
		[inThread({ ...approve, decision: 'some', callIds: [] }).options, 'Calls is empty'],
		[inThread({ ...approve, decision: 'some' }).options, 'Calls is empty'],
		[
			inThread(approve, { exchange: { enabled: false } }).options,
			'Allow Buying is off, but other options say how to buy',
		],
		[{ exchange: { requireApproval: true } }, 'Ask First is on, but Mode is not Chat'],
		[
			{ mode: 'extract', exchange: { requireApproval: true } },
			'Ask First is on, but Mode is not Chat',
		],
		[
			{ threadId: 't', exchange: { requireApproval: true } },
			'Ask First is on, but Mode is not Chat',
		],
		[{ exchange: { maxCalls: 31 } }, 'Max Calls is 31, but must be from 1 to 30'],
		[
			{ exchange: { enabled: false, maxCalls: 3 } },
			'Allow Buying is off, but other options say how to buy',
		],
	])('that can mean nothing is rejected: %j', (options, message) => {
		const parameters = { prompt: 'Go on', options };
		const at = { ...place, node: { ...node, parameters } as typeof node };
		const fields = formFieldsOf(agent);
		const read = (name: string) => (parameters as IDataObject)[name];
		expect(errorOf(() => compose(fields, read, at)).message).toMatch(message);
	});

	it('asks first in a chat', () => {
		const options = { mode: 'chat', exchange: { requireApproval: true, maxCalls: 30 } };
		expect(bodyOf(agent, { prompt: 'Go on', options })).toMatchObject(options);
	});

	it('may decline while nothing may be bought, and keeps what else is set', () => {
		const decline = { ...approve, decision: 'Decline' };
		const exchange = { enabled: false };
		expect(bodyOf(agent, inThread(decline, { exchange })).exchange).toEqual({
			enabled: false,
			decline: { approvalId: 'a' },
		});
	});
});

describe('page actions', () => {
	const withActions = (...action: IDataObject[]) => ({
		browserOptions: { actions: { action } },
	});
	const wait = (milliseconds: number) => ({ type: 'wait', milliseconds });

	it('are at most 50', () => {
		const steps = Array<IDataObject>(50).fill({ type: 'scrape' });
		expect(() => bodyOf(scrape, withActions(...steps))).not.toThrow();
		expect(messageOf(scrape, withActions(...steps, { type: 'scrape' }))).toBe(
			'Actions has 51 actions, but at most 50 are allowed',
		);
	});

	it('wait at most 60 seconds in all, a second for each element', () => {
		const element = { type: 'waitForElement', selector: '#x' };
		expect(() => bodyOf(scrape, withActions(wait(59_000), element))).not.toThrow();
		expect(messageOf(scrape, withActions(wait(59_001), element))).toBe(
			'Actions waits 60001 ms in all, but at most 60000 are allowed',
		);
	});
});

describe('Wait For', () => {
	const withWait = (waitFor: number, more: IDataObject = {}) => ({
		browserOptions: { waitFor, ...more },
	});

	it('takes at most half of the timeout, and any where that is not set', () => {
		expect(() => bodyOf(scrape, withWait(60_000))).not.toThrow();
		expect(() => bodyOf(scrape, withWait(60_000, { timeout: 120_000 }))).not.toThrow();
		expect(messageOf(scrape, withWait(600, { timeout: 1_000 }))).toBe(
			'Wait For (Ms) is 600, but must be at most half of Timeout (1000)',
		);
	});
});

describe('formats', () => {
	it('have something to redact where personal data is redacted, which costs credits', () => {
		const contentOptions = { redactPII: true };
		expect(messageOf(scrape, { formats: ['html'], contentOptions })).toBe(
			'Formats has nothing of which personal data can be redacted',
		);
		for (const format of ['markdown', 'summary', 'json', 'question', 'highlights']) {
			const more = { jsonPrompt: 'a', question: 'a', highlightsQuery: 'a' };
			expect(() => bodyOf(scrape, { formats: [format], contentOptions, ...more })).not.toThrow();
		}
	});

	it('say what change tracking compares in JSON mode', () => {
		const track = (changeTrackingOptions: IDataObject) => ({
			formats: ['markdown', 'changeTracking'],
			changeTrackingOptions,
		});
		expect(messageOf(scrape, track({ modes: ['json'] }))).toBe(
			'Formats has Change Tracking in JSON mode without a schema or a prompt',
		);
		expect(() => bodyOf(scrape, track({ modes: ['json'], prompt: 'prices' }))).not.toThrow();
		expect(() => bodyOf(scrape, track({ modes: ['git-diff'] }))).not.toThrow();
	});
});

describe('an extraction', () => {
	it.each([
		['a.example/{a,b}/*', ['https://a.example/a/*', 'https://a.example/b/*']],
		[
			'https://a.example/{a,b}/{1,2}',
			['a/1', 'a/2', 'b/1', 'b/2'].map((path) => `https://a.example/${path}`),
		],
	])('reads each alternative of a path: %s', (urls, read) => {
		const form = composed(formFieldsOf(extract), { prompt: 'prices', urls });
		extract.check?.(new Form(form, { ...place, itemIndex: 0, timezone: 'UTC' }));
		expect(form.body.urls).toEqual(read);
	});

	it('refuses more alternatives than 10', () => {
		const urls = `https://a.example/${'{a,b}'.repeat(20)}`;
		const form = composed(formFieldsOf(extract), { prompt: 'prices', urls });
		const check = () =>
			extract.check?.(new Form(form, { ...place, itemIndex: 0, timezone: 'UTC' }));
		expect(errorOf(check).message).toBe('URLs has 16 entries, but at most 10 are allowed');
	});

	it('reads at most 10 URLs', () => {
		const check = (count: number) => {
			const urls = Array.from({ length: count }, (_, index) => `${URL}/${index}`);
			const form = composed(formFieldsOf(extract), { prompt: 'prices', urls });
			extract.check?.(new Form(form, { ...place, itemIndex: 2, timezone: 'UTC' }));
		};
		expect(() => check(10)).not.toThrow();
		expect(errorOf(() => check(11)).message).toBe(
			'URLs has 11 entries, but at most 10 are allowed',
		);
	});
});

describe('tags to keep or to leave out', () => {
	const tags = (includeTags: unknown) =>
		bodyOf(scrape, { contentOptions: { includeTags } as IDataObject }).includeTags;

	it.each([
		'none',
		'N/A',
		'-',
		'{}',
		'[ ]',
		'.',
		'#N/A',
		'class="main"',
		'id=x',
		'<main>',
		'//div',
		'/html/body',
		'"nav"',
		'- nav',
		'nav;footer',
		'all',
	])('are selectors, not %s', (entered) => {
		const error = errorOf(() => tags(`article\n${entered}`));
		expect(error.message).toBe(`Include Tags has "${entered}", which is not a tag, class or ID`);
		expect(error.description).toContain('.main for a class and #main for an ID');
	});

	it.each([
		'article',
		'.main',
		'#main',
		'*',
		'div > p',
		'[data-x="a"]',
		'a[href^="x"]',
		'文章',
		'main, nav',
		'p:not(.a)',
		'[style*="a:b;"]',
	])('may be %s', (entered) => {
		expect(tags(entered)).toEqual([entered]);
	});
});

describe('a format or source as an object', () => {
	it.each(['JSON', 'Json', 'Fields (JSON)'])('has its type in any writing: %s', (type) => {
		const formats = [{ type, prompt: 'Prices' }] as IDataObject[];
		expect(bodyOf(scrape, { formats }).formats).toEqual([{ type: 'json', prompt: 'Prices' }]);
	});

	it('has words for its type, too', () => {
		const more = { options: { categories: [{ type: 'GitHub' }] } };
		expect(bodyOf(search, { sources: [{ type: 'Web', tbs: 'qdr:d' }], ...more })).toMatchObject({
			sources: [{ type: 'web', tbs: 'qdr:d' }],
			categories: [{ type: 'github' }],
		});
	});
});

describe('a JSON schema', () => {
	it.each([
		[{ type: 'OBJECT', properties: { name: { type: 'STRING' } } }, { name: { type: 'string' } }],
		[
			{ price: { type: 'float' }, day: { type: 'date' } },
			{ price: { type: 'number' }, day: { type: 'string' } },
		],
		[
			{ type: 'Object', properties: { tags: { type: 'list', items: { type: 'Str' } } } },
			{ tags: { type: 'array', items: { type: 'string' } } },
		],
		[
			{ type: 'object', properties: { price: 'number', at: 'date-time' } },
			{ price: { type: 'number' }, at: { type: 'string' } },
		],
		[
			{ type: 'dict', properties: { a: { anyOf: [{ type: 'int' }, { type: 'null' }] } } },
			{ a: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
		],
		[
			{ type: 'object', properties: { type: { type: ['Bool', 'null'] } } },
			{ type: { type: ['boolean', 'null'] } },
		],
		[{ price: { type: ['Number', 'null'] } }, { price: { type: ['number', 'null'] } }],
		[
			{ type: 'object', properties: { kind: { type: 'string', enum: ['INT', 'Bool'] } } },
			{ kind: { type: 'string', enum: ['INT', 'Bool'] } },
		],
	])('has the types of JSON Schema, however they were written: %j', (given, properties) => {
		expect(bodyOf(scrape, schema(given)).formats).toEqual([
			{ type: 'json', schema: { type: 'object', properties } },
		]);
	});

	const schema = (given: unknown) => ({
		formats: ['json'],
		schemaFrom: 'json',
		schemaJson: JSON.stringify(given),
	});

	it.each([
		[{ type: 'house' }, 'has the type "house", which is none of string, number, integer, '],
		[{ type: 'object', properties: [5] }, 'has "properties" that are not an object'],
		[
			{ type: 'object', properties: { '\ud800': { type: 'string' } } },
			'with a part of a character',
		],
		[{ type: 'object', required: 'price' }, 'has a "required" that is not a list'],
		[{ type: 'object', properties: { price: 'a price' } }, 'has "a price" where a schema belongs'],
		[
			{ type: 'array', items: { type: 'tuple' } },
			'has the type "tuple", which is none of string, ',
		],
	])('%j is none', (given, problem) => {
		expect(messageOf(scrape, schema(given))).toContain(problem);
	});

	it.each([
		{ type: 'object', properties: { price: { type: ['number', 'null'] }, any: true } },
		{ anyOf: [{ type: 'string' }] },
	])('%j is one', (given) => {
		expect(() => bodyOf(scrape, schema(given))).not.toThrow();
	});
});

const HARMLESS = [
	'allowExternalLinks allowSubdomains apiVersion blockAds blocks',
	'crawlEntireDomain downloadFiles enableWebSearch from fullPage highlights',
	'ignoreRobotsTxt includePages includeSearchInfo maxConcurrency maxConcurrent',
	'maxResponseLength maxTextLength maxWait maxWaitMinutes mobile pageMarkers pages quality',
	'removeBase64Images replaceStyle showSources skipTlsVerification splitIntoItems',
	'tag timeout to waitFor',
].flatMap((row) => row.split(' '));

it('what has several rows in the form is a prompt', () => {
	const names = new Set<string>();
	const look = (field: Field) => {
		const { wire, typeOptions, displayName, type } = field;
		// A list and code are read in their own way.
		const isProse = type === 'string' && typeOptions?.rows !== undefined && !wire?.value;
		if (isProse && !wire?.prompt) names.add(displayName);
		childrenOf(field).forEach(look);
	};
	for (const one of actionNodes()) {
		for (const value of operationsOf(one)) formFieldsOf(operationOf(one, value)).forEach(look);
	}
	expect([...names]).toEqual([]);
});

it('only fields that make no other call of it may be left out by an expression', () => {
	const names = new Set<string>();
	const look = (field: Field) => {
		if (field.wire?.mayBeEmpty) names.add(field.name);
		childrenOf(field).forEach(look);
	};
	for (const one of actionNodes()) {
		for (const value of operationsOf(one)) formFieldsOf(operationOf(one, value)).forEach(look);
	}
	expect([...names].sort()).toEqual(HARMLESS);
});

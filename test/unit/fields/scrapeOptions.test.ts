import type { IDataObject } from 'n8n-workflow';

import { formFieldsOf } from '../../../nodes/shared/engine/operationForm';
import { merge, optionsField } from '../../../nodes/shared/fields/options';
import { scrapeOptionFields, scrapeOptionsField } from '../../../nodes/shared/fields/scrapeOptions';
import { scrapeOptionFieldsV1 } from '../../../nodes/shared/fields/scrapeOptionsV1';
import { searchAndScrape } from '../../../nodes/WebDataSearch/operations/searchAndScrape';
import { start as extract } from '../../../nodes/WebDataExtract/operations/start';
import { bodyOf, composed, errorOf } from '../../support/form';

const v2 = scrapeOptionsField(scrapeOptionFields, '');
const v1 = scrapeOptionsField(scrapeOptionFieldsV1, '');
const options = (value: IDataObject) => bodyOf(v2, value).scrapeOptions as IDataObject | undefined;
const actions = (...action: IDataObject[]) => options({ actions: { action } })?.actions;

describe('actions', () => {
	it('are sent in their order, each with what it takes', () => {
		expect(
			actions(
				{ type: 'wait', milliseconds: 1000 },
				{ type: 'waitForElement', selector: '#app' },
				{ type: 'click', selector: '.more', clickOptions: { all: true } },
				{ type: 'write', text: 'chairs' },
				{ type: 'press', key: 'Enter' },
				{ type: 'scroll', scrollOptions: { direction: 'up', selector: '#list' } },
				{ type: 'scrape' },
				{ type: 'executeJavascript', script: 'return 1' },
				{ type: 'pdf', pdfOptions: { format: 'A4', landscape: true, scale: 0.5 } },
				{
					type: 'screenshot',
					screenshotOptions: {
						fullPage: true,
						quality: 100,
						viewport: { size: { width: 800, height: 600 } },
					},
				},
				{ type: 'click', selector: '.last', clickOptions: {} },
			),
		).toEqual([
			{ type: 'wait', milliseconds: 1000 },
			{ type: 'wait', selector: '#app' },
			{ type: 'click', selector: '.more', all: true },
			{ type: 'write', text: 'chairs' },
			{ type: 'press', key: 'Enter' },
			{ type: 'scroll', direction: 'up', selector: '#list' },
			{ type: 'scrape' },
			{ type: 'executeJavascript', script: 'return 1' },
			{ type: 'pdf', format: 'A4', landscape: true, scale: 0.5 },
			{
				type: 'screenshot',
				fullPage: true,
				quality: 100,
				viewport: { width: 800, height: 600 },
			},
			{ type: 'click', selector: '.last' },
		]);
	});

	it('take nothing of what another action left in the row', () => {
		expect(
			actions({
				type: 'press',
				key: 'Tab',
				milliseconds: 5,
				selector: '#x',
				text: 'y',
				clickOptions: { all: true },
			}),
		).toEqual([{ type: 'press', key: 'Tab' }]);
	});

	it('type a blank, which is a key like any other', () => {
		expect(actions({ type: 'write', text: ' ' })).toEqual([{ type: 'write', text: ' ' }]);
	});

	it('click where the row has no type, as the form shows it', () => {
		expect(actions({ selector: '#x' })).toEqual([{ type: 'click', selector: '#x' }]);
	});

	it.each([
		[{ type: 'click', selector: '' }, 'Selector is empty'],
		[{ type: 'waitForElement' }, 'Selector is empty'],
		[{ type: 'wait', selector: '#x' }, 'Milliseconds is empty'],
		[{ type: 'wait', milliseconds: 0 }, 'Milliseconds is 0, but must be at least 1'],
		[{ type: 'write', text: '' }, 'Text is empty'],
		[{ type: 'press' }, 'Key is empty'],
		[{ type: 'executeJavascript', script: ' ' }, 'Script is empty'],
		[{ type: null, selector: '#x' }, 'Action is empty'],
		[{ type: 'hover' }, 'Action is "hover", which is not one of its choices'],
		[
			{ type: 'scroll', scrollOptions: { direction: 'left' } },
			'Direction is "left", which is not one of its choices',
		],
		[
			{ type: 'pdf', pdfOptions: { format: 'B5' } },
			'Paper Format is "B5", which is not one of its choices',
		],
		[
			{ type: 'screenshot', screenshotOptions: { quality: 101 } },
			'Quality is 101, but must be from 1 to 100',
		],
		[
			{ type: 'screenshot', screenshotOptions: { viewport: { size: { height: 5 } } } },
			'Width is empty',
		],
	])('refuses %j', (action, message) => {
		const error = errorOf(() => actions({ type: 'scrape' }, action));
		expect(error.message).toBe(message);
		expect(error.description).toContain('Scrape Options → Actions → Action 2 → ');
	});

	it('refuses both forms of wait in one', () => {
		const error = errorOf(() => actions({ type: 'wait', milliseconds: 1, selector: '#x' }));
		expect(error.message).toBe(
			'Action 1 has both Milliseconds and Selector, but a wait takes only one of them',
		);
		expect(error.description).toContain('Use "Wait for a Time" with Milliseconds or');
	});

	it('sends none where no row was added', () => {
		expect(actions()).toBeUndefined();
	});
});

describe('scrape options', () => {
	it('are not sent where nothing was added', () => {
		expect(options({})).toBeUndefined();
		expect(options({ headers: {}, actions: {}, includeTags: '' })).toBeUndefined();
	});

	it('have the shapes of the service', () => {
		expect(
			options({
				includeTags: 'article\n.main',
				excludeTags: ['.ad'],
				headers: { pair: [{ name: 'Cookie', value: 'a=b' }] },
				location: { country: 'fr', languages: 'fr-FR\nen' },
				parsers: { mode: 'ocr', maxPages: 10000 },
				profile: { name: 'x'.repeat(128), saveChanges: false },
				maxAge: 0,
				minAge: 1,
				timeout: 300000,
				onlyMainContent: true,
			}),
		).toEqual({
			includeTags: ['article', '.main'],
			excludeTags: ['.ad'],
			headers: { Cookie: 'a=b' },
			location: { country: 'FR', languages: ['fr-FR', 'en'] },
			parsers: [{ type: 'pdf', mode: 'ocr', maxPages: 10000 }],
			profile: { name: 'x'.repeat(128), saveChanges: false },
			maxAge: 0,
			minAge: 1,
			timeout: 300000,
			onlyMainContent: true,
		});
	});

	it('parse PDFs or not', () => {
		expect(options({ parsers: { parse: false, mode: 'ocr' } })?.parsers).toEqual([]);
		expect(options({ parsers: { parse: true } })?.parsers).toEqual([{ type: 'pdf' }]);
	});

	it.each([
		[{ timeout: 999 }, 'Timeout (Ms) is 999, but must be from 1000 to 300000'],
		[{ timeout: 300001 }, 'Timeout (Ms) is 300001, but must be from 1000 to 300000'],
		[{ parsers: { maxPages: 10001 } }, 'Max Pages is 10001, but must be from 1 to 10000'],
		[
			{ profile: { name: 'x'.repeat(129) } },
			'Name has 129 characters, but at most 128 are allowed',
		],
		[{ profile: { saveChanges: true } }, 'Name is empty'],
		[{ proxy: 'stealth' }, 'Proxy is "stealth", which is not one of its choices'],
		[{ location: { country: 'usa' } }, 'Country is "usa", but must be a two-letter country code'],
	])('refuse %j', (value, message) => {
		expect(errorOf(() => options(value as IDataObject)).message).toBe(message);
	});

	it('of v1 have their own limits and fields', () => {
		expect(
			bodyOf(v1, {
				timeout: 1,
				parsePDF: false,
				formats: ['markdown', 'json'],
				jsonOptions: {
					systemPrompt: 's',
					prompt: 'p',
					schema: { schema: { from: 'jsonSchema', jsonSchema: '{"type":"object"}' } },
				},
				changeTrackingOptions: { modes: ['git-diff'], tag: 't' },
			}).scrapeOptions,
		).toEqual({
			timeout: 1,
			parsePDF: false,
			formats: ['markdown', 'json'],
			jsonOptions: { systemPrompt: 's', prompt: 'p', schema: { type: 'object' } },
			changeTrackingOptions: { modes: ['git-diff'], tag: 't' },
		});
	});

	it('of the other version are not sent', () => {
		const values = {
			urls: 'https://a.example',
			scrapeOptions: { parsePDF: false },
			scrapeOptionsV2: { mobile: true },
		};
		expect(composed(formFieldsOf(extract), values).body.scrapeOptions).toEqual({ parsePDF: false });
		expect(composed(formFieldsOf(extract), { ...values, apiVersion: 'v2' }).body).toEqual({
			urls: ['https://a.example'],
			scrapeOptions: { mobile: true },
		});
	});
});

describe('formats', () => {
	const formats = (values: IDataObject) => {
		const { scrapeOptions } = composed(formFieldsOf(searchAndScrape), {
			query: 'q',
			...values,
		}).body;
		return (scrapeOptions as IDataObject).formats;
	};

	it('are sent as objects, also at their default', () => {
		expect(formats({})).toEqual([{ type: 'markdown' }]);
		expect(formats({ formats: ['links', 'html'] })).toEqual([{ type: 'links' }, { type: 'html' }]);
		expect(formats({ formats: 'summary' })).toEqual([{ type: 'summary' }]);
	});

	it('leave out what an expression left empty', () => {
		expect(formats({ formats: ['', null, 'links', undefined] })).toEqual([{ type: 'links' }]);
	});

	it('carry what was set for each', () => {
		expect(
			formats({
				formats: ['json', 'screenshot', 'question', 'highlights', 'changeTracking'],
				jsonSchema: { schema: { from: 'jsonSchema', jsonSchema: '{"type":"object"}' } },
				jsonPrompt: 'Prices',
				question: 'When?',
				highlightsQuery: 'hours',
				screenshotOptions: { quality: 1, viewport: { size: { width: 1, height: 2 } } },
				changeTrackingOptions: { modes: ['git-diff', 'json'], prompt: 'p', tag: 't' },
			}),
		).toEqual([
			{ type: 'json', schema: { type: 'object' }, prompt: 'Prices' },
			{ type: 'screenshot', quality: 1, viewport: { width: 1, height: 2 } },
			{ type: 'question', question: 'When?' },
			{ type: 'highlights', query: 'hours' },
			{ type: 'changeTracking', modes: ['git-diff', 'json'], prompt: 'p', tag: 't' },
		]);
	});

	it('take nothing of a format that was unchosen', () => {
		expect(
			formats({ formats: ['markdown'], jsonPrompt: 'x', screenshotOptions: { quality: 5 } }),
		).toEqual([{ type: 'markdown' }]);
	});

	it('stay when other scrape options are set', () => {
		expect(
			composed(formFieldsOf(searchAndScrape), { query: 'q', scrapeOptions: { mobile: true } }).body
				.scrapeOptions,
		).toEqual({ formats: [{ type: 'markdown' }], mobile: true });
	});

	it('pass through as whole objects, without changing what an expression gave', () => {
		const given = [{ type: 'screenshot', fullPage: true }, { type: 'newFormat' }];
		expect(formats({ formats: given })).toEqual(given);
		const json = { type: 'json' };
		expect(formats({ formats: [json, 'json'], jsonPrompt: 'x' })).toContainEqual({
			type: 'json',
			prompt: 'x',
		});
		expect(json).toEqual({ type: 'json' });
	});

	it('cannot be empty or unknown', () => {
		for (const nothing of [[], [''], '', null]) {
			const error = errorOf(() => formats({ formats: nothing }));
			expect(error.message).toBe('Formats is empty');
			expect(error.description).toContain('Choose at least one format');
		}
		expect(errorOf(() => formats({ formats: ['word'] })).message).toBe(
			'Formats is "word", which is not one of its choices',
		);
		expect(errorOf(() => formats({ formats: ['question'] })).message).toBe('Question is empty');
	});
});

describe('additional body fields', () => {
	const field = optionsField([], 'POST');
	const add = (additionalBodyFields: unknown) => bodyOf(field, { additionalBodyFields });

	it('are merged deeply over the body', () => {
		const values = {
			query: 'q',
			formats: ['markdown', 'links'],
			scrapeOptions: { mobile: true, location: { country: 'de' } },
			options: {
				limit: 7,
				additionalBodyFields:
					'{"limit":9,"new":{"a":null},"scrapeOptions":{"location":{"x":1},"formats":["html"]}}',
			},
		};
		expect(composed(formFieldsOf(searchAndScrape), values).body).toEqual({
			query: 'q',
			limit: 9,
			new: { a: null },
			scrapeOptions: { mobile: true, location: { country: 'DE', x: 1 }, formats: ['html'] },
		});
	});

	it('replace with null what the form has set', () => {
		const values = {
			query: 'q',
			scrapeOptions: { mobile: true },
			options: { additionalBodyFields: '{"scrapeOptions":null}' },
		};
		expect(composed(formFieldsOf(searchAndScrape), values).body).toEqual({
			query: 'q',
			scrapeOptions: null,
		});
	});

	it('take an object from an expression, and nothing', () => {
		expect(add({ a: 1 })).toEqual({ a: 1 });
		expect(add('')).toEqual({});
		expect(add('{}')).toEqual({});
	});

	it('refuse anything but an object', () => {
		expect(errorOf(() => add('[1]')).message).toBe(
			'Additional Body Fields (JSON) is an array, but must be a JSON object',
		);
		expect(errorOf(() => add('{')).message).toMatch(
			/^Additional Body Fields \(JSON\) is not valid/,
		);
	});

	it('never touch the prototype of all objects', () => {
		const body = add(
			'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}',
		);
		expect(({} as IDataObject).polluted).toBeUndefined();
		expect(body.polluted).toBeUndefined();
		const target: IDataObject = { a: {} };
		merge(target, JSON.parse('{"a":{"__proto__":{"polluted":1}}}') as IDataObject);
		expect((target.a as IDataObject).polluted).toBeUndefined();
		expect(({} as IDataObject).polluted).toBeUndefined();
	});

	it('do not change what an expression gave', () => {
		const given = { scrapeOptions: { location: { x: 1 } } };
		composed(formFieldsOf(searchAndScrape), {
			query: 'q',
			options: { additionalBodyFields: given, limit: 3 },
		});
		expect(given).toEqual({ scrapeOptions: { location: { x: 1 } } });
	});
});

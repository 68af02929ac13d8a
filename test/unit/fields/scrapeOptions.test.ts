import type { IDataObject } from 'n8n-workflow';

import { formFieldsOf } from '../../../nodes/shared/run/properties';
import { merge, optionsField } from '../../../nodes/shared/fields/options';
import {
	onlyMainContent,
	scrapeTopics,
	scrapeOptionsField,
} from '../../../nodes/shared/fields/scrapeOptions';
import { scrapeOptionFieldsV1 } from '../../../nodes/WebDataExtract/scrapeOptionsV1';
import { childrenOf } from '../../../nodes/shared/form/field';
import { searchAndScrape } from '../../../nodes/WebDataSearch/operations/searchAndScrape';
import { start as extract } from '../../../nodes/WebDataExtract/operations/start';
import { bodyOf, composed, errorOf } from '../../support/form';

const topics = scrapeTopics('scrapeOptions.').flatMap(childrenOf);
const v2 = scrapeOptionsField([onlyMainContent, ...topics], '');
const v1 = scrapeOptionsField(scrapeOptionFieldsV1, '');
const REDACTION = { entities: ['EMAIL'], mode: 'fast', replaceStyle: 'mask' };
const options = (value: IDataObject) => bodyOf(v2, value).scrapeOptions as IDataObject | undefined;
const actions = (...action: IDataObject[]) => options({ actions: { action } })?.actions;

it('the proxy and the mode of threat protection may be ones that only some services know', () => {
	const given = { proxy: 'stealth', threatProtection: { mode: 'strict' } };
	expect(options(given)).toEqual(given);
	expect(bodyOf(v1, { proxy: 'stealth' }).scrapeOptions).toEqual({ proxy: 'stealth' });
});

describe('what v1 takes beyond v2', () => {
	const v1Options = (values: IDataObject) => bodyOf(v1, values).scrapeOptions;

	it('is a wait for both a time and an element', () => {
		const wait = { type: 'wait', seconds: 0.002, selector: '#x' };
		expect(v1Options({ actions: { action: [wait] } })).toEqual({
			actions: [{ type: 'wait', milliseconds: 2, selector: '#x' }],
		});
		const shown = { ...wait, type: 'waitForElement' };
		expect(v1Options({ actions: { action: [shown] } })).toEqual({
			actions: [{ type: 'wait', selector: '#x' }],
		});
	});

	it.each([null, ''])('is no tag of change tracking: %j', (tag) => {
		const options = { formats: ['markdown', 'changeTracking'], changeTrackingOptions: { tag } };
		expect(v1Options(options)).toEqual({ formats: options.formats });
	});
});

describe('actions', () => {
	it.each([
		[{ type: 'click', selector: '' }, 'Selector is empty'],
		[{ type: 'waitForElement' }, 'Selector is empty'],
		[{ type: 'wait', selector: '#x' }, 'Time (Seconds) is empty'],
		[{ type: 'write', text: '' }, 'Text is empty'],
		[{ type: 'press' }, 'Key is empty'],
		[{ type: 'executeJavascript', script: ' ' }, 'Script is empty'],
		[{ type: null, selector: '#x' }, 'Action is empty'],
		[{ type: 'hover' }, 'Action is "hover", which is not one of its choices'],
		[
			{ type: 'screenshot', screenshotOptions: { viewport: { size: { height: 5 } } } },
			'Width is empty',
		],
	])('rejects %j', (action, message) => {
		const error = errorOf(() => actions({ type: 'scrape' }, action));
		expect(error.message).toBe(message);
		expect(error.description).toContain('Scrape Options → Actions → Action 2 → ');
	});

	it('need a row where they were added', () => {
		expect(errorOf(() => actions()).message).toBe('Actions is empty');
	});
});

describe('scrape options', () => {
	it('of v1 have their own limits and fields', () => {
		expect(
			bodyOf(v1, {
				timeout: 1,
				parsePDF: false,
				formats: ['markdown', 'json'],
				jsonOptions: {
					systemPrompt: 's',
					prompt: 'p',
					schema: { schema: { from: 'json', json: '{"type":"string"}' } },
				},
				changeTrackingOptions: { modes: ['git-diff'], tag: 't' },
			}).scrapeOptions,
		).toEqual({
			timeout: 1000,
			parsePDF: false,
			formats: ['markdown', 'json'],
			jsonOptions: { systemPrompt: 's', prompt: 'p', schema: { type: 'string' } },
			changeTrackingOptions: { modes: ['git-diff'], tag: 't' },
		});
	});

	it.each<[IDataObject, IDataObject | string]>([
		[
			{ waitFor: 2.5, timeout: 5 },
			{ waitFor: 2_500, timeout: 5_000 },
		],
		[{ waitFor: 60 }, { waitFor: 60_000 }],
		[{ waitFor: 61, timeout: 300 }, 'Wait For (Seconds) is 61, but must be from 0 to 60'],
		[
			{ waitFor: 2.501, timeout: 5 },
			'Wait For (Seconds) is 2.501, but must be at most half of Timeout (5)',
		],
	])('leave time for the page: %j', (given, expected) => {
		if (typeof expected === 'object') expect(options(given)).toEqual(expected);
		else expect(errorOf(() => options(given)).message).toBe(expected);
	});

	it.each<[IDataObject, unknown]>([
		[{ redactPII: true }, true],
		[{ redactPII: true, redactionOptions: REDACTION }, REDACTION],
		[{ redactionOptions: REDACTION }, REDACTION],
		[{ redactPII: false, redactionOptions: REDACTION }, false],
		[{ redactionOptions: {} }, true],
		[{ redactionOptions: { replaceStyle: null } }, true],
	])('redact personal data as they are told: %j', (given, redactPII) => {
		expect(options(given)).toEqual({ redactPII });
	});
});

describe('formats of the first version of the API', () => {
	const formats = (value: IDataObject) =>
		composed(formFieldsOf(extract), {
			urls: 'https://a.example',
			options: { scrapeOptions: value },
		}).body.scrapeOptions;

	it('can be a screenshot of the whole page, but not two of them', () => {
		expect(formats({ formats: ['screenshot@fullPage'] })).toEqual({
			formats: ['screenshot@fullPage'],
		});
		expect(errorOf(() => formats({ formats: ['screenshot', 'screenshot@fullPage'] })).message).toBe(
			'Formats has two kinds of screenshot',
		);
	});

	it.each([
		[{ formats: ['json'] }, 'Formats has JSON, but JSON Options is empty'],
		[{ formats: ['json'], jsonOptions: {} }, 'Formats has JSON, but JSON Options is empty'],
		[{ jsonOptions: { prompt: 'p' } }, 'JSON Options is set, but Formats has no JSON'],
		[
			{ formats: ['html'], jsonOptions: { prompt: 'p' } },
			'JSON Options is set, but Formats has no JSON',
		],
		[{ formats: ['changeTracking'] }, 'Formats has Change Tracking without Markdown'],
	])('rejects %j', (given, problem) => {
		expect(errorOf(() => formats(given)).message).toBe(problem);
	});
});

describe('additional body fields', () => {
	const field = optionsField([], 'POST');
	const add = (additionalBodyFields: unknown) => bodyOf(field, { additionalBodyFields });

	it('are merged deeply over the body', () => {
		const values = {
			query: 'q',
			formats: ['markdown', 'links'],
			options: {
				browserOptions: { mobile: true, location: { country: 'de' } },
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
			options: { browserOptions: { mobile: true }, additionalBodyFields: '{"scrapeOptions":null}' },
		};
		expect(composed(formFieldsOf(searchAndScrape), values).body).toEqual({
			query: 'q',
			limit: 5,
			scrapeOptions: null,
		});
	});

	it('reject anything but an object', () => {
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
});

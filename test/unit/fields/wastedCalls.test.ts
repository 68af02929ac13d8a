/** What a service would reject, or bill for nothing, is rejected before it is sent. */
import type { IDataObject } from 'n8n-workflow';

import { filledForm, formFieldsOf } from '../../../nodes/shared/run/operationForm';
import { compose } from '../../../nodes/shared/form/compose';
import { type Field, childrenOf } from '../../../nodes/shared/form/field';
import type { Operation } from '../../../nodes/shared/run/operation';
import { start as agent } from '../../../nodes/WebDataAgent/operations/start';
import { start as crawl } from '../../../nodes/WebDataCrawl/operations/start';
import { start as extract } from '../../../nodes/WebDataExtract/operations/start';
import { scrape } from '../../../nodes/WebDataScrape/operations/scrape';
import { search } from '../../../nodes/WebDataSearch/operations/search';
import { actionNodes, operationOf } from '../../../scripts/lib/nodes';
import { operationsOf } from '../../contract/controls';
import { composed, errorOf, node, place } from '../../support/form';

const URL = 'https://example.com';
const bodyOf = (operation: Operation, values: IDataObject) =>
	composed(formFieldsOf(operation), { url: URL, query: 'coffee', ...values }).body;
const messageOf = (operation: Operation, values: IDataObject) =>
	errorOf(() => bodyOf(operation, values)).message;

describe('the query of a search', () => {
	it.each([
		['coffee site:', 'site:'],
		['coffee -site:undefined', '-site:'],
		['(filetype:null OR filetype:pdf)', 'filetype:'],
		['coffee -undefined', '-'],
		['coffee "" beans', '""'],
	])('%s has an operator without a word', (query, hollow) => {
		expect(messageOf(search, { query })).toBe(
			`Query has "${hollow}" with nothing to search for in it: "${query}"`,
		);
	});

	it.each([
		'site:example.com -jobs "flat white"',
		'undefined is not a function',
		'null pointer',
		'javascript intitle:"undefined behavior"',
	])('%s may be meant', (query) => {
		expect(bodyOf(search, { query }).query).toBe(query);
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
		[{ threadId: { threadId: 't' } }, 'Thread ID contains "[object Object]"'],
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

	it('takes at most half of the timeout, or of its default', () => {
		expect(() => bodyOf(scrape, withWait(30_000))).not.toThrow();
		expect(messageOf(scrape, withWait(30_001))).toBe(
			'Wait For (Ms) is 30001, but must be at most half of Timeout (60000, its default)',
		);
		expect(() => bodyOf(scrape, withWait(60_000, { timeout: 120_000 }))).not.toThrow();
		expect(messageOf(scrape, withWait(600, { timeout: 1_000 }))).toBe(
			'Wait For (Ms) is 600, but must be at most half of Timeout (1000)',
		);
	});
});

describe('formats', () => {
	it('have Markdown where personal data is redacted, which costs credits', () => {
		const contentOptions = { redactPII: true };
		expect(messageOf(scrape, { formats: ['html'], contentOptions })).toBe(
			'Formats has no Markdown, but personal data is to be redacted',
		);
		expect(() => bodyOf(scrape, { formats: ['markdown'], contentOptions })).not.toThrow();
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

describe('the paths of a crawl', () => {
	const paths = (includePaths: string, more: IDataObject = {}) =>
		bodyOf(crawl, { includePaths, pages: more }).includePaths;

	it.each([
		['/docs', '^/docs(/|$)'],
		['/docs/', '^/docs(/|$)'],
		['/docs/*', '^/docs(/|$)'],
		['/docs/v1.2', '^/docs/v1\\.2(/|$)'],
		['^/docs/.*', '^/docs/.*'],
		['/docs/.*', '/docs/.*'],
		['/docs-.*', '/docs-.*'],
		['\\.pdf$', '\\.pdf$'],
	])('%s is sent as %s', (entry, pattern) => {
		expect(paths(entry)).toEqual([pattern]);
	});

	it('may be several in a line where they are plain', () => {
		expect(paths('/docs, /blog/*')).toEqual(['^/docs(/|$)', '^/blog(/|$)']);
	});

	it('are left as they are where whole URLs are matched', () => {
		expect(paths('/docs', { regexOnFullURL: true })).toEqual(['/docs']);
	});

	it.each([
		['https://example.com/docs', 'which is a whole URL, while only paths are matched'],
		['/docs, ^/blog', 'which is more than one regular expression'],
		['*.pdf', 'which is not a regular expression'],
	])('%s is rejected', (entry, problem) => {
		expect(errorOf(() => paths(entry)).message).toBe(`Include Paths has "${entry}", ${problem}`);
	});
});

describe('an extraction', () => {
	it('reads at most 10 URLs', () => {
		const check = (count: number) => {
			const urls = Array.from({ length: count }, (_, index) => `${URL}/${index}`);
			const form = composed(formFieldsOf(extract), { prompt: 'prices', urls });
			extract.check?.(filledForm(form, { ...place, itemIndex: 2, timezone: 'UTC' }));
		};
		expect(() => check(10)).not.toThrow();
		expect(errorOf(() => check(11)).message).toBe(
			'URLs has 11 entries, but at most 10 are allowed',
		);
	});
});

describe('a JSON schema', () => {
	const schema = (given: unknown) => ({
		formats: ['json'],
		schemaFrom: 'json',
		schemaJson: JSON.stringify(given),
	});

	it.each([
		[{ type: 'text' }, 'has the type "text", which JSON Schema does not know'],
		[{ type: 'object', properties: ['price'] }, 'has "properties" that are not an object'],
		[{ type: 'object', required: 'price' }, 'has a "required" that is not a list'],
		[{ type: 'object', properties: { price: 'number' } }, 'has "number" where a schema belongs'],
		[
			{ type: 'array', items: { type: 'float' } },
			'has the type "float", which JSON Schema does not know',
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
	'allowExternalLinks allowSubdomains apiVersion auditUsername blockAds blocks country',
	'crawlEntireDomain downloadFiles enableWebSearch endpoint from fullPage highlights ifPartFails',
	'ifRunning ignoreRobotsTxt includePages includeSearchInfo languages location maxConcurrency maxConcurrent',
	'maxResponseLength maxTextLength maxWait maxWaitMinutes mobile pageMarkers pages quality',
	'removeBase64Images replaceStyle robotsUserAgent search showSources skipTlsVerification splitIntoItems systemPrompt',
	'tag timeout to waitFor',
].flatMap((row) => row.split(' '));

it('only fields that make nothing wider or dearer may be left out by an expression', () => {
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

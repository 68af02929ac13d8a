/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	MAX_BODY_BYTES,
	MAX_DEPTH,
	MAX_ERROR_BYTES,
	MAX_VALUES,
} from '../../../nodes/shared/base/limits';
import type { Caller } from '../../../nodes/shared/client/account';
import { exchange as exchangeOf } from '../../../nodes/shared/client/http';
import type { Outcome } from '../../../nodes/shared/client/errors/outcome';
import { redactor } from '../../../nodes/shared/client/redact';
import type { ServiceCall } from '../../../nodes/shared/client/types';

type Context = Caller['context'];

const KEY = 'key/0123456789';
const CREDENTIAL = { baseUrl: 'https://api.example.com/prefix/', apiKey: KEY };
const ROOT = 'https://api.example.com/prefix';
const ACCOUNT = {
	credential: CREDENTIAL,
	root: ROOT,
	redact: redactor(KEY),
	limiter: {} as never,
	lacks: new Set<string>(),
};
const POST: ServiceCall = { method: 'POST', path: '/v2/search', body: { query: 'x' } };
const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a request in this context, for this account. */
const exchange = async (
	context: Context,
	call: ServiceCall,
	http?: Partial<IHttpRequestOptions>,
	account: Caller['account'] = ACCOUNT,
) => await exchangeOf({ context, account, run: {} }, call, { http });

/** Returns a context whose request helper is this. */
const contextOf = (send: (options: IHttpRequestOptions) => Promise<unknown>) =>
	({
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				await send(options),
		},
	}) as unknown as Context;

interface Response {
	status?: number;
	headers?: IDataObject;
	body?: string | Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** Returns a response as n8n's helper does. */
function responseOf({ status = 200, headers, body = '{}' }: Response) {
	const chunks = typeof body === 'string' ? [Buffer.from(body)] : body;
	return {
		statusCode: status,
		headers: { 'content-type': JSON_TYPE, ...headers },
		body: Readable.from(chunks),
	};
}

/** Returns the outcome of an exchange with this response. */
async function outcomeOf(
	response: Response,
	method: ServiceCall['method'] = 'POST',
	path = POST.path,
): Promise<Outcome> {
	const context = contextOf(async () => responseOf(response));
	return await exchange(context, { ...POST, method, path });
}

describe('a response', () => {
	it.each<[string, number, IDataObject, number | undefined]>([
		['the seconds in a 429', 429, { error: 'Slow down', retry_after_seconds: 40 }, 40_000],
		['the error of a 429', 429, { error: 'please retry after 57s' }, 57_500],
		['its message, where it has no error', 429, { message: 'please retry after 57s' }, 57_500],
		['no other text of it', 429, { code: 'please retry after 57s' }, undefined],
		['no text of another status', 400, { error: 'please retry after 57s' }, undefined],
	])('may say when to come back in words: %s', async (_name, status, body, ms) => {
		expect(await outcomeOf({ status, body: JSON.stringify(body) })).toMatchObject({
			kind: 'rejected',
			retryAfterMs: ms,
		});
	});

	const failedJob = { success: false, status: 'failed' };

	it.each(['/v2/agent/7', '/v1/extract/7', '/v1/crawl/active-7', '/v2/batch/scrape/7?skip=9'])(
		'tells of a job that failed, which is no failure of the call (%s)',
		async (path) => {
			const response = { body: JSON.stringify(failedJob) };
			expect(await outcomeOf(response, 'GET', path)).toMatchObject({
				kind: 'response',
				body: failedJob,
			});
			for (const method of ['POST', 'DELETE'] as const) {
				expect(await outcomeOf(response, method, path)).toMatchObject({ kind: 'rejected' });
			}
		},
	);

	it('may have no body where something was deleted', async () => {
		const response = { status: 204, body: '', headers: { 'content-type': '' } };
		const good = { kind: 'response', status: 204, body: {} };
		expect(await outcomeOf(response, 'DELETE')).toEqual(good);
		const empty = { kind: 'unreadable', problem: 'empty' };
		expect(await outcomeOf(response, 'GET')).toMatchObject(empty);
		expect(await outcomeOf({ body: '' }, 'DELETE')).toMatchObject(empty);
	});

	it('may begin with a byte order mark', async () => {
		expect(await outcomeOf({ body: '\ufeff{"a":1}' })).toMatchObject({ body: { a: 1 } });
	});

	it('is one text, wherever it was cut on its way', async () => {
		const whole = Buffer.from('{"text":"äöü €"}');
		for (let at = 1; at < whole.length; at++) {
			const body = [whole.subarray(0, at), whole.subarray(at)];
			expect(await outcomeOf({ body })).toMatchObject({ body: { text: 'äöü €' } });
		}
	});
});

describe('what is no response of the service', () => {
	it.each<[string, string, IDataObject, string]>([
		['', 'empty', {}, ''],
		[' \n ', 'empty', {}, ''],
		['[1]', 'notAnObject', {}, '[1]'],
		['"text"', 'notAnObject', {}, '"text"'],
		['{"a":', 'notJson', {}, '{"a":'],
		['1 < 2', 'notJson', {}, '1 < 2'],
		[' \n <p>Hi', 'html', { 'content-type': 'text/plain' }, '<p>Hi'],
		['Hi', 'html', { 'content-type': 'Text/HTML; charset=utf-8' }, 'Hi'],
		['Hi', 'notJson', { 'content-type': undefined }, 'Hi'],
	])('%j is %s', async (body, problem, headers, excerpt) => {
		expect(await outcomeOf({ status: 201, headers, body })).toEqual({
			kind: 'unreadable',
			status: 201,
			problem,
			contentType: 'content-type' in headers ? (headers['content-type'] ?? '') : JSON_TYPE,
			excerpt,
		});
	});

	it('may have been cut: what came is shown', async () => {
		async function* cut(...texts: string[]) {
			for (const text of texts) yield Buffer.from(text);
			throw new Error('aborted');
		}
		const about = { status: 200, contentType: JSON_TYPE };
		const unreadable = { kind: 'unreadable', problem: 'cut', ...about };
		expect(await outcomeOf({ body: cut('{"a":', '1') })).toEqual({
			...unreadable,
			excerpt: '{"a":',
		});
		expect(await outcomeOf({ body: cut() })).toEqual({ ...unreadable, excerpt: '' });
		// Even if the part received could be read, more would have followed.
		expect(await outcomeOf({ body: cut('{}') })).toEqual({ ...unreadable, excerpt: '{}' });
		expect(await outcomeOf({ status: 500, body: cut('{"error":"no"}') })).toMatchObject({
			kind: 'rejected',
			status: 500,
			body: { error: 'no' },
		});
	});
});

it('is sent from a context whose class has private fields, with the signal of the request', async () => {
	class Private {
		#key = KEY;

		helpers = {
			async httpRequestWithAuthentication(this: Private, _: string, sent: IHttpRequestOptions) {
				expect(this.getExecutionCancelSignal()).toBe(sent.abortSignal);
				expect(this.key()).toBe(KEY);
				return responseOf({});
			},
		};

		getExecutionCancelSignal: () => unknown = () => undefined;

		key() {
			return this.#key;
		}
	}
	const context = new Private() as unknown as Context;
	expect(await exchange(context, POST)).toMatchObject({ kind: 'response' });
});

describe('a good status with an error alone', () => {
	const failed = { error: 'Insufficient credits' };

	it.each<[string, IDataObject, string]>([
		['is a rejection', failed, 'rejected'],
		['is a response with a result, too', { ...failed, data: [1] }, 'response'],
		['is a response that is called a success', { ...failed, success: true }, 'response'],
		['is a response without a text', { error: '' }, 'response'],
		['is a response whose error is no text', { error: { code: 7 } }, 'response'],
	])('%s', async (_what, body, kind) => {
		expect((await outcomeOf({ body: JSON.stringify(body) })).kind).toBe(kind);
	});
});

it('a response that says that it is too large is not even begun', async () => {
	const chunk = jest.fn(() => Buffer.from('{}'));
	const headers = { 'content-length': String(MAX_BODY_BYTES + 1) };
	const body = (function* () {
		yield chunk();
	})();
	const response = responseOf({ headers, body });
	const context = contextOf(async () => response);
	const outcome = await exchange(context, POST);
	expect(outcome).toMatchObject({ kind: 'unreadable', problem: 'tooLarge', excerpt: '' });
	expect(chunk).not.toHaveBeenCalled();
	// The connection is not left open.
	expect(response.body.destroyed).toBe(true);
});

it('an error response is read up to 1 MB', async () => {
	const small = JSON.stringify({ error: 'x'.repeat(MAX_ERROR_BYTES - 100) });
	expect(await outcomeOf({ status: 500, body: small })).toMatchObject({ body: {} });
	const large = JSON.stringify({ error: 'x'.repeat(MAX_ERROR_BYTES) });
	expect(await outcomeOf({ status: 500, body: large })).toMatchObject({
		kind: 'rejected',
		body: undefined,
		excerpt: `{"error":"${'x'.repeat(90)}`,
	});
});

describe('a response that would fill the memory', () => {
	it.each([
		['tooLarge', 'many objects', `[${'{},'.repeat(MAX_VALUES / 2)}{}]`],
		['tooLarge', 'many entries', `{"a":[${'1,'.repeat(MAX_VALUES)}1]}`],
		['tooDeep', 'many levels', '{"a":'.repeat(MAX_DEPTH + 1) + '1' + '}'.repeat(MAX_DEPTH + 1)],
	])('is %s: %s', async (problem, _name, body) => {
		expect(await outcomeOf({ body })).toMatchObject({ kind: 'unreadable', problem });
	});

	it.each([
		['many commas in texts', `{"a":"${'1,'.repeat(MAX_VALUES)}","b":"${'[{'.repeat(1_000)}"}`],
		['escaped quotes', `{"a":"${'\\\\\\"[{'.repeat(1_000)}"}`],
		['much, but not too much', `{"a":[${'1,'.repeat(MAX_VALUES - 10)}1]}`],
		['nested as deeply as may be', '{"a":'.repeat(MAX_DEPTH) + '1' + '}'.repeat(MAX_DEPTH)],
	])('is not one with %s', async (_name, body) => {
		expect((await outcomeOf({ body })).kind).toBe('response');
	});
});

describe('the key', () => {
	it('is left in good responses only, where it is but a word', async () => {
		const account = { ...ACCOUNT, redact: redactor('test') };
		const body = '{"url":"https://test.example"}';
		const said = async (status: number) =>
			await exchange(
				contextOf(async () => responseOf({ status, body })),
				POST,
				undefined,
				account,
			);
		expect(await said(200)).toMatchObject({ body: { url: 'https://test.example' } });
		expect(await said(400)).toMatchObject({ body: { url: 'https://[API key].example' } });
	});

	it('is removed from the content type and from where a text breaks off', async () => {
		const headers = { 'content-type': `text/${KEY}` };
		expect(await outcomeOf({ headers, body: `You are ${KEY.slice(0, -2)}` })).toMatchObject({
			contentType: 'text/[API key]',
			excerpt: 'You are [API key]',
		});
	});
});

describe('the time it may take', () => {
	it.each([
		['{"a":1}', { kind: 'response', body: { a: 1 } }],
		['Hello', { kind: 'unreadable', problem: 'notJson' }],
	])('does not matter to a response that came whole: %s', async (text, expected) => {
		const body = (async function* () {
			await new Promise((done) => setTimeout(done, 60));
			yield Buffer.from(text);
		})();
		const context = contextOf(async () => responseOf({ body }));
		const outcome = await exchange(context, POST, { timeout: 20 });
		expect(outcome).toMatchObject(expected);
	});

	// Half a minute longer than the five minutes that services allow, if none or nothing is set.
	it.each<[number, IDataObject, IDataObject | undefined]>([
		[330_000, {}, undefined],
		[330_000, {}, { timeout: 0 }],
		[330_001, { timeout: 300_001 }, {}],
		[350_000, { timeout: '320000', scrapeOptions: null }, {}],
		[330_000, { timeout: 60_000, scrapeOptions: { timeout: 300_000 } }, {}],
		[350_001, { timeout: 320_000.5 }, {}],
		[330_000, { timeout: 'soon', scrapeOptions: {} }, {}],
		[2 ** 31 - 1, { timeout: 1e12 }, {}],
		[400_000, { timeout: 500_000 }, { timeout: 400_000 }],
		[21_001, { timeout: 20_000.5 }, { timeout: 21_000.5 }],
	])('is %i where the body is %j and Request Options are %j', async (expected, body, http) => {
		const timer = jest.spyOn(AbortSignal, 'timeout');
		const asked: unknown[] = [];
		const context = contextOf(async (options) => {
			asked.push(options.timeout);
			return responseOf({});
		});
		await exchange(context, { ...POST, body }, http);
		expect([...asked, ...timer.mock.calls]).toEqual([expected, [expected]]);
		timer.mockRestore();
	});
});

describe('a connection error', () => {
	it.each<[string, unknown, string, string]>([
		['as Node throws it', { code: 'ECONNREFUSED', message: 'connect' }, 'ECONNREFUSED', 'connect'],
		[
			'that is the cause of another',
			{ message: 'failed', cause: { code: 'EPIPE', message: 'write EPIPE' } },
			'EPIPE',
			'write EPIPE',
		],
		[
			'whose cause knows nothing',
			{ code: 'ECONNRESET', message: 'failed', cause: { code: '', message: undefined } },
			'ECONNRESET',
			'failed',
		],
		[
			'as n8n keeps it',
			{ httpCode: 'ENOTFOUND', message: 'Not found', messages: ['getaddrinfo', 'more'] },
			'ENOTFOUND',
			'getaddrinfo',
		],
		[
			'that n8n put into its own',
			{ message: 'failed', errorResponse: { code: 'ECONNRESET', message: 'reset' } },
			'ECONNRESET',
			'reset',
		],
		['that is null', null, '', ''],
		...[
			['PROXY_CLOSED', 'Proxy connection ended before receiving CONNECT response'],
			[
				'ADDRESS_NOT_ALLOWED',
				'The request was blocked because it resolves to a restricted IP address',
			],
			['DOMAIN_NOT_ALLOWED', 'Domain not allowed: This credential is restricted'],
		].map(([code, text]): [string, object, string, string] => [
			`that is only a text of n8n: ${code}`,
			{ message: 'failed', cause: { message: text } },
			code,
			text,
		]),
		['with a long text', { message: 'x'.repeat(1_000) }, '', 'x'.repeat(200)],
	])('%s', async (_name, thrown, code, reason) => {
		const context = contextOf(async () => {
			throw thrown;
		});
		expect(await exchange(context, POST)).toEqual({ kind: 'noResponse', code, reason });
	});

	it('that goes in circles, or has the key where its text is cut', async () => {
		const circle: { code: string; cause?: unknown } = { code: 'EPIPE' };
		circle.cause = circle;
		const cut = new Error(`${'x'.repeat(195)}${KEY}`);
		for (const [error, expected] of [
			[circle, { code: 'EPIPE' }],
			[cut, { reason: `${'x'.repeat(195)}[API ` }],
		] as const) {
			const context = contextOf(async () => await Promise.reject(error));
			expect(await exchange(context, POST)).toMatchObject(expected);
		}
	});
});

it('an error whose body trickles is taken by its status after ten seconds', async () => {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const spy = jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => timeout(ms === 10_000 ? 30 : ms));
	async function* trickle() {
		for (;;) {
			yield Buffer.from(' ');
			await new Promise((done) => setTimeout(done, 5));
		}
	}
	const began = Date.now();
	const outcome = await outcomeOf({
		status: 429,
		headers: { 'retry-after': '2' },
		body: trickle(),
	});
	spy.mockRestore();
	expect(outcome).toMatchObject({ kind: 'rejected', status: 429, retryAfterMs: 2_000 });
	expect(Date.now() - began).toBeLessThan(5_000);
});

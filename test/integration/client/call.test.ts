/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import type { CallSettings } from '../../../nodes/shared/client/types';
import type { Fault, LocalService } from '../../../mock-service';
import { callNode } from '../../support/callNode';
import { itemsOf } from '../../support/engine';
import { freshLimiters } from '../../support/limiters';
import { type MoreOptions, served } from '../../support/served';
import { until } from '../../support/until';

const KEY = 'secret key/0123456789';
const GET = { method: 'GET', path: '/v2/crawl/active' };
let service: LocalService;
const runWith = served(
	{ apiKey: KEY, rateLimit: undefined, latencyMs: 0, credits: 100_000 },
	(started) => (service = started),
);

beforeEach(() => {
	freshLimiters();
	// The shortest wait before each retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

const run = async (items: IDataObject[], more?: MoreOptions, settings: CallSettings = {}) =>
	await runWith(callNode(settings), {}, { items: itemsOf(...items), ...more });

function numbered(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, n) => ({ n }));
}

describe('an error says what happened and what to do', () => {
	// The texts of each status and code are tested in test/unit/client/errors.
	it.each<[string, Fault, string, RegExp, RegExp]>([
		['402', { status: 402, body: { error: 'None' } }, '402', /credits/, /None/],
		['success: false', { status: 200, body: { success: false } }, '200', /failed/, /status 200/],
		['web page', { raw: { type: 'text/html', text: '<p>Hi' } }, '200', /web page/, /<p>Hi/],
		['half of the JSON', { truncate: 'length' }, '200', /only part/, /Received/],
		['cut connection', { truncate: true }, '200', /broke off/, /may have processed/],
		['204', { status: 204 }, '204', /empty response/, /204/],
	])('%s', async (_name, fault, httpCode, message, description) => {
		service.fail(fault);
		const { error, output } = await run([{}]);
		expect(output).toEqual([]);
		expect(error).toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringMatching(description),
			httpCode,
			context: { itemIndex: 0 },
		});
	});

	it('never shows the key, even if the service echoes it', async () => {
		const echo = `Invalid ${KEY} or ${encodeURIComponent(KEY)} (Bearer ${KEY})`;
		for (const fault of [
			{ status: 401, body: { error: echo, code: KEY, details: [{ path: [KEY], message: echo }] } },
			{
				status: 302,
				headers: { location: `https://elsewhere.example/?k=${encodeURIComponent(KEY)}` },
			},
			{ raw: { type: 'text/plain', text: echo } },
			{ reset: 'before' as const },
		]) {
			service.clearFaults();
			service.fail(fault);
			const { run: whole, error } = await run([{}]);
			expect(error).toBeDefined();
			const shown = JSON.stringify(whole) + JSON.stringify(error) + String(error?.stack);
			expect(shown).not.toContain(KEY);
			expect(shown).not.toContain(encodeURIComponent(KEY));
		}
		service.clearFaults();
		service.fail({ status: 200, body: { success: true, echo } });
		const { output } = await run([{}]);
		expect(output[0][0].json.echo).toBe('Invalid [API key] or [API key] (Bearer [API key])');
	});

	it('hides the bare key where it was pasted with more, and sends it bare', async () => {
		service.fail({ status: 401, body: { error: `Who is ${KEY}?` }, times: 1 });
		const credentials = { baseUrl: service.url, apiKey: `\n bearer  ${KEY}\n` };
		const { error } = await run([{}], { credentials });
		expect(error?.description).toContain('Who is [API key]?');
		expect((await run([{}], { credentials })).status).toBe('success');
	});

	it('says of a key that no header can have where it is wrong, sends nothing and shows no part of it', async () => {
		const apiKey = `${KEY.slice(0, 5)}\n${KEY.slice(5)}`;
		const { error } = await run([{}], { credentials: { baseUrl: service.url, apiKey } });
		expect(error?.message).toMatch(/^The API Key of the credential contains a character that/);
		expect(error?.description).toMatch(/^It is character \d+ of the key\. Copy/);
		expect(JSON.stringify(error)).not.toContain(KEY.slice(5));
		expect(service.requests).toEqual([]);
	});

	it.each([
		['a port nobody listens on', 'http://127.0.0.1:1', /Nothing is listening at 127\.0\.0\.1:1/],
		['an unknown host', 'http://nowhere.invalid', /could not be found/],
		['http spoken with https', 'https', /secure connection/],
		['a user in it', 'https://me:pw@example.com', /user name/],
	])('a base URL with %s', async (_name, baseUrl, message) => {
		// Newer versions of Node accept no IP address as the name of a TLS server, which n8n sets.
		const secure = service.url.replace('http://127.0.0.1', 'https://localhost');
		const url = baseUrl === 'https' ? secure : baseUrl;
		const { error } = await run([{}], { credentials: { baseUrl: url, apiKey: KEY } });
		expect(error?.message).toMatch(message);
		expect(JSON.stringify(error)).not.toContain('pw@');
	});
});

describe('the key stays with the service', () => {
	it('does not follow redirects, and names the target', async () => {
		let hits = 0;
		const other = createServer((_request, response) => {
			hits++;
			response.end('{}');
		});
		await new Promise<void>((done) => other.listen(0, '127.0.0.1', done).unref());
		const target = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
		for (const status of [301, 302, 307, 308]) {
			service.clearFaults();
			service.fail({ status, headers: { location: `${target}/v2/search` } });
			const { error } = await run([{}, GET]);
			expect(error?.message).toMatch(/redirects/);
			expect(error?.description).toContain(`It redirects to ${target}/v2/search.`);
		}
		expect(hits).toBe(0);
		other.close();
	});
});

describe('a call takes no longer than its timeout, with', () => {
	it.each([
		['no response', { hang: true }],
		['a body that drips', { drip: { bytes: 1, everyMs: 50 } }],
		['an endless body', { endless: true }],
	])('%s', async (_name, fault) => {
		service.fail(fault);
		const started = Date.now();
		const { error } = await run([{}], {}, { http: { timeout: 700 } });
		expect(Date.now() - started).toBeLessThan(60_000);
		expect(error?.message).toMatch(/did not respond in time|too large/);
	});
});

describe('a call is repeated:', () => {
	it.each([
		['408', { status: 408 }],
		['500', { status: 500 }],
		['502', { status: 502 }],
		['503', { status: 503, headers: { 'retry-after': '1' } }],
		['reset', { reset: 'before' as const }],
		['cut', { truncate: true }],
		['half', { truncate: 'length' as const }],
		['429', { status: 429 }],
	])('a GET after %s', async (_name, fault) => {
		service.fail({ ...fault, times: 1 });
		const { output, error } = await run([GET]);
		expect(error).toBeUndefined();
		expect(output[0]).toMatchObject([{ json: { success: true } }]);
		expect(service.requests).toHaveLength(2);
	});

	it('a POST after 429 alone', async () => {
		for (const fault of [
			{ status: 500 },
			{ status: 503, headers: { 'retry-after': '1' } },
			{ reset: 'before' as const },
			{ reset: 'after' as const },
			{ truncate: true },
		]) {
			service.requests.length = 0;
			service.fail({ ...fault, times: 1 });
			expect((await run([{}])).error).toBeDefined();
			expect(service.requests).toHaveLength(1);
		}
		service.requests.length = 0;
		service.fail({ status: 429, headers: { 'retry-after': '1' }, times: 2 });
		expect((await run([{}])).error).toBeUndefined();
		expect(service.requests).toHaveLength(3);
		expect(service.requests[1].at - service.requests[0].at).toBeGreaterThanOrEqual(990);
	});
});

describe('behind a proxy for https', () => {
	const credentials = { baseUrl: 'https://service.invalid', apiKey: KEY };
	/**
	 * Starts a proxy that hangs up on this many connections, then responds to others with `response`. Returns its port.
	 */
	async function startProxy(hangups: number, response: string) {
		const proxy = createTcpServer((socket) => {
			socket.once('data', () => {
				asked++;
				socket.end(asked > hangups ? response : '');
			});
		});
		let asked = 0;
		await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done).unref());
		const { port } = proxy.address() as AddressInfo;
		return { http: { proxy: { host: '127.0.0.1', port } }, asked: () => asked };
	}
	const page = '<html>Blocked</html>';
	const blocked = `HTTP/1.1 403 Forbidden\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`;

	it('a POST is sent again when the proxy hangs up before it was sent', async () => {
		const { http, asked } = await startProxy(2, blocked);
		const { error } = await run([{}], { credentials }, { http });
		expect(asked()).toBe(3);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^Something between n8n and the service \(a proxy/),
			description: expect.stringContaining(page),
			httpCode: '403',
		});
	});
});

describe('before anything is sent', () => {
	it('an invalid item stops the run', async () => {
		const items = [...numbered(5), { invalid: true }, ...numbered(5)];
		const { error } = await run(items);
		expect(error?.message).toBe('The item is invalid');
		expect(error?.context).toMatchObject({ itemIndex: 5 });
		expect(service.requests).toHaveLength(0);
	});

	it('an invalid item stops only itself when errors continue', async () => {
		const items = [{ n: 0 }, { invalid: true }, { n: 2 }];
		const { output } = await run(items, { onError: 'continueErrorOutput' });
		expect(output[0].map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(output[1]).toMatchObject([
			{ json: { error: 'The item is invalid' }, pairedItem: { item: 1 } },
		]);
		expect(service.ledger).toHaveLength(2);
	});
});

describe('when an item fails and the workflow stops', () => {
	it('sends nothing more, and says what became of the others', async () => {
		service.set({ latencyMs: 20 });
		service.fail({
			status: 402,
			body: { error: 'No credits' },
			when: (r) => /item 7"/.test(JSON.stringify(r.body)),
		});
		const { error, output } = await run(numbered(200), {}, { maxConcurrent: 20 });
		expect(output).toEqual([]);
		expect(error?.context).toMatchObject({ itemIndex: 7 });
		expect(service.ledger.length).toBeLessThan(100);
		const sent = service.ledger.length;
		expect(error?.description).toContain(
			`Of 200 items, ${sent} had finished, 1 failed and ${199 - sent} were not sent.`,
		);
	});

	it('sends nothing more in a retry that is sure to fail again', async () => {
		const isSecond = ({ body }: { body: unknown }) => JSON.stringify(body).includes('item 1');
		service.fail({ status: 500, body: { error: 'Broken' }, when: isSecond });
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { error } = await run(numbered(6), retry, { maxConcurrent: 1 });
		expect(error).toMatchObject({ httpCode: '500' });
		expect(service.requests).toHaveLength(2);
	});

	it('does not repeat what was waiting to be repeated', async () => {
		service.fail({ method: 'GET', status: 503, headers: { 'retry-after': '1' }, times: 1 });
		service.fail({ method: 'POST', status: 402 });
		const { error } = await run([GET, {}]);
		expect(error).toMatchObject({ httpCode: '402', context: { itemIndex: 1 } });
		expect(error?.description).toContain(
			'Of 2 items, 0 had finished, 1 failed and 1 was not sent.',
		);
		expect(service.requests).toHaveLength(2);
	});
});

describe('concurrency', () => {
	it('is at once as high as it may be', async () => {
		const held: ServerResponse[] = [];
		const server = createServer((_request, response) => held.push(response));
		await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
		const { port } = server.address() as AddressInfo;
		const credentials = { baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY };
		for (const [items, most, settings] of [
			[24, 12, { maxConcurrent: 12 }],
			[40, 40, {}],
		] as const) {
			const ended = run(numbered(items), { credentials }, settings);
			await until('the requests', () => held.length >= most, 60_000, 5);
			// Time for one too many.
			await sleep(50);
			expect(held).toHaveLength(most);
			const release = setInterval(() => {
				for (const response of held.splice(0)) response.end('{"success":true}');
			}, 5);
			expect((await ended).output[0]).toHaveLength(items);
			clearInterval(release);
		}
		server.close();
	});

	it('loses nothing to a rate limit and keeps its pace', async () => {
		service.set({ rateLimit: { requests: 50, perMs: 1_000, retryAfter: 'seconds' } });
		const { output, error } = await run(numbered(250));
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(250);
		expect(new Set(service.ledger.map(({ body }) => JSON.stringify(body))).size).toBe(250);
		expect(service.ledger).toHaveLength(250);
		// If all that wait were sent again each second, it would be 750.
		expect(service.requests.length).toBeLessThan(500);
	});

	it('loses nothing to a queue for browsers, and scrapes each page once', async () => {
		const body = { success: false, code: 'CONCURRENCY_QUEUE_TIMEOUT', error: 'timed out' };
		service.fail({ status: 408, body, times: 30 });
		const items = numbered(24).map(({ n }) => ({
			path: '/v2/scrape',
			body: { url: `https://a.example/${String(n)}` },
		}));
		const { output, error } = await run(items);
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(24);
		expect(service.ledger).toHaveLength(24);
	});
});

it('a queue for browsers is waited for by items that stood in line for longer than Rate Limit Wait, too', async () => {
	service.set({ latencyMs: 100 });
	const body = { success: false, code: 'CONCURRENCY_QUEUE_TIMEOUT', error: 'timed out' };
	const isLast = (request: { body: unknown }) => (request.body as IDataObject).query === 'item 9';
	service.fail({ status: 408, body, times: 1, when: isLast });
	const { output, error } = await run(numbered(10), {}, { maxConcurrent: 1, maxWaitMs: 500 });
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(10);
});

it('the clock of the system may be set back: nothing waits or fails for it', async () => {
	service.fail({ status: 429, headers: { 'retry-after': '1' }, times: 1 });
	await run(numbered(20));
	for (const backMs of [60_000, 3_600_000]) {
		const now = Date.now.bind(Date);
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - backMs);
		const started = performance.now();
		const { output, error } = await run(numbered(3));
		clock.mockRestore();
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(3);
		expect(performance.now() - started).toBeLessThan(30_000);
	}
});

it('cancelling leaves other executions of the account alone', async () => {
	service.set({ latencyMs: 100 });
	service.fail({ status: 429, headers: { 'retry-after': '1' }, times: 1 });
	const controller = new AbortController();
	const other = run(numbered(5), {}, { maxConcurrent: 1 });
	const stopped = run(numbered(30), { signal: controller.signal }, { maxConcurrent: 2 });
	setTimeout(() => controller.abort(), 500);
	expect((await stopped).status).toBe('canceled');
	const { output, error } = await other;
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(5);
});

it('executions of one account wait for its rate limit together', async () => {
	// With the limiters of this process, as in n8n.
	jest.restoreAllMocks();
	service.fail({ status: 429, headers: { 'retry-after': '1' }, times: 1 });
	const first = run([{ n: 'first' }]);
	await until('the 429', () => service.requests.some(({ responded }) => responded), 60_000, 5);
	await sleep(100);
	await run([{ n: 'second' }]);
	await first;
	const [{ at }, ...later] = service.requests;
	expect(later.map(({ body }) => (body as IDataObject).query).sort()).toEqual([
		'item first',
		'item second',
	]);
	for (const request of later) expect(request.at - at).toBeGreaterThanOrEqual(990);
});

describe('cancelling ends at once', () => {
	it.each([
		['a wait for a rate limit', { status: 429, headers: { 'retry-after': '240' } }],
		['a wait before a repeat', { status: 503, headers: { 'retry-after': '240' } }],
		['a request', { hang: true }],
		['a dripping body', { drip: { bytes: 1, everyMs: 100 } }],
	])('%s', async (_name, fault) => {
		service.fail(fault);
		let ended = 0;
		const work: Parameters<typeof callNode>[1] = async (caller, call, settings) => {
			const { callService } = await import('../../../nodes/shared/client/call');
			try {
				const { body } = await callService(caller, call, settings);
				return [{ json: body }];
			} finally {
				ended++;
			}
		};
		const controller = new AbortController();
		const running = run([GET, GET, GET], {
			nodeType: callNode({}, work),
			signal: controller.signal,
		});
		await until('a request', () => service.requests.length > 0, 60_000, 5);
		await sleep(200);
		const at = Date.now();
		controller.abort();
		expect((await running).status).toBe('canceled');
		expect(Date.now() - at).toBeLessThan(60_000);
		await until('the ends', () => ended === 3, 60_000, 5);
		// What was already on its way may still arrive.
		await sleep(100);
		const sent = service.requests.length;
		await sleep(300);
		expect(service.requests).toHaveLength(sent);
	});
});

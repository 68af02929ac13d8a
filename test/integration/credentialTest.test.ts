/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions */
import { execFileSync } from 'node:child_process';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, type Server, createServer as createTcp } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { CredentialTestContext } from 'n8n-core';
import type { IDataObject, INodeCredentialTestResult } from 'n8n-workflow';

import { type LocalService, startService } from '../../mock-service';
import { allNodes } from '../../scripts/lib/nodes';

/** The user's key, which must never be shown. */
const GIVEN = 'the-users-own-key-0123';
/** The clock, which is never set back, and how far (ms) a test has moved it on. */
const realNow = performance.now.bind(performance);
let passedMs = 0;
let service: LocalService;
const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done).unref());
	servers.push(server);
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Hosts that people type by mistake. */
const hosts: Record<string, string> = {};

beforeAll(async () => {
	service = await startService({ apiKey: GIVEN });
	hosts.service = new URL(service.url).host;
	const website = (status: number) =>
		createHttp((_, response) => {
			response.writeHead(status, { 'content-type': 'text/html' });
			response.end('<!doctype html><title>Our shop</title>');
		});
	hosts.website = await listen(website(200));
	hosts.websiteWithout = await listen(website(404));
	const program = (status: number, body: object) =>
		createHttp((_, response) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		});
	hosts.otherApi = await listen(program(404, { code: 404, message: 'The route does not exist' }));
	hosts.page500 = await listen(website(500));
	hosts.emptyError = await listen(
		createHttp((_, response) => {
			response.writeHead(502).end();
		}),
	);
	hosts.moved = await listen(
		createHttp(({ url }, response) => {
			response.writeHead(308, { location: `https://api.example.com${url}` });
			response.end('{"error":"Moved"}');
		}),
	);
	hosts.mailServer = await listen(createTcp((socket) => socket.end('220 mail.example ready\r\n')));
	const pem = execFileSync('openssl', [
		...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
		...['-keyout', '-', '-subj', '/CN=localhost', '-days', '2'],
	]);
	hosts.withTls = await listen(createTls({ key: pem, cert: pem }));
	hosts.nobody = await listen(createTcp());
	await new Promise((done) => servers.at(-1)!.close(done));
});

afterAll(async () => {
	for (const server of servers) server.close();
	await service.close();
});

beforeEach(() => {
	service.requests.length = 0;
	service.clearFaults();
});

/** Tests a credential as n8n does; `{host}` is replaced by one of the hosts. */
async function tested(baseUrl: string, data: IDataObject = {}): Promise<INodeCredentialTestResult> {
	const [{ methods }] = allNodes();
	const test = methods?.credentialTest?.testCredential as (
		this: CredentialTestContext,
		credential: object,
	) => Promise<INodeCredentialTestResult>;
	const address = baseUrl.replace(/\{(\w+)\}/, (_, name: string) => hosts[name]);
	const context = new (CredentialTestContext as new (data: object) => CredentialTestContext)({});
	const credential = { data: { baseUrl: address, apiKey: GIVEN, ...data } };
	const result = await test.call(context, credential);
	expect(JSON.stringify(result)).not.toContain(GIVEN);
	return result;
}

it('every node tests the credential, as n8n takes the test of any of them', () => {
	for (const { description, methods } of allNodes()) {
		expect(description.credentials).toMatchObject([{ testedBy: 'testCredential' }]);
		expect(methods?.credentialTest).toHaveProperty('testCredential');
	}
});

it('a right credential is tested by one free call that needs the key', async () => {
	expect((await tested('{service}')).status).toBe('OK');
	expect(service.requests).toMatchObject([{ method: 'GET', path: '/v2/crawl/active' }]);
	expect(await tested('{service}', { apiKey: 'wrong' })).toEqual({
		status: 'Error',
		message: expect.stringContaining('rejected the API key'),
	});
});

it('a key that is nothing is told, and nothing is sent', async () => {
	service.requests.length = 0;
	for (const apiKey of ['', '  ', undefined]) {
		expect(await tested('{service}', { apiKey })).toEqual({
			status: 'Error',
			message: expect.stringContaining('The API Key of the credential is empty'),
		});
	}
	expect(service.requests).toEqual([]);
});

it.each([
	['127.0.0.1', true],
	['a.example, 127.0.0.1', true],
	['a.example', false],
	['', false],
])(
	'a credential that allows requests to "%s" alone may be for others',
	async (allowedDomains, isFine) => {
		service.requests.length = 0;
		const more = { allowedHttpRequestDomains: 'domains', allowedDomains };
		const { status, message } = await tested('{service}', more);
		expect([status, service.requests.length]).toEqual(isFine ? ['OK', 1] : ['Error', 0]);
		if (!isFine) expect(message).toContain('Allowed HTTP Request Domains');
	},
);

it.each([
	['http://{service}/'],
	['  {service}  '],
	['\u202ahttp://{service}\u202c'],
	['http://{service}/v1'],
	['http://{service}/v2/'],
])('the address is taken as the nodes take it: %j', async (baseUrl) => {
	expect((await tested(baseUrl)).status).toBe('OK');
});

it.each([
	['nothing there', 'http://{nobody}', /^Nothing is listening at .*Check the host and port/],
	['a misspelled host', 'https://api.exmaple.invalid', /could not be found\. Check the spelling/],
	['https for http', 'https://{service}', /secure connection.*right scheme \(http:\/\/ or https/],
	['http for https', 'http://{withTls}', /broke before it responded\. Check .* the right scheme/],
	['no address', 'https://', /is not a valid address\. Enter it .* https:\/\/api\.example\.com/],
	['a blank within', 'https://api.example .com', /is not a valid address/],
	['a certificate of its own', 'https://{withTls}', /certificate .* turn on Ignore SSL Issues/],
	['the own website', 'http://{website}', /sent a web page instead of data.*address of a website/],
	['a website without such a page', 'http://{websiteWithout}', /no Web Data Service at this/],
	['a wrong path', 'http://{service}/nowhere', /no Web Data Service.*ends before \/v1 or \/v2/],
	['no HTTP', 'http://{mailServer}', /^The connection to .* broke before.*Expected HTTP/],
	['an address that moved', 'http://{moved}', /It redirects to https:\/\/api\.example\.com/],
	['the key in the URL', `https://api.example.com?key=${GIVEN}`, /contains a “\?” or “#”/],
	['the key as user', `https://${GIVEN}@api.example.com`, /contains a user name or password/],
	['the key as URL', GIVEN, /has to start with https:\/\//],
	['another scheme', 'ftp://api.example.com', /has to start with https:\/\//],
	['nothing', '', /is empty/],
	['a web page with status 500', 'http://{page500}', /failed .* check that it is running/],
	['an error without text', 'http://{emptyError}', /failed .* status 502/],
])('says in words what is wrong: %s', async (_, baseUrl, words) => {
	const { status, message } = await tested(baseUrl);
	expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(words) });
	expect(message).not.toMatch(/run the node|undefined|\.\.( |$)/);
});

it('a response that never ends is given up', async () => {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const quick = jest.spyOn(AbortSignal, 'timeout');
	quick.mockImplementation((ms) => timeout(Math.min(ms, 100)));
	jest.spyOn(performance, 'now').mockImplementation(() => realNow() + passedMs);
	const stalls = createHttp((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).write('{');
		passedMs += 15_000;
	});
	expect(await tested(`http://${await listen(stalls)}`)).toEqual({
		status: 'Error',
		message: expect.stringContaining('did not respond in time'),
	});
	quick.mockRestore();
	stalls.closeAllConnections();
});

it('a 403 in JSON is about the key', async () => {
	service.fail({ status: 403, body: { success: false, error: `It failed for ${GIVEN}` } });
	expect(await tested('{service}')).toEqual({
		status: 'Error',
		message: expect.stringMatching(/does not allow/),
	});
});

const LACKS = /^Connection successful\. This service did not list the active crawls/;

it.each([
	[200, { ok: true }, /crawls: lists of running jobs/],
	[200, { success: false, error: 'Job not found: active' }, /\(status 200\).*“Job not found/],
	[
		402,
		{ success: false, error: `Out of luck: ${GIVEN}` },
		/402.*It said: “Out of luck: \[API key/,
	],
	[404, { detail: 'Not Found' }, /\(status 404\): lists of running jobs/],
	[429, { message: 'Slow down' }, /\(status 429\).*It said: “Slow down/],
	[500, { error: 'No database' }, /\(status 500\).*It said: “No database”/],
	[404, '<pre>Cannot GET /v2/crawl/active</pre>', /\(status 404\)/],
])('a service may lack the list: %i %j', async (status, body, words) => {
	const answer = typeof body === 'string' ? { raw: { status, text: body } } : { status, body };
	service.fail({ path: '/v2/crawl/active', ...answer });
	const { status: verdict, message } = await tested('{service}');
	expect([verdict, message]).toEqual(['OK', expect.stringMatching(LACKS)]);
	expect(message).toMatch(words);
	// It is only asked further if a web page came, with the key, which may be wrong.
	expect(service.requests).toHaveLength(typeof body === 'string' ? 2 : 1);
	if (typeof body !== 'string') return;
	expect(await tested('{service}', { apiKey: 'wrong' })).toEqual({
		status: 'Error',
		message: expect.stringContaining('rejected the API key'),
	});
});

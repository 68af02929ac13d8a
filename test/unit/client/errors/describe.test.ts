import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { WebDataServiceApi } from '../../../../credentials/WebDataServiceApi.credentials';
import { rejections } from '../../../../nodes/shared/client/errors/texts';
import { serviceErrorOf } from '../../../../nodes/shared/client/errors/describe';
import { failureOf, nodeErrorOf } from '../../../../nodes/shared/client/errors/nodeErrors';
import { ServiceError, Stopped } from '../../../../nodes/shared/client/errors/serviceError';
import type {
	Failed,
	Rejected,
	ResponseProblem,
} from '../../../../nodes/shared/client/errors/outcome';
import { errorTables } from '../../../../scripts/lib/errorTables';
import type { CallSettings } from '../../../../nodes/shared/client';
import { allNodes } from '../../../../scripts/lib/nodes';
import { cpuTime } from '../../../support/cpuTime';

const node = { name: 'Web Data Search', type: 'webDataSearch', parameters: {} } as unknown as INode;

/** A call: a POST for item 2 by default. */
interface About {
	call: { method: 'GET' | 'POST'; path: string };
	settings: CallSettings;
	root: string;
	waitedMs: number;
	urls: unknown;
}

function serviceError(outcome: Failed, { call, settings, ...about }: Partial<About> = {}) {
	return serviceErrorOf(outcome, {
		method: 'POST',
		path: '/v2/search',
		...call,
		...settings,
		hasProxy: settings?.http?.proxy !== undefined,
		root: 'https://api.example.com/prefix',
		waitedMs: 0,
		...about,
	});
}

/** Returns the error that n8n shows for an outcome. */
function errorFor(outcome: Failed, about: Partial<About> = {}) {
	return nodeErrorOf(serviceError(outcome, about), { node, itemIndex: 2 }) as NodeApiError;
}

/** Returns the error for a rejection with this status and body. */
function rejection(
	status: number,
	body?: Rejected['body'],
	more: Partial<Rejected> = {},
	about: Partial<About> = {},
) {
	return errorFor({ kind: 'rejected', status, body, excerpt: '', ...more }, about);
}

const RESPONDED = 'The service responded with status';

const connectionError = (code: string, method: 'GET' | 'POST' = 'POST') =>
	errorFor(
		{ kind: 'noResponse', code, reason: `connect ${code} 10.0.0.1:443` },
		{ call: { method, path: '/v2/search' } },
	);

describe('texts of errors', () => {
	// n8n's own fields that the texts name.
	const fields = [
		'Settings → Request Options',
		'Ignore SSL Issues (Insecure)',
		'Allowed HTTP Request Domains',
		'Fields (JSON)',
	];
	const forms = [...allNodes().map(({ description }) => description), new WebDataServiceApi()];
	for (const [, label] of JSON.stringify(forms).matchAll(/"displayName":"([^"]+ [^"]+)"/g)) {
		fields.push(label, label.replace(/ \(.*\)$/, ''));
	}
	const operations = /"name":"([^"]+ [^"]+)","value":"\w+","action"/g;
	for (const [, name] of JSON.stringify(forms).matchAll(operations)) fields.push(name);
	fields.sort((a, b) => b.length - a.length);

	it.each(Object.entries(errorTables()))('name fields as the forms do: %s', (_name, table) => {
		const others = table[1]
			.map((row) => fields.reduce((text, label) => text.replaceAll(label, ''), row.join(' ')))
			.flatMap((text) => text.match(/\b(?!The |Raise |Turn )[A-Z]\w+ \(?[A-Z]\w+\)?/g) ?? []);
		expect(others).toEqual([]);
	});
});

describe('connection errors keep our words, which n8n would replace', () => {
	it.each([
		['ECONNREFUSED', /^Nothing is listening at api\.example\.com/],
		['ENOTFOUND', /^api\.example\.com could not be found/],
		['EAI_AGAIN', /could not be found/],
		['ECONNRESET', /^The connection to api\.example\.com broke before it responded/],
		['EPIPE', /broke before/],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', /broke before/],
		['ETIMEDOUT', /^api\.example\.com did not respond in time/],
		['ECONNABORTED', /did not respond in time/],
		['EHOSTUNREACH', /cannot be reached/],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /not signed by an authority/],
		['SELF_SIGNED_CERT_IN_CHAIN', /not signed by an authority/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /not signed by an authority/],
		['CERT_HAS_EXPIRED', /has expired/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /is for another host/],
		['EPROTO', /Could not establish a secure connection/],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /Could not establish a secure connection/],
		['ERR_INVALID_CHAR', /^The request could not be sent/],
		['ERR_INVALID_ARG_VALUE', /^The request could not be sent/],
		['EACCES', /^The connection to api\.example\.com failed/],
		['', /^The request could not be sent/],
	])('%s', (code, message) => {
		const error = connectionError(code);
		expect(error.message).toMatch(message);
		expect(error.description).toContain(code);
		expect(error.description).toMatch(/Base URL|Request Options|proxies|certificate/);
		expect(error.messages).toEqual([]);
		expect(error.httpCode).toBeNull();
		expect(error.context.itemIndex).toBe(2);
		expect(error.cause).toBeUndefined();
	});
});

it('an error says what to do when the credential is for other domains', () => {
	const reason =
		'Domain not allowed: This credential is restricted from accessing api.example.com.';
	const error = errorFor({ kind: 'noResponse', code: 'DOMAIN_NOT_ALLOWED', reason });
	expect(error.message).toBe('The credential does not allow requests to api.example.com');
	expect(error.description).toContain('Allowed HTTP Request Domains');
	expect(error.description).toContain(reason);
	const another = errorFor({ kind: 'noResponse', code: 'EPIPE', reason: `write: ${reason}` });
	expect(another.message).toMatch(/^The connection to api\.example\.com broke/);
});

it("an error says what to do when n8n's protection of its network stops a request", () => {
	const error = errorFor({ kind: 'noResponse', code: 'ADDRESS_NOT_ALLOWED', reason: 'blocked' });
	expect(error.message).toBe('n8n is set up not to send requests to api.example.com');
	expect(error.description).toBe(
		'If this is the right address, ask the administrator of n8n to allow it (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES). Reason: blocked.',
	);
	expect((error as { failure?: object }).failure).toEqual({ cause: 'configuration-invalid' });
});

it('an error says that a POST may have been processed, and only of a POST', () => {
	expect(connectionError('ECONNRESET').description).toMatch(/may have processed and billed/);
	expect(connectionError('ECONNREFUSED').description).not.toMatch(/may have processed/);
	expect(connectionError('ERR_SSL_WRONG_VERSION_NUMBER').description).toMatch(/may have processed/);
	expect(connectionError('ECONNRESET', 'GET').description).not.toMatch(/may have processed/);
});

it('an error knows what its POST cost, if that is known', () => {
	const creditsOf = (status: number, method: 'GET' | 'POST' = 'POST') =>
		serviceError(
			{ kind: 'rejected', status, excerpt: '' },
			{ call: { method, path: '/v2/search' } },
		).details.credits;
	expect([creditsOf(402), creditsOf(500)]).toEqual([0, undefined]);
	expect([creditsOf(402, 'GET'), creditsOf(500, 'GET')]).toEqual([undefined, undefined]);
	const refused = serviceError({ kind: 'noResponse', code: 'ECONNREFUSED', reason: '' });
	expect(refused.details.credits).toBe(0);
});

describe('a rejection tells what happened, what to do, and what the service said', () => {
	it.each<[number, Rejected['body'], string, RegExp]>([
		[
			200,
			{ error: 'no luck' },
			'The service reported that the request failed: no luck',
			/^Change the request/,
		],
		[400, { error: 'bad' }, 'The service rejected the request: bad', /^Correct this/],
		[401, { error: 'x' }, 'The service rejected the API key', /^Copy the API key/],
		[402, { error: 'x' }, 'Not enough credits', /^Add credits/],
		[403, { error: 'x' }, 'The service does not allow this request: x', /^Check in the dashboard/],
		[404, { error: 'x' }, 'This service does not have this endpoint', /every.*Base URL/],
		[404, { code: 'OTHER' }, 'This service does not have this endpoint', /every.*Base URL/],
		[410, {}, 'The service no longer offers this', /what replaces it/],
		[404, { code: 'SCRAPE_NO_CACHED_DATA' }, 'No cached copy', /^Remove Min Age/],
		[304, undefined, 'The service rejected the request', /^See the service's message/],
		[407, {}, 'The proxy between n8n and the service asks', /^Enter them where the proxy is set/],
		[
			408,
			{},
			'The request timed out',
			/If this keeps happening, request less at a time\. Timeout \(Ms\) can be raised/,
		],
		[
			408,
			{ code: 'CONCURRENCY_QUEUE_TIMEOUT' },
			'All concurrent browsers of the account are busy',
			/, scrape the pages as a batch.* Or lower Max Concurrent Requests/,
		],
		...[
			'Crawl is already completed',
			'Agent already finished',
			'Agent is already cancelled',
			'The job has completed',
		].map((error): [number, Rejected['body'], string, RegExp] => [
			409,
			{ error },
			`The job has already ended: ${error}`,
			/^There is nothing left to cancel/,
		]),
		[
			409,
			{ error: 'The job is busy' },
			'The request conflicts with something at the service: The job is busy',
			/^Run the node again once that is over/,
		],
		[
			403,
			{ code: 'AGENT_INDEX_ONLY', login_url: 'https://a.example/login' },
			'The API key may only read',
			/^Log in at https:\/\/a\.example\/login, then/,
		],
		[
			429,
			{ error: 'Keyless limit reached. Sign up for more.', retry_after_seconds: 40 },
			'The limit for requests without an account was reached',
			/^Enter the API key of an account/,
		],
		[
			409,
			{ code: 'thread_busy', error: 'This thread already has a run in progress.' },
			'The thread is busy with another task: This thread already has a run in progress',
			/^Wait until that task has ended\. The service responded/,
		],
		[
			404,
			{ code: 'thread_not_found', error: 'x' },
			'The service does not know this thread',
			/^Check Thread ID in Options, (?!.*Base URL)/,
		],
		[
			403,
			{ code: 'THIRD_PARTY_DATA_TERMS_REQUIRED', requiresAction: { url: 'https://a.example/$&' } },
			'The terms of a data provider have not been accepted',
			/^An admin of your organization has to accept them first, at https:\/\/a\.example\/\$&\. The/,
		],
		[
			403,
			{ code: 'THIRD_PARTY_DATA_TERMS_REQUIRED', requiresAction: { url: 7 } },
			'The terms of a data provider have not been accepted',
			/^An admin of your organization has to accept them first, in the dashboard\. The/,
		],
		[413, {}, 'The request is too large for the service', /^Send less at once/],
		[418, { error: 'x' }, 'The service rejected the request', /^See the service's message/],
		[
			429,
			{},
			'The rate limit of the account was reached',
			/^Wait a moment.* run fewer items .* Or raise Options → Rate Limit Wait \(Seconds\)/,
		],
		[500, {}, 'The service failed while processing', /^Wait a moment/],
		[503, {}, 'The service failed while processing', /^Wait a moment/],
		[102, {}, 'The service rejected the request', /^See the service's message/],
		[999, {}, 'The service rejected the request', /^See the service's message/],
	])('%i %j', (status, body, message, remedy) => {
		const error = rejection(status, body);
		expect(error.message.slice(0, message.length)).toBe(message);
		expect(error.message).not.toMatch(/[.:\s]$/);
		expect(error.description).toMatch(remedy);
		expect(error.description).toContain(`${RESPONDED} ${status}`);
		expect(error.httpCode).toBe(String(status));
		expect(error.level).toBe('warning');
		expect(error.context.itemIndex).toBe(2);
	});

	it.each<[string, Rejected['body'], string, string]>([
		['its error', { error: 'Insufficient credits' }, '', ': “Insufficient credits”'],
		[
			'its message where it has no error',
			{ message: 'Come back later' },
			'',
			': “Come back later”',
		],
		[
			'its message, then its error, where that is but a code',
			{ error: 'credit_limit', message: 'All 50 credits are used.' },
			'',
			': “All 50 credits are used (credit_limit)”',
		],
		['what both say only once', { error: 'x.', message: 'x' }, '', ': “x”'],
		['a text in one line, without its full stop', { error: ' a \n\n b. . ' }, '', ': “a b”'],
		['full stops within', { error: 'v1.2 is gone' }, '', ': “v1.2 is gone”'],
		['an error that is an object', { error: { a: 1 } }, '', ': “{"a":1}”'],
		['its code', { code: 'SCRAPE_TIMEOUT', error: 'x' }, '', ', code SCRAPE_TIMEOUT: “x”'],
		['no code that is not a text', { code: 7, error: 'x' }, '', ': “x”'],
		['what came where it is no JSON', undefined, '<p>Bad gateway', ': “<p>Bad gateway”'],
		['a long text only in part', { error: 'x'.repeat(301) }, '', `: “${'x'.repeat(300)}…”`],
		['a text of the longest length', { error: 'x'.repeat(300) }, '', `: “${'x'.repeat(300)}”`],
		['nothing', {}, '', ''],
	])('quotes %s', (_name, body, excerpt, quote) => {
		const { description } = rejection(500, body, { excerpt });
		expect(description?.split(RESPONDED)[1]).toBe(` 500${quote}.`);
	});

	it('says once what the service says: not again below a message that has it', () => {
		const { message, description } = rejection(400, { error: 'Bad query', code: 'BAD_REQUEST' });
		expect(message).toBe('The service rejected the request: Bad query');
		expect(description).toMatch(/The service responded with status 400, code BAD_REQUEST\.$/);
	});

	it('adds what the service says to the message only where the status says little', () => {
		expect(rejection(401, { error: 'x' }).message).toBe('The service rejected the API key');
		expect(rejection(418, { error: 'x' }).message).toBe('The service rejected the request');
	});

	it('leaves the message as it is where a 400 says nothing', () => {
		expect(rejection(400, {}).message).toBe('The service rejected the request');
	});

	it('names each field of a 400 first, as the form does', () => {
		const nameOf = ([name]: Array<string | number>) => (name === 'limit' ? 'Limit' : undefined);
		const details = [
			{ path: ['limit'], message: 'must be at most 100.' },
			{ path: ['scrapeOptions', 0, 'timeout'], message: 'must be a number' },
			{ path: [], message: 'unrecognized v1.2 body' },
			{ message: 'nowhere' },
			{ path: 'limit', reason: 'odd' },
			null,
			{ path: ['long'], message: 'x'.repeat(301) },
		];
		const { description } = rejection(400, { details }, {}, { settings: { nameOf } });
		expect(description?.split(' Correct this')[0]).toBe(
			[
				'Limit: must be at most 100.',
				'scrapeOptions.0.timeout: must be a number.',
				'unrecognized v1.2 body.',
				'nowhere.',
				'{"path":"limit","reason":"odd"}.',
				`long: ${'x'.repeat(300)}….`,
			].join(' '),
		);
		const unnamed = rejection(400, { details: details.slice(0, 1) });
		expect(unnamed.description).toMatch(/^limit: must be at most 100\. Correct/);
	});

	it('names ten fields at most', () => {
		const details = Array.from({ length: 12 }, (_, n) => ({ path: [`f${n}`], message: 'bad' }));
		const { description } = rejection(400, { details });
		expect(description).toContain('f9: bad. Correct');
		expect(description).not.toContain('f10');
	});

	it('takes details that are an object for the only one', () => {
		const details = { path: ['formats'], message: 'bad' };
		expect(rejection(400, { details }).description).toMatch(/^formats: bad\. Correct this/);
	});

	it.each([
		[600_000, '10 minutes'],
		[90_000, '2 minutes'],
		[60_000, 'a minute or two'],
		[undefined, 'a minute or two'],
	])('says when a document will have been read: after %s ms', (retryAfterMs, wait) => {
		const details = { state: 'processing_continues', documentPages: 900 };
		const body = { code: 'SCRAPE_TIMEOUT', error: 'Request timed out', details };
		const error = rejection(408, body, { retryAfterMs });
		expect(error.message).toBe('The document was not read in time');
		expect(error.description).toBe(
			`Run the node again in ${wait}: the service goes on reading the document. The service may have processed and billed the request, so it was not sent again. ${RESPONDED} 408, code SCRAPE_TIMEOUT: “Request timed out”.`,
		);
	});

	it('shows details of a shape that nobody has heard of as they came', () => {
		const { description } = rejection(400, { details: { formats: 'bad' } });
		expect(description).toMatch(/^\{"formats":"bad"\}\. Correct this/);
	});

	it.each(['error', 'message'])(
		'takes no time for a long %s, of which it says the beginning',
		(key) => {
			const spent = cpuTime();
			const { message } = rejection(400, { [key]: `Too ${'.'.repeat(300_000)}x` });
			expect(message).toMatch(/: Too$/);
			expect(spent()).toBeLessThan(1_000);
		},
	);

	it('takes details that are a text for none', () => {
		expect(rejection(400, { details: 'all wrong' }).description).toMatch(/^Correct this/);
	});

	it.each([
		['https://www.example.com/v2/search', 'https://www.example.com'],
		['https://www.example.com/a/b/v2/search/?x=1', 'https://www.example.com/a/b'],
		['https://www.example.com/v2/search//', 'https://www.example.com'],
		['/v2/search', 'https://api.example.com'],
		['search/', undefined],
		['https://api.example.com/prefix/v2/search?', undefined],
		['https://www.example.com/login', undefined],
		['/login', undefined],
		['http://', undefined],
	])('says where it redirects to, and the Base URL that this makes: %s', (location, baseUrl) => {
		const { message, description } = rejection(302, undefined, { location });
		const advice = baseUrl && `; if that is your service, ${baseUrl} is the Base URL to enter`;
		expect(message).toMatch(/^The service redirects to another address\. The/);
		expect(description).toBe(
			`Check Base URL in the credential: it ends before /v1 or /v2. It redirects to ${location}${advice ?? ''}. ${RESPONDED} 302.`,
		);
	});

	it('says of a call with a query where it redirects to', () => {
		const location = 'https://www.example.com/v2/crawl/7';
		const call = { method: 'GET', path: '/v2/crawl/7?skip=1' } as const;
		const { description } = rejection(301, undefined, { location }, { call });
		expect(description).toContain('https://www.example.com is the Base URL to enter');
	});

	it('says of a rate limit whether it waited', () => {
		const message = (waitedMs: number) => rejection(429, {}, {}, { waitedMs }).message;
		const limit = 'The rate limit of the account was reached, and';
		expect(message(999)).toBe(`${limit} the wait is longer than allowed`);
		expect(message(1_000)).toBe(`${limit} waiting did not help`);
	});

	it('says how long it waited for a rate limit, and how long the service asks for', () => {
		const limited = (more: Partial<Rejected>, waitedMs = 1_200) =>
			rejection(429, {}, more, { waitedMs }).description;
		expect(limited({}, 1_000)).toContain(` Waited 1 s. ${RESPONDED} 429.`);
		expect(limited({})).toContain(` Waited 2 s. ${RESPONDED} 429.`);
		expect(limited({ retryAfterMs: 60_000 })).toContain(
			` Waited 2 s. The service asks you to wait 60 s more. ${RESPONDED}`,
		);
		// With the margin for a wait in words, or for a date.
		expect(limited({ retryAfterMs: 57_500 })).toContain('asks you to wait 57 s more.');
		expect(limited({ retryAfterMs: 57_750 })).toContain('asks you to wait 57 s more.');
		expect(limited({ retryAfterMs: 750 })).toContain('asks you to wait 1 s more.');
		expect(rejection(500, {}, { retryAfterMs: 60_000 }).description).not.toMatch(/Waited|asks/);
	});

	it('says that a call was not sent because others met the limit, and counts among those', () => {
		const { description } = rejection(429, undefined, { isUnsent: true, retryAfterMs: 60_000 });
		const isUnsent = (more: Partial<Rejected>, jobId?: string) =>
			serviceError({ kind: 'rejected', status: 429, excerpt: '', ...more }, { settings: { jobId } })
				.details.isUnsent === true;
		expect(isUnsent({ isUnsent: true })).toBe(true);
		expect(isUnsent({})).toBe(false);
		expect(isUnsent({ isUnsent: true }, 'a')).toBe(false);
		const ofJob = rejection(429, undefined, { isUnsent: true }, { settings: { jobId: 'a' } });
		expect(ofJob.description).toMatch(
			/ This request about the job was not sent: the account's rate limit was reached\. Job: a\.$/,
		);
		expect(description).toMatch(
			/ more requests\. It was not sent: the account's rate limit was reached, and it would have had to wait 60 s\.$/,
		);
		const late = { isUnsent: true, retryAfterMs: 19_000 } as const;
		expect(rejection(429, undefined, late, { waitedMs: 11_000 }).description).toMatch(
			/ Waited 11 s\. It was not sent: .* and it would have had to wait 19 s more\.$/,
		);
	});

	it.each<[string, Rejected['body'], boolean]>([
		['Cannot POST /v2/search', undefined, true],
		['<!DOCTYPE html>', undefined, true],
		['\n  <!DOCTYPE html>', undefined, true],
		['', undefined, true],
		['404 page not found', undefined, true],
		['', { error: 'Not found' }, true],
		['', { detail: 'Not Found' }, true],
		['', { message: 'Cannot POST /v2/search', error: 'Not Found', statusCode: 404 }, true],
		['', { code: 'SCRAPE_NO_CACHED_DATA', error: 'x' }, false],
		['', { code: 'SCRAPE_SITE_ERROR', error: 'x' }, false],
	])(
		'tells an endpoint that is missing by %j (%j), not one without a known job',
		(excerpt, body, isMissing) => {
			const isTold = (status: number, about: Partial<About> = {}) =>
				rejection(status, body, { excerpt }, about).message.startsWith(
					'This service does not have this endpoint',
				);
			expect(isTold(404)).toBe(isMissing);
			expect(isTold(405, { settings: { jobId: 'a' } })).toBe(true);
			expect(isTold(404, { settings: { jobId: 'a' } })).toBe(excerpt.includes('<'));
		},
	);

	it.each<[number, Rejected['body'], string, boolean]>([
		[401, undefined, '<html>Log in</html>', true],
		[403, undefined, '<!DOCTYPE html><p>Blocked', true],
		[402, undefined, '<html>', false],
		[403, {}, '<html>', false],
		[401, undefined, 'Unauthorized', false],
		[403, undefined, '', false],
	])(
		'blames what is in front of the service, not the key, for a web page: %i %j %j',
		(status, body, excerpt, isFromBetween) => {
			const error = rejection(status, body, { excerpt });
			expect(error.message.startsWith('Something between n8n and the service')).toBe(isFromBetween);
			const by = isFromBetween ? 'It responded with status' : RESPONDED;
			expect(error.description).toContain(` ${by} ${status}`);
			const { failure } = error as { failure?: { cause: string } };
			expect(failure?.cause === 'temporarily-unavailable').toBe(isFromBetween);
		},
	);

	it('takes a 501 for an endpoint that is missing, which costs nothing', () => {
		const { message, description } = rejection(501, { error: 'Only with ClickHouse' });
		expect(message).toBe('This service does not have this endpoint: POST /v2/search');
		expect(description).toMatch(/status 501: “Only with ClickHouse”\.$/);
		expect(description).not.toMatch(/may have processed/);
	});

	it('blames a job only where the service does not know it', () => {
		const { message } = rejection(402, {}, {}, { settings: { jobId: 'job-7' } });
		expect(message).toBe('Not enough credits for this request');
	});

	it('ends with the job, so that it is not lost', () => {
		const error = rejection(404, { error: 'gone' }, {}, { settings: { jobId: 'job-7' } });
		expect(error.message).toBe(rejections['404 job'].message);
		expect(error.description).toMatch(/“gone”\. Job: job-7\.$/);
		expect(error.context.service).toStrictEqual({ serviceError: 'gone', jobId: 'job-7' });
	});

	it("keeps the service's own fields for the error output, and only those", () => {
		const kept = {
			code: 'C',
			details: [{ path: ['a'] }],
			warning: 'w',
			warnings: ['/v1/extract is deprecated'],
			requiresAction: { type: 'accept_terms', url: 'https://a.example' },
		};
		const body = { success: false, error: 'x', ...kept, more: 1 };
		expect(rejection(429, body, { retryAfterMs: 0 }).context.service).toStrictEqual({
			serviceError: 'x',
			...kept,
			retryAfterMs: 0,
		});
		expect(rejection(500).context).not.toHaveProperty('service');
	});
});

describe('the failure that a trigger declares to n8n, of a response', () => {
	const wait = { retryAfterMs: 5_000 };
	it.each<[number, object | undefined]>([
		[200, undefined],
		[302, undefined],
		[400, undefined],
		[407, { cause: 'configuration-invalid' }],
		[401, { cause: 'credential-invalid' }],
		[402, { cause: 'quota-exhausted', ...wait }],
		[403, { cause: 'credential-invalid' }],
		[404, { cause: 'configuration-invalid' }],
		[408, { cause: 'temporarily-unavailable', ...wait }],
		[429, { cause: 'rate-limited', ...wait }],
		[503, { cause: 'temporarily-unavailable', ...wait }],
	])('%i with Retry-After', (status, failure) => {
		const error = rejection(status, {}, wait);
		expect((error as { failure?: object }).failure).toStrictEqual(failure);
		expect('failure' in error).toBe(failure !== undefined);
	});

	it('has no time to wait where the service gave none, or there is no response', () => {
		for (const error of [rejection(503), connectionError('ECONNRESET')]) {
			const { failure } = error as { failure?: object };
			expect(failure).toStrictEqual({ cause: 'temporarily-unavailable' });
		}
	});
});

it('failures that may be over later are taken for temporary', () => {
	const of = (status: number) => serviceError({ kind: 'rejected', status, excerpt: '' });
	expect([503, 429, 401, 404].map((status) => of(status).isTemporary)).toEqual([
		...[true, true, false, false],
	]);
	const reset = serviceError({ kind: 'noResponse', code: 'ECONNRESET', reason: '' });
	expect(reset.isTemporary).toBe(true);
});

it('an error says what else to do where the caller knows better', () => {
	const remedy = 'Do that.';
	const { message, description } = rejection(503, {}, {}, { settings: { remedy, isPoll: true } });
	expect(message).toBe('The service failed while processing the request');
	expect(description).toMatch(/^Do that\. The service may have processed/);
});

describe('the error about a response that cannot be read', () => {
	it.each<[ResponseProblem, string, RegExp, boolean]>([
		['empty', 'The service sent an empty response', /^Wait a moment/, true],
		['html', 'The service sent a web page instead of data', /login page/, false],
		['notJson', 'The service sent something that is not JSON', /^Wait/, true],
		['notAnObject', 'The service sent JSON that is not', /^Check Base URL/, false],
		['cut', 'The response of the service broke off partway', /^Wait/, true],
		['tooLarge', 'The response of the service is too large', /fewer results/, false],
		[
			'tooDeep',
			'The response of the service is nested too deeply',
			/500 levels.*simpler schema/,
			false,
		],
	])('%s', (problem, message, remedy, isTemporary) => {
		const outcome: Failed = {
			kind: 'unreadable',
			status: 200,
			problem,
			contentType: 'text/plain',
			excerpt: 'Hello',
		};
		const error = errorFor(outcome);
		expect(error.message).toContain(message);
		expect(error.description).toMatch(remedy);
		expect(error.description).toMatch(
			/ The service may have processed .* again\. Received \(status 200, text\/plain\): “Hello”\.$/,
		);
		expect(error.httpCode).toBe('200');
		expect('failure' in error).toBe(isTemporary);
		expect(error.context).not.toHaveProperty('service');
		const get = errorFor(outcome, { call: { method: 'GET', path: '/v2/crawl/active' } });
		expect(get.description).not.toMatch(/may have processed/);
	});

	it('says so where nothing came', () => {
		const outcome = { kind: 'unreadable', status: 204, problem: 'empty' } as const;
		expect(errorFor({ ...outcome, contentType: '', excerpt: '' }).description).toMatch(
			/ Received \(status 204, no content type\): nothing\.$/,
		);
	});
});

describe('the error about a missing response', () => {
	it('may be for the proxy in Request Options, if there is one', () => {
		const proxy = { host: '127.0.0.1', port: 3_128 };
		const refused = { kind: 'noResponse', code: 'ECONNREFUSED', reason: '' } as const;
		const { description } = errorFor(refused, { settings: { http: { proxy } } });
		expect(description).toContain(
			' the proxy in Settings → Request Options → Proxy, which may be the cause. ',
		);
		const rejected = rejection(500, {}, {}, { settings: { http: { proxy } } });
		for (const error of [errorFor(refused), rejected]) {
			expect(error.description).not.toContain('Proxy');
		}
	});

	const IN_N8N = 'the proxy that n8n is set up with (HTTP_PROXY, HTTPS_PROXY)';

	it('names the proxy that hung up, which is no reason to give up for good', () => {
		const outcome = { kind: 'noResponse', code: 'PROXY_CLOSED', reason: 'ended' } as const;
		const error = errorFor(outcome);
		expect(error.message).toBe(
			'The proxy between n8n and api.example.com closed the connection before the request was sent',
		);
		expect(error.description).toContain(IN_N8N);
		expect((error as { failure?: object }).failure).toEqual({ cause: 'temporarily-unavailable' });
		const proxy = { host: '127.0.0.1', port: 3_128 };
		const chosen = errorFor(outcome, { settings: { http: { proxy } } });
		expect(chosen.description).toContain('the proxy in Settings → Request Options → Proxy');
		expect(chosen.description).not.toContain('HTTP_PROXY');
	});

	it.each([
		['ECONNREFUSED', 'connect ECONNREFUSED', 'Reason: ECONNREFUSED: connect ECONNREFUSED.'],
		['TIMEOUT', '', 'Reason: TIMEOUT.'],
		['', 'Invalid header', 'Reason: Invalid header.'],
		['X', 'y'.repeat(300), `Reason: X: ${'y'.repeat(297)}….`],
	])('gives the reason: %s %s', (code, reason, line) => {
		const error = errorFor({ kind: 'noResponse', code, reason });
		expect(error.description?.endsWith(` ${line}`)).toBe(true);
		expect(error.context.service).toEqual(code === '' ? undefined : { connectionError: code });
	});

	it('gives none where there is none', () => {
		const { description } = errorFor({ kind: 'noResponse', code: '', reason: '' });
		expect(description).toBe(
			'See the reason below, and check Base URL in the credential and Settings → Request Options.',
		);
	});

	it('says that a POST that timed out may have been processed', () => {
		const outcome: Failed = { kind: 'noResponse', code: 'TIMEOUT', reason: '' };
		expect(errorFor(outcome).description).toMatch(/may have processed/);
	});
});

it('an error says that the execution was cancelled, at which item, and which job goes on', () => {
	const error = nodeErrorOf(new Stopped({ id: 'job-7', getBy: 'Get' }), { node, itemIndex: 4 });
	expect(error).toMatchObject({
		message: 'The execution was cancelled',
		description: 'Job: job-7.',
		level: 'warning',
		context: { itemIndex: 4, service: { jobId: 'job-7' } },
	});
	const early = nodeErrorOf(new Stopped(), { node, itemIndex: 4 });
	expect(early.context).not.toHaveProperty('service');
});

describe('a full queue of the service', () => {
	const said = 'Queue limit reached: your team has 50000 jobs queued (limit: 50000).';
	const { message } = rejections['429 queue'];

	it('is none of the limits that pass by themselves', () => {
		expect(rejection(429, { error: said }).message).toBe(message);
	});

	it.each([
		['another status', 403, said],
		['a text that only mentions it', 429, `Job 7: ${said}`],
	])('is not told by %s', (_what, status, error) => {
		expect(rejection(status, { error }).message).not.toBe(message);
	});
});

it.each<[string, Rejected['body'], string, string]>([
	[
		'Unprocessable Entity',
		undefined,
		'The service rejected the request',
		`Correct the fields of the node to match what the service says. ${RESPONDED} 422: “Unprocessable Entity”.`,
	],
	[
		'',
		{ error: 'urls must not repeat' },
		'The service rejected the request: urls must not repeat',
		'Correct the fields of the node to match what the service says. The service responded with status 422.',
	],
])('a 422 is about the fields, not the address: %j %j', (excerpt, body, message, description) => {
	expect(rejection(422, body, { excerpt })).toMatchObject({ message, description });
});

describe('a rejection without a code is told by its text', () => {
	const CASES: Array<[name: string, status: number, path: string, error: string]> = [
		['429 browsers', 429, '/v2/scrape/1/interact', 'You have 5 browser sessions open'],
		['429 keyless', 429, '/v2/scrape', 'Keyless limit reached'],
		['429 keyless', 429, '/v2/scrape', 'You are without an API key'],
		['429 keyless', 429, '/v2/scrape', 'Requests without account are limited.\nSign up for more'],
		['404 browser', 404, '/v2/scrape/1/interact', 'Browser session not found.'],
		['409 profile', 409, '/v2/scrape', 'Another session is writing to this profile'],
		['409 browser', 409, '/v2/scrape/1/interact', 'Replay context is unavailable'],
		['409 ended', 409, '/v2/crawl/1', 'Crawl is already completed'],
		['409 ended', 409, '/v2/batch/scrape/1', 'The job has been cancelled'],
	];
	const messageOf = (status: number, path: string, error: string) =>
		rejection(status, { error }, {}, { call: { method: 'POST', path } }).message;

	it.each(CASES)('%s: %i for %s with “%s”', (name, status, path, error) => {
		const { message } = rejections[name];
		expect(messageOf(status, path, error).startsWith(message)).toBe(true);
		expect(messageOf(422, path, error).startsWith(message)).toBe(false);
	});

	it.each([
		['404 browser', 404, '/v2/scrape/1/interacts', 'Browser session not found.'],
		['404 browser', 404, '/v2/scrape/1/interact', 'Scrape not found.'],
		['409 browser', 409, '/v2/scrape', 'Replay context is unavailable'],
		['429 keyless', 429, '/v2/scrape', 'Rate limit of this account exceeded'],
	])('and not otherwise: %s: %i for %s with “%s”', (name, status, path, error) => {
		expect(messageOf(status, path, error).startsWith(rejections[name].message)).toBe(false);
	});
});

describe('what came with a failure all the same', () => {
	const data = { markdown: 'Hello' };

	it('is in the error: it may have been paid for', () => {
		const { service } = rejection(200, { success: false, error: 'half', data }).context;
		expect(service).toEqual({ serviceError: 'half', data });
	});

	it.each([
		['empty', 200, { data: {} }],
		['of a rejection', 300, { data }],
	])('is not where it is %s', (_what, status, body) => {
		expect(rejection(status, { error: 'No', ...body }).context.service).toEqual({
			serviceError: 'No',
		});
	});

	it('is not where there is no response', () => {
		expect(connectionError('ECONNRESET').context.service).toEqual({
			connectionError: 'ECONNRESET',
		});
	});
});

it('an error has the job and what the service sent, where there are any', () => {
	const of = (details: object) =>
		nodeErrorOf(new ServiceError('a', { description: 'b', ...details }), { node }).context;
	expect(of({})).not.toHaveProperty('service');
	const about = { jobId: 'j', data: { id: 1 } };
	expect(of(about).service).toEqual(about);
});

describe('a 400 hides its reason', () => {
	const nameOf = (path: Array<string | number>) =>
		path.filter((part) => typeof part === 'string').join(' → ');
	const said = (...details: unknown[]) =>
		rejection(400, { details }, {}, { settings: { nameOf } }).description?.split(' Correct')[0];

	it.each(['Invalid JSON schema.', 'Invalid JSON schema'])(
		'in what a JSON Schema has that the service does not know: %s',
		(message) => {
			expect(said({ path: ['schema'], message })).toBe(
				'schema: Invalid JSON schema. If it is one, remove $schema, format, example and other extra keywords from it.',
			);
			const other = 'Invalid JSON schema: no "type"';
			expect(said({ path: ['schema'], message: other })).toBe(`schema: ${other}.`);
		},
	);
});

it.each([
	[
		500,
		'SCRAPE_ALL_ENGINES_FAILED',
		/^The page could not be scraped: no luck$/,
		/(?<!Enhanced.*)self-hosted service may only have Basic.*is not billed/,
	],
	[500, 'SCRAPE_SSL_ERROR', /certificate of the page/, /Skip TLS Verification.*is not billed/],
	[500, 'SCRAPE_ACTION_ERROR', /^An action/, /Actions/],
	[500, 'SCRAPE_ACTIONS_NOT_SUPPORTED', /no browser/, /Or leave out Actions(?!.*selector)/],
	[500, 'SCRAPE_PDF_OCR_REQUIRED', /^The PDF could/, /PDF Parsing/],
	[500, 'SCRAPE_DOCUMENT_ANTIBOT_ERROR', /bots away/, /^Download the file .*Proxy/],
	[500, 'SCRAPE_DOCUMENT_PREFETCH_FAILED', /bots away/, /^Download the file .*Proxy/],
	[500, 'SCRAPE_DOCUMENT_PARSE_ERROR', /^The document/, /opens in a browser(?!.*PDF Parsing)/],
	[500, 'SCRAPE_PDF_ANTIBOT_ERROR', /bots away/, /^Download the file/],
	[500, 'SCRAPE_UNSUPPORTED_FILE_ERROR', /kind of file/, /^Leave it out/],
	[500, 'SCRAPE_PROXY_SELECTION_ERROR', /no such proxy/, /only have Basic/],
	[500, 'SCRAPE_ZDR_VIOLATION_ERROR', /without keeping data/, /^Turn Zero Data Retention off/],
	[500, 'SCRAPE_RETRY_LIMIT', /too often/, /^Remove what/],
	[500, 'SCRAPE_X_TWITTER_CONFIGURATION_ERROR', /X \(Twitter\)/, /^Leave pages of X out/],
	[500, 'SCRAPE_JOB_CANCELLED', /job was cancelled/, /another job/],
	[200, 'SCRAPE_DNS_RESOLUTION_ERROR', /host name of the page/, /Older services bill 1 credit/],
	[403, 'UNSUPPORTED_SITE', /does not scrape this site/, /Leave it out/],
	[500, 'CRAWL_DENIAL', /^The page may not be scraped: no luck$/, /robots\.txt.*is not billed/],
	[400, 'SCRAPE_JSON_CONTENT_TOO_LARGE', /^The page is too large/, /Include Tags.*is not billed/],
	[
		403,
		'SCRAPE_PROMPT_INJECTION_DETECTED',
		/instructions to AI/,
		/such as Markdown, .* bills 5 credits/,
	],
])('a page that fails with %i %s is not a service that fails', (status, code, message, remedy) => {
	const error = rejection(status, { code, error: 'no luck' });
	expect(error.message).toMatch(message);
	expect(error.description).toMatch(remedy);
	expect(error.description).not.toMatch(/may have processed|report it/);
	expect(error).not.toHaveProperty('failure');
});

it('a site that is turned down without a code is not a key that may not do it', () => {
	const error = rejection(403, { error: 'We apologize, but we do not support this site.' });
	expect(error.message).toBe(
		'The service does not scrape this site: We apologize, but we do not support this site',
	);
	expect(error.description).not.toMatch(/API key/);
	expect(error).not.toHaveProperty('failure');
});

it.each(['/v2/team/credit-usage', '/v2/team/credit-usage/historical', '/v2/team/activity'])(
	'a service without a database is not told to be asked for its account again and again: %s',
	(path) => {
		const call = { method: 'GET', path } as const;
		const { message, description } = rejection(500, { error: 'x' }, {}, { call });
		expect(message).toBe('The service could not read your account data');
		expect(description).toMatch(/^A self-hosted service without a database keeps no credits/);
		expect(description).not.toMatch(/Wait a moment/);
	},
);

it.each([
	[['mailto:a@b.example', 'ftp://c.example'], /were mailto:a@b\.example, ftp:\/\/c\.exa/],
	[undefined, /^Correct this in the node\. The service responded/],
])('names the URLs of which none is valid: %j', (urls, text) => {
	const outcome = { kind: 'rejected', status: 400, excerpt: '' } as const;
	const error = serviceError({ ...outcome, body: { error: 'No valid URLs provided' } }, { urls });
	expect(error.details.description).toMatch(text);
});

it.each([
	'This website is no longer supported, please reach out to help@a.example',
	'This site is not supported',
	'We do not support this website',
])('a site that is turned down has nothing to do with the plan and key: %s', (error) => {
	const { description } = rejection(403, { error });
	expect(description).toMatch(/^Leave it out/);
	expect(description).not.toMatch(/plan|API key/);
});

it('a site is turned down by the code alone where there is one', () => {
	const body = { error: 'We do not support this site yet', code: 'OTHER' };
	expect(rejection(403, body).message).toMatch(/^The (?!service does not scrape)/);
});

it('a service that fails is told as that, whatever was asked for', () => {
	const error = rejection(500, { code: 'UNKNOWN_ERROR', error: 'x' });
	expect(error.message).toBe('The service failed while processing the request');
	expect(error.description).toMatch(/may have processed/);
});

describe('an error at the edge to n8n', () => {
	it.each([new NodeApiError(node, {}, { message: 'a' }), new NodeOperationError(node, 'b')])(
		'stays what it is where it is one of n8n’s: %s',
		(error) => {
			expect(nodeErrorOf(error, { node, itemIndex: 4 })).toBe(error);
		},
	);

	it('names the item where it is made of another', () => {
		const error = nodeErrorOf(new TypeError('odd'), { node, itemIndex: 4 });
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'odd', context: { itemIndex: 4 } });
	});
});

it('an error says what to do about a failure that may pass: to try again, which a trigger does by itself', () => {
	const of = (isPoll?: true) => rejection(503, {}, {}, { settings: { isPoll } }).description;
	const lasting = ' If this keeps happening, report it to the service with its message below.';
	expect(of()).toContain(`Wait a moment and run the node again.${lasting}`);
	expect(of(true)).toContain(`The next poll tries again by itself.${lasting}`);
	expect(rejection(402, {}, {}, { settings: { isPoll: true } }).description).toMatch(
		/^Add credits/,
	);
});

it.each([
	[new ServiceError('x', { description: '' }), 'temporarily-unavailable'],
	[serviceError({ kind: 'rejected', status: 400, excerpt: '' }), 'configuration-invalid'],
	[serviceError({ kind: 'rejected', status: 404, excerpt: '' }), 'configuration-invalid'],
	[serviceError({ kind: 'rejected', status: 401, excerpt: '' }), 'credential-invalid'],
	[new NodeOperationError(node, 'Empty'), 'configuration-invalid'],
	[new TypeError('odd'), 'temporarily-unavailable'],
])('tells n8n why a poll failed: %s is %s', (error, cause) => {
	expect(failureOf(error)).toEqual({ cause });
});

it.each<[string, { creditsUsed?: number }, boolean]>([
	['nothing', {}, true],
	['that it was free', { creditsUsed: 0 }, true],
	['what it cost', { creditsUsed: 3 }, false],
])('says that a failed page is not billed where the response says %s', (_case, more, isTold) => {
	const { description } = rejection(200, { code: 'SCRAPE_SITE_ERROR', error: 'x', ...more });
	expect(description?.includes('is not billed')).toBe(isTold);
});

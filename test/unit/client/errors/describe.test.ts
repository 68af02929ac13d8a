import { type IDataObject, type NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { WebDataServiceApi } from '../../../../credentials/WebDataServiceApi.credentials';
import { problems, rejections } from '../../../../nodes/shared/client/errors/texts';
import { serviceErrorOf } from '../../../../nodes/shared/client/errors/describe';
import { failureOf, nodeErrorOf } from '../../../../nodes/shared/client/errors/nodeErrors';
import { ServiceError, Stopped } from '../../../../nodes/shared/client/errors/serviceError';
import type { Failed, Rejected } from '../../../../nodes/shared/client/errors/outcome';
import { pageErrorOf } from '../../../../nodes/shared/client/errors/pageErrors';
import { errorTables } from '../../../../scripts/lib/errorTables';
import type { CallSettings } from '../../../../nodes/shared/client/types';
import { allNodes } from '../../../../scripts/lib/nodes';

/** The words themselves are in docs/maintainers/error-texts.md, which a test keeps current. */
const node = { name: 'Web Data Search', type: 'webDataSearch', parameters: {} } as unknown as INode;

/** A call: a POST for item 2 by default. */
interface About {
	call: { method: 'GET' | 'POST'; path: string };
	settings: CallSettings;
	root: string;
	waitedMs: number;
	isFile: boolean;
}

function serviceError(outcome: Failed, { call, settings, ...about }: Partial<About> = {}) {
	return serviceErrorOf(outcome, {
		method: 'POST',
		path: '/v2/search',
		...call,
		...settings,
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

const lost = (code: string, reason = `connect ${code} 10.0.0.1:443`): Failed => ({
	kind: 'noResponse',
	code,
	reason,
});
const GET = { call: { method: 'GET', path: '/v2/search' } } as const;
const failureIn = (error: object) => (error as { failure?: object }).failure;

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

const [CONFIGURED, PASSING] = ['configuration-invalid', 'temporarily-unavailable'];

describe('a connection that fails', () => {
	it.each<[isUnsent: boolean, cause: string, codes: string]>([
		[true, CONFIGURED, 'DOMAIN_NOT_ALLOWED ADDRESS_NOT_ALLOWED DEPTH_ZERO_SELF_SIGNED_CERT'],
		[true, CONFIGURED, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID EPROTO '],
		[
			true,
			CONFIGURED,
			'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED ERR_INVALID_CHAR CERT_HAS_EXPIRED',
		],
		[true, PASSING, 'PROXY_CLOSED ECONNREFUSED ENOTFOUND EAI_AGAIN'],
		[false, PASSING, 'HPE_INVALID_CONSTANT TIMEOUT ETIMEDOUT ECONNABORTED ECONNRESET EPIPE EACCES'],
		[false, PASSING, 'ERR_SSL_WRONG_VERSION_NUMBER ERR_STREAM_PREMATURE_CLOSE EHOSTUNREACH'],
	])('unsent: %s, %s: %s', (isUnsent, cause, codes) => {
		for (const code of codes.split(' ')) {
			const error = errorFor(lost(code));
			expect(error.message).toContain('api.example.com');
			expect(error.description).toContain(`connect ${code}`);
			// n8n would replace our words, and the cause may contain the key.
			expect(error).toMatchObject({ messages: [], httpCode: null, context: { itemIndex: 2 } });
			expect(error.cause).toBeUndefined();
			expect(failureIn(error)).toEqual({ cause });
			expect(/may have processed and billed/.test(error.description!)).toBe(!isUnsent);
			expect(serviceError(lost(code)).details.credits).toBe(isUnsent ? 0 : undefined);
			expect(errorFor(lost(code), GET).description).not.toMatch(/may have processed/);
		}
	});
});

describe('a rejection', () => {
	it.each<[cause: string | undefined, isTimed: boolean, rejections: string]>([
		[undefined, false, '102 200 304 400 409 413 418 422 999 404:SCRAPE_NO_CACHED_DATA'],
		[CONFIGURED, false, '404 407 410'],
		[PASSING, true, '408 503'],
		['credential-invalid', false, '401 403'],
		['quota-exhausted', true, '402'],
		['rate-limited', true, '429 408:CONCURRENCY_QUEUE_TIMEOUT'],
	])('%s (with a wait: %s) says what happened and what to do: %s', (cause, isTimed, cases) => {
		for (const [status, code] of cases.split(' ').map((one) => one.split(':'))) {
			const body = { error: 'x', ...(code && { code }) };
			const error = rejection(Number(status), body, { retryAfterMs: 5_000 });
			expect(error.message).not.toMatch(/[.:\s]$/);
			expect(error.description).toMatch(/^[A-Z][^{}]+\. The service asks you to wait 5 s\. /);
			expect(error.description).toContain(`${RESPONDED} ${status}`);
			const shown = { httpCode: status, level: 'warning', context: { itemIndex: 2 } };
			expect(error).toMatchObject(shown);
			const wait = isTimed && { retryAfterMs: 5_000 };
			expect(failureIn(error)).toStrictEqual(cause && { cause, ...wait });
			expect(failureIn(rejection(Number(status), body))).toStrictEqual(cause && { cause });
		}
	});

	it.each<[string, Rejected['body'], string, string]>([
		['its error', { error: 'Insufficient credits' }, '', ': “Insufficient credits”'],
		['its message', { message: 'Come later' }, '', ': “Come later”'],
		['its message and a code', { error: 'limit', message: 'Used up.' }, '', ': “Used up (limit)”'],
		['what both say only once', { error: 'x.', message: 'x' }, '', ': “x”'],
		['a text in one line, without its full stop', { error: ' a \n\n b. . ' }, '', ': “a b”'],
		['an error that is an object', { error: { a: 1 } }, '', ': “{"a":1}”'],
		['its code', { code: 'SCRAPE_TIMEOUT', error: 'x' }, '', ', code SCRAPE_TIMEOUT: “x”'],
		['what came if it is no JSON', undefined, '<p>Bad gateway', ': “<p>Bad gateway”'],
		['a long text only in part', { error: 'x'.repeat(301) }, '', `: “${'x'.repeat(300)}…”`],
		['nothing', {}, '', ''],
	])('quotes %s', (_name, body, excerpt, quote) => {
		const { description } = rejection(500, body, { excerpt });
		expect(description?.split(RESPONDED)[1]).toBe(` 500${quote}.`);
	});

	it('has what the service says in its message if the status says little, and not again below', () => {
		for (const status of [200, 400, 403, 409, 422]) {
			const said = rejection(status, { error: 'Bad query', code: 'BAD_REQUEST' });
			expect(said.message).toMatch(/[a-z]: Bad query$/);
			expect(said.description).toMatch(/ with status \d+, code BAD_REQUEST\.$/);
			expect(rejection(status, {}).message).not.toContain(':');
		}
		for (const status of [401, 418, 500]) {
			expect(rejection(status, { error: 'x' }).message).not.toMatch(/x$/);
		}
	});

	it('names each field of a 400 first, as the form does, ten at most', () => {
		const nameOf = ([name]: Array<string | number>) => (name === 'limit' ? 'Limit' : undefined);
		const said = (details: IDataObject[] | IDataObject | string) =>
			rejection(400, { details }, {}, { settings: { nameOf } }).description!.split(/ ?Correct/)[0];
		expect(said([{ path: ['limit'], message: 'too much.' }])).toBe('Limit: too much.');
		expect(said([{ path: ['a', 0, 'b'], message: 'bad' }])).toBe('a.0.b: bad.');
		expect(said([{ message: 'x'.repeat(301) }])).toBe(`${'x'.repeat(300)}….`);
		expect(said({ formats: 'bad' })).toBe('{"formats":"bad"}.');
		expect(said('all wrong')).toBe('all wrong.');
		const many = Array.from({ length: 12 }, (_, n) => ({ path: [`f${n}`], message: 'bad' }));
		expect(said(many)).toMatch(/f9: bad\.$/);
		const schema = { path: ['schema'], message: 'Invalid JSON schema.' };
		expect(said([schema])).toMatch(/^schema: Invalid JSON schema\. If it is one, remove \$schema/);
	});

	it('says where it redirects to', () => {
		const { description } = rejection(302, undefined, { location: '/v2/search' });
		expect(description).toMatch(/^Check Base URL in the credential/);
		expect(description).toContain(` It redirects to /v2/search. ${RESPONDED}`);
	});

	it('says how long it waited for a rate limit, and how long the service asks for', () => {
		const limited = (more: Partial<Rejected>, waitedMs = 1_200, jobId?: string) =>
			rejection(429, {}, more, { waitedMs, settings: { jobId } }).description;
		const unsent = { isUnsent: true, retryAfterMs: 19_000 } as const;
		expect(limited({}, 999)).not.toContain('Waited');
		expect(limited({}, 1_000)).toContain(` Waited 1 s. ${RESPONDED} 429.`);
		expect(limited({ retryAfterMs: 57_750 })).toContain(
			` Waited 2 s. The service asks you to wait 57 s more. ${RESPONDED}`,
		);
		expect(limited({ retryAfterMs: 750 })).toContain('asks you to wait 1 s more.');
		expect(limited(unsent, 0)).toMatch(/ It was not sent: .* would have had to wait 19 s\.$/);
		expect(limited(unsent, 11_000)).toMatch(/ Waited 11 s\. It was not sent: .* wait 19 s more\.$/);
		expect(limited({ isUnsent: true }, 0, 'a')).toMatch(/ This request about the job was not sent/);
		const isUnsent = (more: Partial<Rejected>, jobId?: string) =>
			serviceError({ kind: 'rejected', status: 429, excerpt: '', ...more }, { settings: { jobId } })
				.details.isUnsent === true;
		expect([isUnsent({}), isUnsent(unsent), isUnsent(unsent, 'a')]).toEqual([false, true, false]);
	});

	it.each<[string, Rejected['body'], boolean]>([
		['Cannot POST /v2/search', undefined, true],
		['\n  <!DOCTYPE html>', undefined, true],
		['404 page not found', undefined, true],
		['', { code: 'OTHER', detail: 'Not Found' }, true],
		['', { code: 'SCRAPE_NO_CACHED_DATA', error: 'x' }, false],
		['', { code: 'SCRAPE_SITE_ERROR', error: 'x' }, false],
	])('%j (%j) is of an endpoint that is missing, not of a job', (excerpt, body, isMissing) => {
		const isTold = (status: number, about: Partial<About> = {}) =>
			rejection(status, body, { excerpt }, about).message ===
			'This service does not have this endpoint: POST /v2/search';
		expect(isTold(404)).toBe(isMissing);
		expect(isTold(405, { settings: { jobId: 'a' } })).toBe(true);
		expect(isTold(404, { settings: { jobId: 'a' } })).toBe(excerpt.includes('<'));
		expect(isTold(501)).toBe(true);
		expect(rejection(501).description).not.toMatch(/may have processed/);
	});

	it('is blamed on what is in front of the service if it is a web page', () => {
		for (const status of [401, 403]) {
			const error = rejection(status, undefined, { excerpt: '<html>Log in' });
			expect(error.description).toContain(` It responded with status ${status}`);
			expect(failureIn(error)).toEqual({ cause: PASSING });
			for (const other of [rejection(status, {}, { excerpt: '<' }), rejection(status)]) {
				expect(other.description).toContain(` ${RESPONDED} ${status}`);
				expect(failureIn(other)).toEqual({ cause: 'credential-invalid' });
			}
		}
	});

	it.each<[key: string, status: number, path: string, error: string]>([
		['429 browsers', 429, '/v2/scrape/1/interact', 'You have 5 browser sessions open'],
		['429 queue', 429, '/v2/scrape', 'Queue limit reached: your team has 50000 jobs queued'],
		['4xx browser', 404, '/v2/scrape/1/interact', 'Browser session not found.'],
		['4xx browser', 409, '/v2/scrape/1/interact', 'Replay context is unavailable'],
		['4xx browser', 410, '/v2/scrape/1/interact', 'Gone'],
		['404', 404, '/v2/scrape/1/interact', 'Scrape not found.'],
		['409 profile', 409, '/v2/scrape/1/interact', 'Another session is writing to this profile'],
		['409', 409, '/v2/scrape', 'Replay context is unavailable'],
		...['Crawl is already completed', 'Agent already finished', 'The job has been cancelled'].map(
			(error): [string, number, string, string] => ['409 ended', 409, '/v2/crawl/1', error],
		),
		['410 extract', 410, '/v1/extract', 'Gone'],
		['5xx account', 500, '/v2/team/activity', 'x'],
		['400', 400, '/v2/scrape/1/interact', 'Queue limit reached: browser sessions has completed'],
	])('is told by its words: %s: %i for %s with “%s”', (key, status, path, error) => {
		const call = { method: 'POST', path } as const;
		const { message } = rejection(status, { error }, {}, { call });
		expect(message.split(':')[0]).toBe(rejections[key].message.split(':')[0]);
	});

	it('says when a document is still being read, and where to act', () => {
		const details = { state: 'processing_continues', documentPages: 900 };
		const body = { code: 'SCRAPE_TIMEOUT', error: 'Request timed out', details };
		const { message, description } = rejection(408, body, { retryAfterMs: 600_000 });
		expect(message).toBe(rejections['408 document'].message);
		expect(description).toMatch(/asks you to wait 600 s\. The service may have processed/);
		const terms = { code: 'THIRD_PARTY', requiresAction: { url: 'https://a.example/$&' } };
		expect(rejection(403, terms).description).toContain(' See https://a.example/$&. ');
		const login = { code: 'INDEX', login_url: 'https://a.example/login' };
		expect(rejection(403, login).description).toContain(' See https://a.example/login. ');
		expect(rejection(403, { requiresAction: { url: 7 } }).description).not.toContain(' See ');
	});

	it("keeps the service's own fields for the error output, only those, and what was paid for", () => {
		const kept = {
			code: 'C',
			details: [{ path: ['a'] }],
			warning: 'w',
			warnings: ['/v1/extract is deprecated'],
			requiresAction: { type: 'accept_terms', url: 'https://a.example' },
		};
		const serviceOf = (status: number, body?: object, more = {}) =>
			rejection(status, body && { success: false, error: 'x', ...body }, more).context.service;
		expect(serviceOf(429, { ...kept, more: 1 }, { retryAfterMs: 0 })).toStrictEqual({
			serviceError: 'x',
			...kept,
			retryAfterMs: 0,
		});
		expect(serviceOf(500)).toBeUndefined();
		const data = { markdown: 'Hello' };
		expect(serviceOf(200, { data })).toEqual({ serviceError: 'x', data });
		expect(serviceOf(200, { data: {} })).toEqual({ serviceError: 'x' });
		expect(serviceOf(300, { data })).toEqual({ serviceError: 'x' });
	});
});

it('an error knows what its POST cost, if that is known', () => {
	const creditsOf = (status: number, about = {}) =>
		serviceError({ kind: 'rejected', status, excerpt: '' }, about).details.credits;
	expect([creditsOf(402), creditsOf(500)]).toEqual([0, undefined]);
	expect([creditsOf(402, GET), creditsOf(500, GET)]).toEqual([undefined, undefined]);
});

describe('a response that cannot be read', () => {
	it.each(Object.entries(problems))('%s', (problem, { message, cause }) => {
		const outcome = {
			...{ kind: 'unreadable', status: 200, contentType: 'text/plain', excerpt: 'Hello' },
			problem,
		} as Failed;
		const error = errorFor(outcome);
		expect(error).toMatchObject({ message, httpCode: '200' });
		expect(error.description).toMatch(
			/ The service may have processed .* again\. Received \(status 200, text\/plain\): “Hello”\.$/,
		);
		expect(failureIn(error)).toEqual(cause && { cause });
		expect(error.context).not.toHaveProperty('service');
		expect(errorFor(outcome, GET).description).not.toMatch(/may have processed/);
		const nothing = errorFor({ ...outcome, contentType: '', excerpt: '' } as Failed);
		expect(nothing.description).toMatch(/ Received \(status 200, no content type\): nothing\.$/);
	});
});

describe('a page that fails', () => {
	it.each<[status: number, code: string, credits?: number, price?: string]>([
		[500, 'SCRAPE_ALL_ENGINES_FAILED', 0, 'is not billed'],
		[500, 'SCRAPE_PDF_OCR_REQUIRED', 0, 'is not billed'],
		[500, 'CRAWL_DENIAL', 0, 'is not billed'],
		[200, 'SCRAPE_DNS_RESOLUTION_ERROR', 1, 'bills at most 1 credit for'],
		[404, 'SCRAPE_LOCKDOWN_CACHE_MISS', 1, 'bills at most 1 credit for'],
		[403, 'SCRAPE_PROMPT_INJECTION_DETECTED', 5, 'bills at most 5 credits for'],
		[403, 'UNSUPPORTED_SITE', undefined, undefined],
	])('with %i %s is no service that fails, and says its price', (status, code, credits, price) => {
		const body = { code, error: 'no luck' };
		const error = rejection(status, body);
		expect(error.message).toBe(`${pageErrorOf(body)!.message}: no luck`);
		const description = error.description ?? '';
		expect(description).not.toMatch(/may have processed|report it/);
		expect(error).not.toHaveProperty('failure');
		expect(/is not billed|bills .* for/.exec(description)?.[0]).toBe(price);
		const outcome: Failed = { kind: 'rejected', status, body, excerpt: '' };
		const file = errorFor(outcome, { isFile: true });
		expect(file.message).toBe('The document could not be read: no luck');
		expect(serviceError(outcome).details.mostCredits).toBe(credits);
		const known = serviceError({ ...outcome, body: { ...body, creditsUsed: 3 } }).details;
		expect([known.credits, known.description]).toEqual([3, expect.stringMatching(/it with 3 cr/)]);
	});

	it.each([
		'We apologize, but we do not support this site.',
		'This website is no longer supported, please reach out to help@a.example',
		'This site is not supported',
		'URL is blocked intentionally',
	])('is told by its words if it has no code, and the key is not to blame: %s', (error) => {
		const { message } = pageErrorOf({ code: 'UNSUPPORTED_SITE' })!;
		const told = rejection(403, { error });
		expect(told.message).toContain(`${message}: `);
		expect(told.description).not.toMatch(/plan|API key/);
		expect(told).not.toHaveProperty('failure');
		expect(rejection(403, { error, code: 'OTHER' }).message).not.toContain(message);
		expect(rejection(500, { code: 'UNKNOWN_ERROR', error: 'x' }).description).toMatch(/may have/);
	});
});

describe('an error at the edge to n8n', () => {
	it('says that the execution was cancelled, at which item, and which job goes on', () => {
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

	it.each([
		[new ServiceError('x', { description: '' }), PASSING],
		[serviceError({ kind: 'rejected', status: 400, excerpt: '' }), CONFIGURED],
		[serviceError({ kind: 'rejected', status: 404, excerpt: '' }), CONFIGURED],
		[serviceError({ kind: 'rejected', status: 401, excerpt: '' }), 'credential-invalid'],
		[new NodeOperationError(node, 'Empty'), CONFIGURED],
		[new TypeError('odd'), PASSING],
	])('tells n8n why a poll failed: %s is %s', (error, cause) => {
		expect(failureOf(error)).toEqual({ cause });
	});
});

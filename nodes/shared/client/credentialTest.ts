import {
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type IDataObject,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type INode,
	type INodeCredentialTestResult,
	NodeOperationError,
} from 'n8n-workflow';

import { saidBy, serviceErrorOf } from './errors/describe';
import type { Outcome, Rejected } from './errors/outcome';
import { sentences } from '../base/text';
import { parsedUrl } from '../base/url';
import { type SendingContext, allowedDomainsOf, apiKeyOf, callerOf } from './account';
import type { Body } from './body';
import { exchange } from './http';
import type { ServiceCall } from './types';

/** The list of active crawls. It is free and needs the key, so it tells a wrong key from a wrong address. */
const LIST = { method: 'GET', path: '/v2/crawl/active' } as const;

/** What services without that list can do. Without a URL or query, a service rejects it, for nothing. */
const WORK: ServiceCall[] = ['/v2/scrape', '/v2/search'].map((path) => ({
	method: 'POST',
	path,
	body: {},
}));

const TIMEOUT_MS = 15_000;

const ADDRESS = 'Check the address; it ends before /v1 or /v2.';
const NO_SERVICE = `There is no Web Data Service at this Base URL. ${ADDRESS}`;

/** Messages that only the test shows, by HTTP status or connection error code. */
const OWN_WORDS: Record<string, string> = {
	401: 'The service does not accept this API key. Copy it again from your dashboard.',
	402: 'The service is there, but your account has no credits left. Add credits or upgrade the plan in your dashboard.',
	407: 'A proxy between n8n and the service asks for a user name and password. Enter them where the proxy is set.',
	429: 'The service is there, but the rate limit of your account was reached. Test again in a minute.',
	TIMEOUT:
		'Nothing answered at this Base URL within 15 seconds. Check its host and port, and that no firewall is in the way.',
};

/** Tests a credential for n8n and returns the message to show: what is wrong and what to do, without the key. */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const context = testContext(this, data as IDataObject);
		const caller = await callerOf(context);
		const http = { timeout: TIMEOUT_MS, allowedDomains: await allowedDomainsOf(context) };
		const ask: Ask = async (call) => await exchange({ ...caller, context }, call, { http });
		const listed = await ask(LIST);
		const problem = await problemOf(listed, ask, caller.account.root);
		const { redact } = caller.account;
		return problem === undefined
			? {
					status: 'OK',
					message: redact.text(sentences(['Connection successful.', lackOf(listed)])),
				}
			: { status: 'Error', message: redact.text(problem) };
	} catch (error) {
		const { message, description } = error as { message: string; description?: string };
		return { status: 'Error', message: sentences([`${message}.`, description]) };
	}
}

type Ask = (call: ServiceCall) => Promise<Outcome>;

/** Statuses of a path that doesn't exist. */
const MISSING = new Set([404, 405, 501]);

/** Statuses of JSON answers that say that the key is wrong. */
const KEY = new Set([401, 403]);

/** Statuses of JSON answers that come from a service or a proxy in front of it, but say nothing about the list. */
const LATER = new Set([402, 407, 429]);

/**
 * Returns what is wrong; undefined if a service works at the address: any JSON that isn't about the key means that one
 * is there. Some lack the list and respond with a web page; they are known by how they respond to work without content.
 */
async function problemOf(listed: Outcome, ask: Ask, root: string): Promise<string | undefined> {
	const { kind, status } = listed as Rejected;
	const isPage = kind === 'rejected' && !isJson(listed);
	const mayLack = isPage && (MISSING.has(status) || status === 500);
	if (!mayLack) return wordsOf(listed, root);
	for (const call of WORK) {
		const outcome = await ask(call);
		const isService = outcome.kind === 'response' || isJson(outcome);
		if (isService && !MISSING.has(outcome.status)) return wordsOf(outcome, root);
	}
	return status === 500 ? wordsOf(listed, root) : NO_SERVICE;
}

const isJson = (outcome: Outcome): outcome is Rejected =>
	outcome.kind === 'rejected' && outcome.body !== undefined && outcome.location === undefined;

/** Returns what a response says is wrong; undefined if it comes from a working service. */
function wordsOf(outcome: Outcome, root: string): string | undefined {
	if (outcome.kind === 'response' || (isJson(outcome) && !KEY.has(outcome.status)))
		return undefined;
	if (outcome.kind === 'rejected' && outcome.status >= 500) {
		return `The service, or a server in front of it, is failing (status ${outcome.status}). Test again in a few minutes. If it goes on, check that the service is running. ${ADDRESS}`;
	}
	const key = outcome.kind === 'noResponse' ? outcome.code : outcome.status;
	// A web page with this status comes from a server in between.
	const own = key === 401 && !isJson(outcome) ? undefined : OWN_WORDS[key];
	if (own !== undefined) return own;
	const error = serviceErrorOf(outcome, { ...LIST, root, waitedMs: 0, isTest: true });
	return sentences([`${error.message}.`, error.description]);
}

/** Returns what the service lacks; undefined if it has everything that was asked for. */
function lackOf(listed: Outcome): string | undefined {
	if (listed.kind === 'response' && Array.isArray(listed.body.crawls)) return undefined;
	const why = listed.kind === 'rejected' ? ` (status ${listed.status})` : '';
	const lack = `This service did not list the active crawls${why}: lists of running jobs and the crawl trigger may not work with it.`;
	if (!isJson(listed)) return lack;
	const said = saidBy(listed);
	const what = LATER.has(listed.status) ? OWN_WORDS[listed.status] : lack;
	return sentences([what, said && `It said: “${said}”.`]);
}

/** Whether a credential's domains allow requests to a URL. n8n's own function takes other arguments in each version. */
function isAllowed(url: string, domains: string): boolean {
	const host = parsedUrl(url)?.hostname ?? '';
	return domains
		.toLowerCase()
		.split(/[\s,]/)
		.some((one) => one === host || (one.startsWith('*.') && `.${host}`.endsWith(one.slice(1))));
}

/** Creates a sending context from the only request helper that credential tests get from n8n. */
function testContext({ helpers, logger }: ICredentialTestFunctions, data: IDataObject) {
	const node = { name: 'Credential', type: '', parameters: {} } as INode;
	const httpRequestWithAuthentication = async (_: string, options: IHttpRequestOptions) => {
		const { url, method, timeout, body: sent } = options;
		const { allowedDomains } = options as { allowedDomains?: string };
		// As n8n does before a node's request.
		if (allowedDomains !== undefined && !isAllowed(url, allowedDomains)) {
			throw new NodeOperationError(node, 'Domain not allowed');
		}
		const signal = options.abortSignal as AbortSignal;
		const request = helpers.request({
			uri: url,
			method,
			timeout,
			headers: {
				Authorization: `Bearer ${apiKeyOf(data.apiKey)}`,
				...(sent !== undefined && { 'Content-Type': 'application/json' }),
			},
			...(sent !== undefined && { body: JSON.stringify(sent) }),
			...(data.ignoreSslIssues === true && { rejectUnauthorized: false }),
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
		}) as Promise<IN8nHttpFullResponse>;
		const response = await beforeEnd(request, signal);
		// n8n has already read the body of an error.
		if (typeof response.body === 'string') return { ...response, body: streamOf(response.body) };
		const body = response.body as unknown as Body;
		signal.addEventListener('abort', () => body.destroy());
		return response;
	};
	return {
		logger,
		helpers: { httpRequestWithAuthentication } as unknown as SendingContext['helpers'],
		getNode: () => node,
		getCredentials: async <T extends object>() => data as T,
	};
}

/** Returns what a promise resolves to. Throws when the signal is aborted, of which n8n's helper knows nothing. */
async function beforeEnd<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	const ended = new Promise<never>((_, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason as Error));
	});
	return await Promise.race([promise, ended]);
}

function streamOf(text: string): Body {
	return {
		async *[Symbol.asyncIterator]() {
			yield Buffer.from(text);
		},
		destroy: () => undefined,
	};
}

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

/** What services without that list can do. Without a URL it is rejected, for nothing. */
const SCRAPE: ServiceCall = { method: 'POST', path: '/v2/scrape', body: {} };

const TIMEOUT_MS = 15_000;

const NO_SERVICE =
	'There is no Web Data Service at this Base URL. Check the address; it ends before /v1 or /v2.';

/** Tests a credential for n8n and returns the message to show: what is wrong and what to do, without the key. */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const context = testContext(this, data as IDataObject);
		const caller = await callerOf(context);
		const http = { timeout: TIMEOUT_MS, allowedDomains: await allowedDomainsOf(context) };
		const ask = async (call: ServiceCall) => await exchange({ ...caller, context }, call, { http });
		const listed = await ask(LIST);
		const isPage = isMissing(listed) && !isJson(listed);
		const outcome = isPage ? await ask(SCRAPE) : listed;
		const { root, redact } = caller.account;
		const problem = isPage && isMissing(outcome) ? NO_SERVICE : problemOf(outcome, root);
		const message = problem ?? sentences(['Connection successful.', lackOf(listed)]);
		return { status: problem === undefined ? 'OK' : 'Error', message: redact.text(message) };
	} catch (error) {
		const { message, description } = error as { message: string; description?: string };
		return { status: 'Error', message: sentences([`${message}.`, description]) };
	}
}

const isMissing = (outcome: Outcome) =>
	outcome.kind === 'rejected' && [404, 405, 501].includes(outcome.status);

const isJson = (outcome: Outcome): outcome is Rejected =>
	outcome.kind === 'rejected' && outcome.body !== undefined && outcome.location === undefined;

/**
 * Returns what is wrong; undefined if a service works at the address: any JSON that isn't about the key, or a proxy's
 * password, means that one is there.
 */
function problemOf(outcome: Outcome, root: string): string | undefined {
	if (outcome.kind === 'response') return undefined;
	if (isJson(outcome) && ![401, 403, 407].includes(outcome.status)) return undefined;
	const error = serviceErrorOf(outcome, { ...LIST, root, waitedMs: 0, isTest: true });
	return sentences([`${error.message}.`, error.description]);
}

/** Returns what the service lacks; undefined if it listed the crawls. */
function lackOf(listed: Outcome): string | undefined {
	if (listed.kind === 'response' && Array.isArray(listed.body.crawls)) return undefined;
	const said = listed.kind === 'rejected' && saidBy(listed);
	const why = listed.kind === 'rejected' ? ` (status ${listed.status})` : '';
	return sentences([
		`This service did not list the active crawls${why}: lists of running jobs and the crawl trigger may not work with it.`,
		said && `It said: “${said}”.`,
	]);
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
		const response = (await helpers.request({
			uri: url,
			method,
			timeout,
			headers: {
				Authorization: `Bearer ${apiKeyOf(data.apiKey)}`,
				...(sent && { 'Content-Type': 'application/json' }),
			},
			...(sent && { body: JSON.stringify(sent) }),
			...(data.ignoreSslIssues === true && { rejectUnauthorized: false }),
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
		})) as IN8nHttpFullResponse;
		const { body: given } = response as { body: unknown };
		// n8n has already read the body of an error.
		const isRead = typeof given === 'string';
		const read = isRead && Object.assign([Buffer.from(given)], { destroy: () => undefined });
		const body = (read || given) as Body;
		signal.addEventListener('abort', () => body.destroy());
		return { ...response, body };
	};
	return {
		logger,
		helpers: { httpRequestWithAuthentication } as unknown as SendingContext['helpers'],
		getNode: () => node,
		getCredentials: async <T extends object>() => data as T,
	};
}

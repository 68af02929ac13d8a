import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { serviceErrorOf } from './errors/describe';
import type { Outcome } from './errors/outcome';
import { sentences } from '../base/text';
import { type SendingContext, apiKeyOf, callerOf } from './account';
import type { Body } from './body';
import { exchange } from './http';

/** The list of active crawls. It is free and needs the key, so it tells a wrong key from a wrong address. */
const CALL = { method: 'GET', path: '/v2/crawl/active' } as const;

const TIMEOUT_MS = 15_000;

const NO_SERVICE =
	'There is no Web Data Service at this Base URL. Check the address; it ends before /v1 or /v2.';

/** Messages that only the test shows, by HTTP status or connection error code. */
const OWN_WORDS: Record<string, string> = {
	401: 'The service does not accept this API key. Copy it again from your dashboard.',
	402: 'The service is there, but your account has no credits left. Add credits or upgrade the plan in your dashboard.',
	404: NO_SERVICE,
	405: NO_SERVICE,
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
		const outcome = await exchange({ ...caller, context }, CALL, {
			http: { timeout: TIMEOUT_MS },
		});
		const problem = problemOf(outcome, caller.account.root);
		return problem === undefined
			? { status: 'OK', message: sentences(['Connection successful.', lackOf(outcome)]) }
			: { status: 'Error', message: caller.account.redact.text(problem) };
	} catch (error) {
		const { message, description } = error as { message: string; description?: string };
		return { status: 'Error', message: sentences([`${message}.`, description]) };
	}
}

/** Statuses of JSON answers that point to the account or a proxy, not to a missing list. */
const OTHER_CAUSE = new Set([401, 402, 403, 407, 429]);

/**
 * Returns what is wrong; undefined if there is a working service at the address: it answered in JSON, and the account
 * isn't the problem. Some services lack this list, or have a broken one, and work all the same.
 */
function problemOf(outcome: Outcome, root: string): string | undefined {
	if (outcome.kind === 'response') return undefined;
	const isAnswer = outcome.kind === 'rejected' && outcome.body && outcome.status >= 400;
	if (isAnswer && !OTHER_CAUSE.has(outcome.status)) return undefined;
	const isPage = outcome.kind === 'rejected' && outcome.body === undefined;
	const key = outcome.kind === 'noResponse' ? outcome.code : outcome.status;
	const own = isPage && key === 401 ? undefined : OWN_WORDS[key];
	if (own !== undefined) return own;
	const error = serviceErrorOf(outcome, { ...CALL, root, waitedMs: 0, isTest: true });
	return sentences([`${error.message}.`, error.description]);
}

/** Returns what the service lacks; undefined if it has everything that was asked for. */
function lackOf(outcome: Outcome): string | undefined {
	if (outcome.kind === 'response' && outcome.body.success !== undefined) return undefined;
	const why = outcome.kind === 'rejected' ? ` (status ${outcome.status})` : '';
	return `This service did not list the active crawls${why}: lists of running jobs and the crawl trigger may not work with it.`;
}

/** Creates a sending context from the only request helper that credential tests get from n8n. */
function testContext({ helpers, logger }: ICredentialTestFunctions, data: IDataObject) {
	const node = { name: 'Credential', type: '', parameters: {} } as INode;
	const httpRequestWithAuthentication = async (_: string, options: IHttpRequestOptions) => {
		const { url, method, timeout } = options;
		const response = (await helpers.request({
			uri: url,
			method,
			timeout,
			headers: { Authorization: `Bearer ${apiKeyOf(data.apiKey)}` },
			...(data.ignoreSslIssues === true && { rejectUnauthorized: false }),
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
		})) as IN8nHttpFullResponse;
		// n8n has already read the body of an error.
		const { body } = response;
		return typeof body === 'string' ? { ...response, body: streamOf(body) } : response;
	};
	return {
		logger,
		helpers: { httpRequestWithAuthentication } as unknown as SendingContext['helpers'],
		getNode: () => node,
		getCredentials: async <T extends object>() => data as T,
	};
}

function streamOf(text: string): Body {
	return {
		async *[Symbol.asyncIterator]() {
			yield Buffer.from(text);
		},
		destroy: () => undefined,
	};
}

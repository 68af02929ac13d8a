import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { isNothing } from '../base/json';
import { below } from '../form/checks';
import { checkedNumber } from '../form/scalars';
import { wholeNumberField } from '../form/controls';
import type { Place } from '../form/field';
import { allowedDomainsOf, callService, callerOf, type CallSettings } from '../client';
import { parsedUrl } from '../base/url';

export type RequestData = DeclarativeRestApiSettings.ResultOptions;

/**
 * A copy of n8n's own field, because n8n never checks the value, even one from an expression. Timers for longer times
 * would fire immediately.
 */
const timeoutField = wholeNumberField('timeout', 'Timeout', {
	maxValue: 2 ** 31 - 1,
	default: 0,
});

/**
 * Returns an item's Timeout in Request Options (ms); undefined if it is empty or 0, in which case n8n uses its default.
 * Throws NodeOperationError if it isn't a time.
 */
export function timeoutOf(context: IExecutePaginationFunctions, place: Place): number | undefined {
	const raw = context.getNodeParameter('requestOptions', {}) as IDataObject;
	const { timeout } = raw;
	if (isNothing(timeout) || Number(timeout) === 0) return undefined;
	const at = ['Settings', 'Request Options', 'Timeout'].reduce(below, place);
	return checkedNumber(timeoutField, timeout, at);
}

/** Returns Request Options without the timeout; newer versions of n8n add the credential's domain restrictions. */
export function httpOf({ options }: RequestData): CallSettings['http'] {
	const { proxy, skipSslCertificateValidation, allowedDomains } = options as NonNullable<
		CallSettings['http']
	>;
	return { proxy, skipSslCertificateValidation, allowedDomains };
}

/** Maximum time (ms) that a list waits for the rate limit: somebody is waiting for it, and can open it again. */
const LIST_WAIT_MS = 10_000;

/**
 * Asks the service for a list in the form (GET), using the node's Request Options. n8n provides these as entered, so
 * expressions in them are ignored. Throws callService's errors.
 */
export async function askForList(
	context: ILoadOptionsFunctions,
	path: string,
): Promise<IDataObject> {
	const entered = context.getCurrentNodeParameter('requestOptions') as IDataObject | undefined;
	const { allowUnauthorizedCerts, proxy, timeout } = entered ?? {};
	const http = {
		allowedDomains: await allowedDomainsOf(context),
		skipSslCertificateValidation: allowUnauthorizedCerts === true,
		proxy: proxyOf(proxy),
		timeout: Number(timeout) > 0 ? Number(timeout) : undefined,
	};
	const call = { method: 'GET' as const, path };
	return (await callService(await callerOf(context), call, { http, maxWaitMs: LIST_WAIT_MS })).body;
}

function proxyOf(entered: unknown): IHttpRequestOptions['proxy'] {
	const url = parsedUrl(String(entered ?? ''));
	if (url === undefined) return undefined;
	const { hostname: host, port, protocol, username, password } = url;
	return {
		host,
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		protocol: protocol.replace(':', ''),
		...(username && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}

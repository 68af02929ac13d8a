import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { isNothing } from '../base/json';
import { below, checkedNumber } from '../form/checks';
import { wholeNumberField } from '../form/controls';
import type { Place } from '../form/field';
import { allowedDomainsOf, callerOf } from '../client/account';
import { callService } from '../client/call';
import type { CallSettings } from '../client/types';
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
 * Returns an item's Request Options; newer versions of n8n add the credential's domain restrictions. A timeout that is
 * empty or 0 is left out, and n8n's default counts. Throws NodeOperationError if it isn't a time.
 */
export function httpOf(
	context: IExecutePaginationFunctions,
	{ options }: RequestData,
	place: Place,
): CallSettings['http'] {
	const { proxy, skipSslCertificateValidation, allowedDomains } = options as NonNullable<
		CallSettings['http']
	>;
	const { timeout } = context.getNodeParameter('requestOptions', {}) as IDataObject;
	const http = { proxy, skipSslCertificateValidation, allowedDomains };
	if (isNothing(timeout) || Number(timeout) === 0) return http;
	const at = ['Settings', 'Request Options', 'Timeout'].reduce(below, place);
	return { ...http, timeout: checkedNumber(timeoutField, timeout, at) };
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
	query?: IDataObject,
): Promise<IDataObject> {
	const entered = context.getCurrentNodeParameter('requestOptions') as IDataObject | undefined;
	const { allowUnauthorizedCerts, proxy, timeout } = entered ?? {};
	const http = {
		allowedDomains: await allowedDomainsOf(context),
		skipSslCertificateValidation: allowUnauthorizedCerts === true,
		proxy: proxyOf(proxy),
		timeout: Number(timeout) > 0 ? Number(timeout) : undefined,
	};
	const call = { method: 'GET' as const, path, query };
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

import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { below, checkedNumber, isEmpty } from '../form/checks';
import type { Field, Place } from '../form/field';
import type { CallSettings } from '../transport';

export type RequestData = DeclarativeRestApiSettings.ResultOptions;
/** What n8n's Request Options and the credential's domain limits (newer n8n) become. */
type RequestOptions = IHttpRequestOptions & { allowedDomains?: string };

/** n8n's own field, whose value n8n takes as it is, also from an expression. Longer timers would fire at once. */
const timeoutField: Field<number> = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 2 ** 31 - 1, numberPrecision: 0 },
	default: 0,
};

/**
 * The Timeout of an item's Request Options in ms; undefined where it is empty or 0, which n8n takes for its default. Throws
 * NodeOperationError for what is no time.
 */
export function timeoutOf(context: IExecutePaginationFunctions, place: Place): number | undefined {
	const raw = context.getNodeParameter('requestOptions', {}) as IDataObject;
	const { timeout } = raw;
	if (isEmpty(timeout) || Number(timeout) === 0) return undefined;
	const at = ['Settings', 'Request Options', 'Timeout'].reduce(below, place);
	return checkedNumber(timeoutField, timeout, at);
}

/** What n8n made of Request Options, with the timeout as it was checked. */
export function httpOf(
	{ options }: RequestData,
	timeout: number | undefined,
): CallSettings['http'] {
	const { proxy, skipSslCertificateValidation, allowedDomains } =
		options as Partial<RequestOptions>;
	return { proxy, timeout, skipSslCertificateValidation, allowedDomains };
}

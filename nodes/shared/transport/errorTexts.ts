import type { ResponseProblem } from './outcome';

/** Why an operation failed, as n8n's pollers read it from `error.failure` (n8n 2.37 and later). */
export interface Failure {
	cause:
		| 'rate-limited'
		| 'quota-exhausted'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
	retryAfterMs?: number;
}

/** What happened, in a sentence without a full stop, and what to do. */
export interface ErrorText {
	message: string;
	remedy: string;
	cause?: Failure['cause'];
}

const WAIT_AND_TRY = 'Wait a moment and run the node again.';
const CHECK_BASE_URL = 'Check Base URL in the credential; it ends before /v1 or /v2.';

/** Errors the service answers with, by status and, where it matters, `code` (Errors). */
export const rejections: Record<string, ErrorText> = {
	'200': {
		message: 'The service answered that the request failed',
		remedy: 'Read what the service says below and change the request accordingly.',
	},
	'400': {
		message: 'The service did not accept the request',
		remedy: 'Correct what is named here in the node, then run it again.',
	},
	'401': {
		message: 'The service does not accept the API key',
		remedy: 'Copy the API key again from your dashboard into the credential, then test it.',
		cause: 'credential-invalid',
	},
	'402': {
		message: 'The account has not enough credits for this request',
		remedy: 'Top up or upgrade the plan in the dashboard, or make the request smaller.',
		cause: 'quota-exhausted',
	},
	'403': {
		message: 'The service does not allow this request with this API key',
		remedy: 'Check in the dashboard what your plan and this API key may do.',
		cause: 'credential-invalid',
	},
	'404': {
		message: 'The service did not find what was asked for',
		remedy: `Check the id: it may be mistyped, expired, or of another team. If all requests end like this: ${CHECK_BASE_URL}`,
	},
	'404 SCRAPE_NO_CACHED_DATA': {
		message: 'There is no cached copy of the page that is old enough for Min Age',
		remedy: 'Remove Min Age (Ms) to scrape the page afresh, or lower it; 1 takes any cached copy.',
	},
	'408': {
		message: 'The service ran out of time for this request',
		remedy: 'Raise Timeout (Ms) in the node, or ask for less: a lower Limit or fewer formats.',
		cause: 'temporarily-unavailable',
	},
	'429': {
		message: 'The rate limit of the account was reached and waiting did not help',
		remedy:
			'Raise Max Wait, lower Max Concurrent Requests, or run fewer items at a time; a larger plan allows more requests.',
		cause: 'rate-limited',
	},
	'3xx': {
		message: 'The service redirects to another address, which is not followed to protect the key',
		remedy: CHECK_BASE_URL,
		cause: 'configuration-invalid',
	},
	'4xx': {
		message: 'The service did not accept the request',
		remedy: `Read what the service says below. If it says nothing useful: ${CHECK_BASE_URL}`,
	},
	'5xx': {
		message: 'The service had an error of its own',
		remedy: `${WAIT_AND_TRY} If it stays, report it to the service with the code below.`,
		cause: 'temporarily-unavailable',
	},
};

/** Answers of status 2xx that aren't the JSON object the document promises. */
export const problems: Record<ResponseProblem, ErrorText> = {
	empty: {
		message: 'The service answered with nothing',
		remedy: `${WAIT_AND_TRY} If it stays: ${CHECK_BASE_URL}`,
	},
	html: {
		message: 'The service answered with a web page instead of data',
		remedy: `Most often the address is that of a website or a login page. ${CHECK_BASE_URL}`,
	},
	notJson: {
		message: 'The service answered with something that is not JSON, or only a part of it',
		remedy: `${WAIT_AND_TRY} If it stays: ${CHECK_BASE_URL}`,
	},
	notAnObject: {
		message: 'The service answered with JSON that is not an object',
		remedy: CHECK_BASE_URL,
	},
	cut: {
		message: 'The answer of the service broke off before its end',
		remedy: `${WAIT_AND_TRY} If it stays, ask for less at a time or check proxies on the way.`,
		cause: 'temporarily-unavailable',
	},
	tooLarge: {
		message: 'The answer of the service is too large to be taken',
		remedy: 'Ask for less at a time: a lower Limit or fewer formats.',
	},
};

/** Connections that failed, by Node's and OpenSSL's codes; `*` for all others. {host} is the base URL's. */
export const connections: Array<[RegExp, ErrorText]> = [
	[
		/^ECONNREFUSED$/,
		{
			message: 'Nothing answers at {host}: the connection was refused',
			remedy: 'Check host and port of Base URL in the credential, and that the service runs.',
			cause: 'temporarily-unavailable',
		},
	],
	[
		/^(ENOTFOUND|EAI_AGAIN)$/,
		{
			message: 'The host name of {host} could not be looked up',
			remedy:
				'Check the spelling of Base URL in the credential, and that n8n may reach the network and its DNS.',
			cause: 'temporarily-unavailable',
		},
	],
	[
		/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
		{
			message: 'The TLS certificate of {host} is not signed by an authority that n8n trusts',
			remedy:
				'For a service of your own, turn on Request Options → Ignore SSL Issues, or give n8n its certificate (NODE_EXTRA_CA_CERTS).',
			cause: 'configuration-invalid',
		},
	],
	[
		/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
		{
			message: 'The TLS certificate of {host} has expired or is not valid yet',
			remedy: 'Have the certificate renewed, and check the clock of the machine n8n runs on.',
			cause: 'temporarily-unavailable',
		},
	],
	[
		/^ERR_TLS_CERT_ALTNAME_INVALID$/,
		{
			message: 'The TLS certificate of {host} is for another host',
			remedy: 'Use the host name the certificate was made for as Base URL in the credential.',
			cause: 'configuration-invalid',
		},
	],
	[
		/^(EPROTO|ERR_SSL_\w+|CERT_\w+|ERR_TLS_\w+)$/,
		{
			message: 'No secure connection to {host} came about',
			remedy:
				'Check that Base URL in the credential has the right scheme (http:// or https://) and port.',
			cause: 'configuration-invalid',
		},
	],
	[
		/^HPE_HEADER_OVERFLOW$/,
		{
			message: 'The response of {host} has more headers than n8n takes',
			remedy: 'Report it to the service, or check proxies on the way, which may add headers.',
		},
	],
	[
		/^HPE_\w+$/,
		{
			message: '{host} did not respond in HTTP',
			remedy:
				'Check that Base URL in the credential has the right scheme (http:// or https://) and port.',
			cause: 'configuration-invalid',
		},
	],
	[
		/^(TIMEOUT|ETIMEDOUT|ECONNABORTED)$/,
		{
			message: '{host} did not answer in time',
			remedy:
				'Raise Request Options → Timeout if requests like this take long; else check that the service is up and no firewall is in the way.',
			cause: 'temporarily-unavailable',
		},
	],
	[
		/^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
		{
			message: '{host} closed the connection before it answered',
			remedy: `${WAIT_AND_TRY} If it stays, check proxies and firewalls on the way.`,
			cause: 'temporarily-unavailable',
		},
	],
	[
		/^(EHOSTUNREACH|ENETUNREACH)$/,
		{
			message: '{host} cannot be reached from the network n8n is in',
			remedy: 'Check Base URL in the credential, the network, and proxies.',
			cause: 'temporarily-unavailable',
		},
	],
	[
		/./,
		{
			message: 'The connection to {host} failed',
			remedy: 'Check Base URL in the credential, the network, and proxies.',
			cause: 'temporarily-unavailable',
		},
	],
	[
		/^$/,
		{
			message: 'The request could not be sent to {host}',
			remedy: 'See the reason below, and check Base URL and Request Options.',
			cause: 'configuration-invalid',
		},
	],
];

import { ALLOW_ADDRESS, type ErrorText, outOfTime } from './texts';

/** Kinds of failed calls, which decide on retries. A 429 waits in the account's limiter instead. */
export type FailureKind =
	'overloaded' | 'queued' | 'serverError' | 'neverSent' | 'broken' | 'timeout';

export interface FailedConnection extends ErrorText {
	/** Codes of Node and OpenSSL or their beginnings, and our own; '' for a request that n8n didn't send. */
	codes: string[];
	/** Unset if retrying can't help. */
	kind?: FailureKind;
	/** Whether it failed before anything could be sent, so that nothing was billed. */
	isUnsent?: true;
}

/** Our codes for errors from n8n and its proxy agent that carry only a message. Users see the message, not the code. */
export const OWN_CODES = {
	domain: 'DOMAIN_NOT_ALLOWED',
	address: 'ADDRESS_NOT_ALLOWED',
	proxyClosed: 'PROXY_CLOSED',
	outOfTime: 'OUT_OF_TIME',
};

const PASSING = { cause: 'temporarily-unavailable' } as const;
const NEVER_SENT = { kind: 'neverSent', isUnsent: true, ...PASSING } as const;
const MISCONFIGURED = { isUnsent: true, cause: 'configuration-invalid' } as const;

const SCHEME = 'Base URL in the credential has the right scheme (http:// or https://) and port.';

/**
 * All ways in which a connection fails; the first one with a code applies, and the last one to all others. {host}
 * stands for the host of the base URL.
 */
export const connections: FailedConnection[] = [
	{
		codes: ['DOMAIN_NOT_ALLOWED'],
		message: 'The credential does not allow requests to {host}',
		remedy: 'Add this domain to Allowed HTTP Request Domains in the credential, or allow all.',
		...MISCONFIGURED,
	},
	{
		codes: ['ADDRESS_NOT_ALLOWED'],
		message: 'n8n is set up not to send requests to {host}',
		remedy: `If this is the right address, ${ALLOW_ADDRESS}.`,
		...MISCONFIGURED,
	},
	{
		codes: ['PROXY_CLOSED'],
		message: 'The proxy between n8n and {host} closed the connection before the request was sent',
		remedy: 'check that proxy, which may be set for n8n itself (HTTP_PROXY, HTTPS_PROXY).',
		...NEVER_SENT,
	},
	{
		codes: ['OUT_OF_TIME'],
		message: "The service did not respond before the workflow's timeout",
		remedy: outOfTime.remedy,
	},
	{
		codes: ['ECONNREFUSED'],
		message: 'Nothing is listening at {host}: the connection was refused',
		remedy:
			'check the host and port of Base URL in the credential, and that the service is running.',
		...NEVER_SENT,
	},
	{
		codes: ['ENOTFOUND', 'EAI_AGAIN'],
		message: '{host} could not be found',
		remedy:
			'check the spelling of Base URL in the credential, and that n8n can reach the network and its DNS.',
		...NEVER_SENT,
	},
	{
		codes: [
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'SELF_SIGNED_CERT',
			'UNABLE_TO_',
			'CERT_',
			'EPROTO',
			'ERR_TLS_',
			'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
		],
		message: 'Could not establish a secure connection to {host}',
		remedy: `See the reason below. If the certificate of a service of your own is not trusted, turn on Ignore SSL Issues (Insecure) in the credential, or give n8n the certificate (NODE_EXTRA_CA_CERTS). Otherwise, check that ${SCHEME}`,
		...MISCONFIGURED,
	},
	{
		codes: ['TIMEOUT', 'ETIMEDOUT', 'ECONNABORTED'],
		kind: 'timeout',
		message: '{host} did not respond in time',
		remedy:
			'check that the service is up and that no firewall is in the way, or raise Settings → Request Options → Timeout where the node has it.',
		...PASSING,
	},
	{
		codes: ['', 'ERR_INVALID_CHAR', 'ERR_INVALID_ARG_VALUE'],
		message: 'The request could not be sent to {host}',
		remedy:
			'See the reason below, and check Base URL in the credential and Settings → Request Options.',
		...MISCONFIGURED,
	},
	{
		codes: [],
		kind: 'broken',
		message: 'The connection to {host} broke before it responded',
		remedy: `check proxies and firewalls in between, and that ${SCHEME}`,
		...PASSING,
	},
];

export function connectionOf(code: string): FailedConnection {
	const isOf = (known: string) => (known === '' ? code === '' : code.startsWith(known));
	return connections.find(({ codes }) => codes.some(isOf)) ?? connections.at(-1)!;
}

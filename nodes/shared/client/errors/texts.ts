import { MAX_DEPTH } from '../../base/limits';

/** Why an operation failed, for n8n's poller, which reads it from `error.failure` (n8n 2.37 and later). */
export interface Failure {
	cause:
		| 'rate-limited'
		| 'quota-exhausted'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
	retryAfterMs?: number;
}

/** What happened, as a sentence without a full stop, and what to do. */
export interface ErrorText {
	message: string;
	/**
	 * Full sentences. For a failure that may pass, the text begins in lower case, to complete "If this keeps happening,
	 * …". Field labels are in braces: sentences that name a field the form lacks are left out (advice.ts).
	 */
	remedy: string;
	cause?: Failure['cause'];
}

/** Whether the same call may succeed later. */
export function mayPass(cause: Failure['cause'] | undefined): boolean {
	return cause === 'temporarily-unavailable' || cause === 'rate-limited';
}

/** Why a 2xx response is unusable. */
export type ResponseProblem =
	'empty' | 'html' | 'notJson' | 'notAnObject' | 'cut' | 'tooLarge' | 'tooDeep';

/** An error's message, remedy and cause. */
type Row = [message: string, remedy: string, cause?: Failure['cause']];

function textsOf<Key extends string>(rows: Record<Key, Row>): Record<Key, ErrorText> {
	const texts = Object.entries<Row>(rows).map(([key, [message, remedy, cause]]) => [
		key,
		{ message, remedy, cause },
	]);
	return Object.fromEntries(texts) as Record<Key, ErrorText>;
}

const CORRECT: Row = ['The service rejected the request', 'Correct this in the node.'];

const BASE_URL = 'Base URL in the credential: it ends before /v1 or /v2.';

/** Texts for rejected requests, by status and `code` ([x-errors-of-every-operation](../../../api/openapi.yaml)). */
export const rejections = textsOf<string>({
	'200': [
		'The service reported that the request failed',
		'Change the request to match what the service says.',
	],
	'400': CORRECT,
	'401': [
		'The service rejected the API key',
		'Copy the API key again from your dashboard into the credential, then test it.',
		'credential-invalid',
	],
	'402': [
		'Not enough credits for this request',
		'Add credits or upgrade the plan in the dashboard.',
		'quota-exhausted',
	],
	'403': [
		'The service does not allow this request',
		'Check in the dashboard what your plan and this API key are allowed to do. A job belongs to the team that started it.',
		'credential-invalid',
	],
	'404': [
		'The service does not know this ID',
		'Check it: it may be mistyped or belong to another team. Or what it named is gone: the service keeps most jobs and scrapes for 24 hours, and the results of extractions for 6. Many self-hosted services keep no single scrapes at all.',
	],
	'4xx browser': [
		'No browser is open for this scrape',
		'It was stopped already, or closed by itself: after 5 idle minutes, or 10 in total. What it should have saved to a profile may be lost. Scrape the page again, and use the new {Scrape ID} soon.',
	],
	'404 SCRAPE_NO_CACHED_DATA': [
		'No cached copy of the page is old enough for Min Age',
		'Remove {Min Age (Hours)} to scrape the page again, or lower it: 0 accepts any cached copy.',
	],
	'404 thread_not_found': [
		'The service does not know this thread',
		'Check {Thread ID} in Options, or remove it to begin a new thread. It may be mistyped or belong to another team.',
	],
	'407': [
		'The proxy between n8n and the service asks for a user name and password',
		'Enter them where the proxy is set, as in http://user:password@host:port: in Settings → Request Options → Proxy, or in the settings of n8n itself.',
		'configuration-invalid',
	],
	'408': [
		'The request timed out at the service',
		'request less at a time. {Timeout (Seconds)} can be raised.',
		'temporarily-unavailable',
	],
	'408 document': [
		'The document was not read in time',
		'Run the node again in a few minutes: the service goes on reading the document.',
		'temporarily-unavailable',
	],
	'408 CONCURRENCY_QUEUE_TIMEOUT': [
		'All concurrent browsers of the account are busy, and waiting did not help',
		'scrape the pages as a batch, which waits for free browsers. Or lower {Max Concurrent Requests}. A larger plan has more browsers.',
		'rate-limited',
	],
	'409': [
		'The request conflicts with something at the service',
		'Run the node again once that is over.',
	],
	'409 ended': [
		'The job has already ended',
		'There is nothing left to cancel. Get its results with its ID, which costs nothing.',
	],
	'409 profile': [
		'The browser profile is busy',
		'Only one scrape at a time may save to it: end the other one with Stop Interaction, or wait 10 minutes. If you only use the login, turn off Browser Profile → Save Changes where the page is scraped.',
	],
	'410': [
		'The service no longer offers this',
		'What was asked for has expired, or the endpoint was switched off: look in the documentation of the service.',
		'configuration-invalid',
	],
	'410 extract': [
		'The service no longer offers Extract',
		'For known pages, use “Scrape Page” or “Scrape Many Pages and Wait” of the node Web Data Scrape with the format “Fields (JSON)”. For all pages of a site (/*), use Web Data Crawl with that format. Without addresses, or to search the web, use Web Data Agent. The prompt and the schema stay as they are.',
		'configuration-invalid',
	],
	'413': [
		'The request is too large for the service, or for a proxy in front of it',
		'Send less at once: fewer addresses, or a smaller file or schema.',
	],
	'422': CORRECT,
	'429': [
		'The rate limit of the account was reached',
		'run fewer items at a time, or run or poll less often. Or raise Options → {Rate Limit Wait (Seconds)}. A larger plan allows more requests.',
		'rate-limited',
	],
	'429 browsers': [
		'Too many browsers of the account are open',
		'End those that you no longer need with Stop Interaction, or wait 10 minutes. On a larger plan, more may be open.',
		'rate-limited',
	],
	'429 queue': [
		'Too many jobs of the account are waiting at the service',
		'Wait until crawls and batches have ended, cancel some, or send fewer addresses. On a larger plan, more jobs may wait.',
		'rate-limited',
	],
	'3xx': [
		'The service redirects to another address. The node does not follow it, to protect the API key',
		`Check ${BASE_URL}`,
		'configuration-invalid',
	],
	'4xx': [
		'The service rejected the request',
		`See the service's message below. If that does not help, check ${BASE_URL}`,
	],
	'5xx': [
		'The service failed while processing the request',
		'report it to the service with its message below. If it is your own, check that it is running.',
		'temporarily-unavailable',
	],
	'5xx account': [
		'The service could not read your account data',
		'A self-hosted service without a database keeps no credits, usage or activity. Otherwise, run the node again later.',
		'temporarily-unavailable',
	],
});

/** Text for calls that were not sent because the workflow is about to time out. */
export const outOfTime: ErrorText = {
	message: "Too little time is left before the workflow's timeout",
	remedy:
		'Raise “Timeout After” in the settings of the workflow, or run it with fewer items at a time.',
};

/** Text for an endpoint that the service lacks; the call is added to the message. */
export const missingEndpoint: ErrorText = {
	message: 'This service does not have this endpoint',
	remedy: `It may be an older version, or installed without this part. If every operation fails like this, check ${BASE_URL}`,
	cause: 'configuration-invalid',
};

/** Text for a 401 or 403 that came as a web page; the service itself would respond in JSON. */
export const rejectedOnTheWay: ErrorText = {
	message:
		'Something between n8n and the service (a proxy, firewall or gateway) rejected the request',
	remedy: `find out from the response below which one, and let requests from n8n through. If nothing is in between, check ${BASE_URL}`,
	cause: 'temporarily-unavailable',
};

/** Advice for an address blocked by n8n's protection of its own network. */
export const ALLOW_ADDRESS =
	'ask the administrator of n8n to allow it (N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES)';

/** Texts for 2xx responses that break [the contract](../../../api/openapi.yaml). */
export const problems = textsOf<ResponseProblem>({
	empty: ['The service sent an empty response', `check ${BASE_URL}`, 'temporarily-unavailable'],
	html: [
		'The service sent a web page instead of data',
		`Usually this is the address of a website or a login page. Check ${BASE_URL}`,
	],
	notJson: [
		'The service sent something that is not JSON, or only part of it',
		`check ${BASE_URL}`,
		'temporarily-unavailable',
	],
	notAnObject: ['The service sent JSON that is not an object', `Check ${BASE_URL}`],
	cut: [
		'The response of the service broke off partway',
		'request less at a time, or check the proxies in between.',
		'temporarily-unavailable',
	],
	tooLarge: [
		'The response of the service is too large',
		'Request less at a time, e.g. fewer results or formats.',
	],
	tooDeep: [
		'The response of the service is nested too deeply',
		`n8n works with at most ${MAX_DEPTH} levels of lists and objects. Ask for other formats, or for a simpler schema.`,
	],
});

import type { FailureKind } from '../../nodes/shared/client/errors/connections';
import { retryPolicy } from '../../nodes/shared/client/retry';
import type { Table } from './markdown';

/** Readable names of the kinds of failures, in the order of the docs. */
const NAMES: Record<FailureKind, string> = {
	neverSent: 'Connection refused, host name not found, proxy that hangs up before sending',
	queued: '408 `CONCURRENCY_QUEUE_TIMEOUT`',
	overloaded: '503',
	serverError: 'Other 408, other 5xx except 501',
	broken: 'Connection broken, host unreachable, response cut off or not JSON',
	timeout: 'No response in time',
};

const WITHIN_WAIT = 'within Rate Limit Wait';

/** Returns the table of what is sent again, and how often: its header and its rows. */
export function retryTable(): Table {
	const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
	const rows = Object.entries(NAMES).map(([kind, name]) => {
		const { methods, retries } = retryPolicy[kind as FailureKind];
		const limit = kind === 'queued' ? `, ${WITHIN_WAIT}` : '';
		const cell = (method: 'POST' | 'GET') =>
			methods.includes(method) ? `${times(retries)}${limit}` : '–';
		return [name, cell('POST'), cell('GET')];
	});
	return [
		['What went wrong', 'POST', 'GET, DELETE'],
		[['429', WITHIN_WAIT, WITHIN_WAIT], ...rows],
	];
}

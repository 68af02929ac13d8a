import { pathTo } from '../base/url';
import { type Account, type ServiceCall, type ServiceResponse } from '../client';
import { ServiceError, type StartedJob, Stopped } from '../client/errors/serviceError';

/** A kind of job. */
export interface Job {
	/** Its name in error texts, e.g. `agent task`. */
	what: string;
	/**
	 * What stands before the ID in the path of its status, e.g. `/v2/agent/`. Where the service lacks the first, the others
	 * are asked.
	 */
	paths: [string, ...string[]];
	/** Name of the operation that gets its result later. */
	getBy: string;
	/** The operation that lists running jobs of its kind, in quotes, if there is one. */
	alsoListedIn?: string;
	/** Whether the service may respond with the result instead of an ID. */
	mayEndAtOnce?: true;
	/** Display name of the field that limits what it may spend. */
	budgetLabel?: string;
}

/** Returns the started job with this ID. */
export function jobOfId({ getBy }: Pick<Job, 'getBy'>, id: string): StartedJob {
	return { id, getBy };
}

/** A status of a job, and the call that got it. */
export interface JobStatus extends ServiceResponse {
	call: ServiceCall;
}

/**
 * Asks for a job's status by `send`. Where the service lacks that version of the endpoint, or doesn't know the job there,
 * the other one is asked; what it lacks is remembered for the account. Throws what `send` throws for the first.
 */
export async function statusOf(
	{ lacks }: Account,
	{ paths }: Job,
	id: string,
	send: (call: ServiceCall) => Promise<ServiceResponse>,
): Promise<JobStatus> {
	const known = paths.filter((path) => !lacks.has(path));
	const lacking: string[] = [];
	let failure: Error | undefined;
	for (const path of known.length > 0 ? known : paths) {
		const call: ServiceCall = { method: 'GET', path: pathTo(path, id) };
		const answer = await send(call).catch((error: unknown) => error as Error);
		if (!(answer instanceof Error)) {
			for (const other of lacking) lacks.add(other);
			return { ...answer, call };
		}
		failure = answer instanceof Stopped ? answer : (failure ?? answer);
		if (!isUnknown(answer) && !isMissing(answer)) break;
		if (isMissing(answer)) lacking.push(path);
	}
	throw failure;
}

/** Whether the service itself says that it doesn't know a job. */
export function isUnknown(error: unknown): boolean {
	const isRejected = error instanceof ServiceError && error.status === 404;
	return isRejected && error.details.service?.serviceError !== undefined;
}

/** Whether an error is that of a service without the endpoint: its router, or a web page, responds in its place. */
function isMissing(error: unknown): boolean {
	if (!(error instanceof ServiceError) || isUnknown(error)) return false;
	const { outcome } = error.details;
	const isPage = outcome?.kind === 'unreadable' && outcome.problem === 'html';
	return isPage || [404, 405, 501].includes(error.status ?? 0);
}

import type { IDataObject } from 'n8n-workflow';

import { type Failure, mayPass } from './failure';
import type { Failed } from './outcome';

/** A job that was started at the service. */
export interface StartedJob {
	id: string;
	/** Name of the operation that gets its result, at no cost. */
	getBy: string;
}

export interface ServiceErrorDetails {
	/** Says what to do and what the service said, in sentences. */
	description: string;
	/** Holds the outcome of the exchange; unset if a good response was useless, or nothing was asked. */
	outcome?: Failed;
	jobId?: string;
	/** Name of the operation that gets the job's result. */
	getBy?: string;
	/** Whether the job goes on at the service. */
	isRunning?: boolean;
	/** Whether the call may have been billed, though it has no answer. */
	mayBeBilled?: boolean;
	/** Whether too little time was left before the workflow's timeout. */
	isOutOfTime?: boolean;
	/** Holds data that the service sent all the same, and may have billed. */
	data?: IDataObject | IDataObject[];
	/** Adds to the error output the service's own words, codes and details. */
	service?: IDataObject;
	failure?: Failure;
	isUnsent?: boolean;
	/** Counts the credits it is known to have cost; undefined if it may have cost its price. */
	credits?: number;
}

/**
 * Reports a request that failed, or gave nothing usable. It carries the typed outcome from the wire to n8n's edge, where
 * `nodeErrorOf` turns it into n8n's error, with the node and the item.
 */
export class ServiceError extends Error {
	constructor(
		message: string,
		readonly details: ServiceErrorDetails,
	) {
		super(message);
	}

	/** Gives the HTTP status of the response; undefined if there was none. */
	get status(): number | undefined {
		const { outcome } = this.details;
		return outcome === undefined || outcome.kind === 'noResponse' ? undefined : outcome.status;
	}

	/** Tells whether the failure may be over when the call is sent again later. */
	get isTemporary(): boolean {
		return mayPass(this.details.failure?.cause);
	}
}

/** Ends the work of an item: the execution was cancelled, or another item has failed and the workflow stops. */
export class Stopped extends Error {
	constructor(
		/** The job that goes on at the service. */
		readonly job?: StartedJob,
		/** Whether a call was sent that may have been billed. */
		readonly isUnsure = false,
	) {
		super('stopped');
	}
}

type KnownOfJob = Pick<ServiceErrorDetails, 'credits' | 'isRunning'>;

/** Returns an error that names the job whose work it ended, so that its result isn't lost: it may be paid for. */
export function withJob(error: unknown, job: StartedJob, known: KnownOfJob = {}): Error {
	if (error instanceof Stopped) return new Stopped(job);
	const { message, details = { description: '' } } = error as Partial<ServiceError>;
	const { jobId, description } = details;
	return new ServiceError(message ?? String(error), {
		...details,
		jobId: job.id,
		getBy: job.getBy,
		credits: known.credits ?? details.credits,
		isRunning: known.isRunning ?? details.isRunning,
		description: jobId === undefined ? `${description} Job: ${job.id}.`.trim() : description,
	});
}

/** Does what follows the start of a job. Whatever it throws names the job, and says what is known of it. */
export async function naming<Result>(
	job: StartedJob,
	work: () => Promise<Result>,
	known?: KnownOfJob,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw withJob(error, job, known);
	}
}

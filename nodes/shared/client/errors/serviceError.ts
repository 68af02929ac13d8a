import type { IDataObject } from 'n8n-workflow';

import { sizeOf } from '../../base/json';
import { sentences } from '../../base/text';
import { mostCredits } from '../response';
import { type Failure, mayPass } from './texts';
import type { Failed } from './outcome';

export interface StartedJob {
	id: string;
	/** Name of the operation that gets its result for free. */
	getBy: string;
}

export interface ServiceErrorDetails {
	/** What to do and what the service said, in sentences. */
	description: string;
	/** Why there was no response, as a sentence. */
	reason?: string;
	lacksJob?: boolean;
	/** The outcome of the exchange; unset if the response was good but of no use, or if nothing was sent. */
	outcome?: Failed;
	jobId?: string;
	/** Name of the operation that gets the job's result. */
	getBy?: string;
	/** Whether the job is still running at the service. */
	isRunning?: boolean;
	/** Whether the call may have been billed although its result is lost. */
	mayBeBilled?: boolean;
	/** Whether too little time was left before the workflow's timeout. */
	isOutOfTime?: boolean;
	/** Data that the service sent despite the failure, and may have billed. */
	data?: IDataObject | IDataObject[];
	/** The service's own words, codes and details, for the error output. */
	service?: IDataObject;
	failure?: Failure;
	isUnsent?: boolean;
	/** Credits that it is known to have cost; undefined if it may have cost its full price. */
	credits?: number;
	/** Maximum number of credits it may have cost, if that is less than its full price. */
	mostCredits?: number;
}

/**
 * A request that failed or returned nothing usable. It carries the typed outcome from the client to the boundary with
 * n8n, where `nodeErrorOf` turns it into n8n's error for the node and the item.
 */
export class ServiceError extends Error {
	constructor(
		message: string,
		readonly details: ServiceErrorDetails,
	) {
		super(message);
	}

	/** Returns the same error with other details. */
	with(details: Partial<ServiceErrorDetails>): ServiceError {
		return new ServiceError(this.message, { ...this.details, ...details });
	}

	/** The whole description, with the reason and the job. */
	get description(): string {
		return this.describedWith(this.details.reason);
	}

	/** Returns the whole description with another reason, or without one. */
	describedWith(reason?: string): string {
		return sentences([this.details.description, reason, jobLine(this.details)]);
	}

	/** The HTTP status of the response; undefined if there was none. */
	get status(): number | undefined {
		const { outcome } = this.details;
		return outcome === undefined || outcome.kind === 'noResponse' ? undefined : outcome.status;
	}

	/** Whether the same call may succeed later. */
	get isTemporary(): boolean {
		return mayPass(this.details.failure?.cause);
	}
}

/** Whether the service responded with one of these statuses. */
export const hasStatus = (error: unknown, ...statuses: number[]): error is ServiceError =>
	error instanceof ServiceError && statuses.includes(error.status ?? 0);

/** Longest field of the details that each of many items has, in characters. */
const BRIEF = 1_000;

/**
 * Returns an error for one of many items that share it: without what the service sent at length, which the first item
 * has. A thousand items with a thousand issues each would be more than n8n can save.
 */
export function brief(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const { service = {}, data } = error.details;
	const short = Object.entries(service).filter(([, value]) => sizeOf(value) <= BRIEF);
	const isShort = sizeOf(data) <= BRIEF;
	return error.with({ service: Object.fromEntries(short), data: isShort ? data : undefined });
}

/** Ends the work on an item: the execution was cancelled, or another item has failed and the workflow stops. */
export class Stopped extends Error {
	constructor(
		/** The job that continues at the service. */
		readonly job?: StartedJob,
		/** Whether a call was sent that may have been billed. */
		readonly isUnsure = false,
	) {
		super('stopped');
	}
}

type JobFacts = Pick<ServiceErrorDetails, 'credits' | 'isRunning'>;

/**
 * Returns an error that names the job it interrupted, so that the job's result, which may have been paid for, isn't
 * lost.
 */
export function withJob(error: unknown, job: StartedJob, known: JobFacts = {}): Error {
	if (error instanceof Stopped) return new Stopped(job);
	const { message, details = { description: '' } } = error as Partial<ServiceError>;
	return new ServiceError(message ?? String(error), {
		...details,
		lacksJob: details.lacksJob || details.jobId === undefined,
		jobId: job.id,
		getBy: job.getBy,
		credits: mostCredits(known.credits, details.credits),
		isRunning: details.isRunning ?? known.isRunning,
	});
}

/** What a failed call has cost. */
export type Cost = Pick<ServiceErrorDetails, 'credits' | 'mayBeBilled'>;

/** Returns an error that says what a failed call has cost. */
export function costing(error: unknown, { credits, mayBeBilled }: Cost): unknown {
	if (error instanceof Stopped && mayBeBilled) return new Stopped(error.job, true);
	if (!(error instanceof ServiceError)) return error;
	const description = `This item may have been billed. ${error.details.description}`;
	return error.with({ credits, ...(mayBeBilled && { mayBeBilled, isUnsent: false, description }) });
}

/** Returns what `read` makes of a response. If it throws, the error also says what the response cost. */
export function knowing<Read>(cost: Cost, read: () => Read): Read {
	try {
		return read();
	} catch (error) {
		throw costing(error, cost);
	}
}

/** Returns what a description doesn't say about the job: its ID and, while it continues, what to do with it. */
function jobLine({ lacksJob, jobId, getBy, isRunning }: ServiceErrorDetails): string {
	if (!lacksJob || jobId === undefined) return '';
	if (!isRunning || !getBy) return `Job: ${jobId}.`;
	return `Job ${jobId} continues at the service: once that is solved, use "${getBy}" with this ID, at no cost.`;
}

/** Runs the work that follows the start of a job. If it throws, the error names the job and what is known about it. */
export async function naming<Result>(
	job: StartedJob,
	work: () => Promise<Result>,
	known?: JobFacts,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw withJob(error, job, known);
	}
}

import type { IDataObject } from 'n8n-workflow';

import { type Failure, mayPass } from './failure';
import type { Failed } from './outcome';

export interface ServiceErrorDetails {
	/** Says what to do and what the service said, in sentences. */
	description: string;
	/** Holds the outcome of the exchange; unset if a good response was useless, or nothing was asked. */
	outcome?: Failed;
	jobId?: string;
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
		/** Names the job that goes on at the service. */
		readonly jobId?: string,
	) {
		super('stopped');
	}
}

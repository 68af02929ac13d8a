import type { IDataObject } from 'n8n-workflow';

import { type Failure, mayPass } from './failure';
import type { Failed } from './outcome';

/** What a `ServiceError` tells besides its message. */
export interface ServiceErrorDetails {
	/** What to do and what the service said, in sentences. */
	description: string;
	/** What came of the exchange; none where a good response was of no use, or nothing was asked. */
	outcome?: Failed;
	/** The job it is about. */
	jobId?: string;
	/** What the service sent all the same, and may have billed. */
	data?: IDataObject | IDataObject[];
	/** What the error output tells besides: the service's own words, codes and details. */
	service?: IDataObject;
	failure?: Failure;
	/** The request was not sent. */
	isUnsent?: boolean;
	/** The credits it is known to have cost; undefined where it may have cost its price. */
	credits?: number;
}

/**
 * A request that failed, or gave nothing that can be used. It carries the typed outcome from the wire to n8n's edge, where
 * `nodeErrorOf` makes n8n's error of it, with the node and the item.
 */
export class ServiceError extends Error {
	constructor(
		message: string,
		readonly details: ServiceErrorDetails,
	) {
		super(message);
	}

	/** The HTTP status of the response; undefined where there was none. */
	get status(): number | undefined {
		const { outcome } = this.details;
		return outcome === undefined || outcome.kind === 'noResponse' ? undefined : outcome.status;
	}

	/** Whether the failure may be over when the call is sent again later. */
	get isTemporary(): boolean {
		return mayPass(this.details.failure?.cause);
	}
}

/** Ends the work of an item: the execution was cancelled, or another item has failed and the workflow stops. */
export class Stopped extends Error {
	constructor(
		/** The job that goes on at the service. */
		readonly jobId?: string,
	) {
		super('stopped');
	}
}

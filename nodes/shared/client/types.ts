import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { NameOf } from './errors/details';

/** Describes one call of the service. IDs in the path are checked (`isSegment`) and encoded. */
export interface ServiceCall {
	method: 'GET' | 'POST' | 'DELETE';
	/** Stands below the base URL and begins with the version, e.g. '/v2/search'. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Is sent beside the body, which then is the part "options" of a form. */
	file?: Upload;
}

/** Holds a file to send, which is opened once for each try. */
export interface Upload {
	name: string;
	/** Names its media type. */
	type: string;
	bytes: number;
	open(): Promise<UploadContent>;
}

/** Describes Node's Buffer or readable stream, without naming Node's types here. */
export type UploadContent = Uint8Array | UploadStream;

export interface UploadStream {
	compose(change: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>): UploadStream;
	destroy(): void;
}

export interface CallSettings {
	/** Limits how long a call may be held up while a rate limit lets none of its kind through, in ms; default 300,000. */
	maxWaitMs?: number;
	/** Limits the requests in flight per run; default 200. */
	maxConcurrent?: number;
	/** Says how the request is sent: proxy, timeout (ms), skipSslCertificateValidation, allowedDomains. */
	http?: Partial<IHttpRequestOptions> & { allowedDomains?: string };
	jobId?: string;
	/** Whether the call starts a job: a cancel leaves it the time to learn the job's ID. */
	startsJob?: true;
	/** Whether the result of the job is waited for: an error has to name one that outlasts the workflow. */
	isAwaited?: boolean;
	/** Marks a call of a trigger's poll: errors say what to do there. */
	isPoll?: true;
	/** Replaces the advice in the call's error. */
	remedy?: string;
	/** Gives the form's name of a place in the request body, for the `details` of a 400. */
	nameOf?: NameOf;
}

/** Holds a good response: a 2xx JSON object without `success: false`, unless that tells of a job. */
export interface ServiceResponse {
	status: number;
	body: IDataObject;
}

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { NameOf } from './errors/details';

/** A call to the service. IDs in the path are checked (`isSegment`) and encoded. */
export interface ServiceCall {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** The path below the base URL, beginning with the version, e.g. '/v2/search'. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** A file to upload: the request becomes multipart, with the body as its part "options". */
	file?: Upload;
}

/** A file to send, opened once for each attempt. */
export interface Upload {
	name: string;
	type: string;
	bytes: number;
	open(): Promise<UploadContent>;
}

/** Node's Buffer or readable stream, described without Node's types. */
export type UploadContent = Uint8Array | UploadStream;

export interface UploadStream {
	compose(change: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>): UploadStream;
	destroy(): void;
}

export interface CallSettings {
	/** Maximum time (ms) that a rate limit may hold up a call; default 300,000. */
	maxWaitMs?: number;
	/** Maximum number of requests in flight per run; default 500. */
	maxConcurrent?: number;
	/** How the request is sent: proxy, timeout (ms), skipSslCertificateValidation, allowedDomains. */
	http?: Partial<IHttpRequestOptions> & { allowedDomains?: string };
	jobId?: string;
	/** Set if the call starts a job. After a cancellation, it then still gets time to learn the job's ID. */
	startsJob?: JobStart;
	/** Whether the job's result is waited for: if the job outlasts the workflow, the error must name it. */
	isAwaited?: boolean;
	/** Marks a call of a trigger's poll, for which errors give different advice. */
	isPoll?: true;
	/** Replaces the advice in the call's error. */
	remedy?: string;
	/** Whether the form has a field with this label, so that errors name no other. */
	hasField?: (label: string) => boolean;
	/** Returns the form's name for a place in the request body, for the `details` of a 400. */
	nameOf?: NameOf;
}

/** A good response: a 2xx JSON object without `success: false`, unless it describes a job. */
export interface ServiceResponse {
	status: number;
	body: IDataObject;
}

/** What is known about a job when the call that starts it fails. */
export interface JobStart {
	/** How to find a job whose ID isn't known, in sentences. */
	find: string;
	/** Name of the operation that gets its result for free. */
	getBy: string;
	/** Returns the ID of the job that a response names. */
	idIn: (response: IDataObject) => string | undefined;
	/** Returns how to check whether the job with an ID is running. */
	see: (id: string) => string;
}

/** Facts about a failed call that its outcome doesn't include. */
export interface About extends CallSettings, Pick<ServiceCall, 'method' | 'path'> {
	root: string;
	waitedMs: number;
	isTest?: boolean;
	/** Whether the workflow's timeout left too little time. */
	isOutOfTime?: boolean;
	isFile?: boolean;
}

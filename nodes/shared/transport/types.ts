import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { NameOf } from '../errors/details';

/** One call of the service. IDs in the path are checked (`isSegment`) and encoded. */
export interface ServiceCall {
	method: 'GET' | 'POST' | 'DELETE';
	/** Path below the base URL with its version, e.g. '/v2/search'. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
}

export interface CallSettings {
	/** Bounds how long a call may be held up while a rate limit lets none of its kind through, in ms; default 300,000. */
	maxWaitMs?: number;
	/** Bounds the requests in flight per run; default 200. */
	maxConcurrent?: number;
	/** Says how the request is sent: proxy, timeout (ms), skipSslCertificateValidation, allowedDomains. */
	http?: Partial<IHttpRequestOptions> & { allowedDomains?: string };
	/** The job the call is about, named in errors. */
	jobId?: string;
	/** The call is part of a trigger's poll: errors say what to do there. */
	isPoll?: true;
	/** Says what to do where the call fails, instead of what its error advises. */
	remedy?: string;
	/** Gives the name in the form of a place in the request body, for the `details` of a 400. */
	nameOf?: NameOf;
}

/** A good response: status 2xx with a JSON object that does not say `success: false`, unless that tells of a job. */
export interface ServiceResponse {
	status: number;
	body: IDataObject;
}

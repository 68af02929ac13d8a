import type {
	BinaryHelperFunctions,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	Logger,
	NodeConnectionType,
	RequestHelperFunctions,
} from 'n8n-workflow';

/** One call of the service. Ids in the path are checked (`isSegment`) and encoded. */
export interface ServiceCall {
	method: 'GET' | 'POST' | 'DELETE';
	/** Path below the base URL with its version, e.g. '/v2/search'. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
}

export interface CallSettings {
	/** How long a call may be held up while a rate limit lets none of its kind through, in ms; default 300,000. */
	maxWaitMs?: number;
	/** Most requests in flight per node run; default 200. */
	maxConcurrent?: number;
	/** How the request is sent: proxy, timeout (ms), skipSslCertificateValidation, allowedDomains. */
	http?: Partial<IHttpRequestOptions> & { allowedDomains?: string };
	/** What the checks of its pages cost, in credits, even if these can't be scraped. */
	checksCost?: number;
	/** The job the call is about, named in errors. */
	jobId?: string;
	/** It is part of a trigger's poll: errors say what to do there. */
	isPoll?: true;
	/** What to do where the call fails, instead of what its error advises. */
	remedy?: string;
	/** The name in the form of a place in the request body, for the `details` of a 400. */
	nameOf?: (path: Array<string | number>) => string | undefined;
}

/** A good response: status 2xx with a JSON object that does not say `success: false`, unless that tells of a job. */
export interface ServiceResponse {
	status: number;
	body: IDataObject;
}

/** What executes: an item of a declarative node, a poll or the loading of options. */
export interface ServiceContext {
	getNode(): INode;
	getCredentials<T extends object>(type: string): Promise<T>;
	getExecutionCancelSignal?(): AbortSignal | undefined;
	continueOnFail?(): boolean;
	getItemIndex?(): number;
	getInputData?(inputIndex?: number, type?: NodeConnectionType): INodeExecutionData;
	logger: Logger;
	helpers: RequestHelperFunctions & Partial<BinaryHelperFunctions>;
}

/** The fields of the credential `webDataServiceApi`. */
export interface ServiceCredential {
	baseUrl: string;
	apiKey: string;
}

export const CREDENTIAL_TYPE = 'webDataServiceApi';

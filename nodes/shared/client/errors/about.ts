import type { IDataObject } from 'n8n-workflow';

import type { NameOf } from './details';

/** What is known about a job when the call that starts it fails, in sentences for the error. */
export interface JobStart {
	/** How to find a job whose ID isn't known. */
	find: string;
	/** Returns how to check whether the job named in a response is running; undefined if the response names none. */
	namedIn: (response: IDataObject) => string | undefined;
}

/** Facts about a failed call that its outcome doesn't include. */
export interface About {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	root: string;
	/** The URLs in the body. */
	urls?: unknown;
	waitedMs: number;
	jobId?: string;
	/** Whether a trigger's poll made the call. */
	isPoll?: boolean;
	/** Whether it was the test of a credential. */
	isTest?: boolean;
	/** Replaces the usual advice. */
	remedy?: string;
	/** Set if the call starts a job. */
	startsJob?: JobStart;
	/** Whether the request went through a proxy set by the user. */
	hasProxy?: boolean;
	/** Whether the workflow's timeout left too little time. */
	isOutOfTime?: boolean;
	/** Whether the request contains an input file. */
	isFile?: boolean;
	/** Whether the form has a field with this label. */
	hasField?: (label: string) => boolean;
	/** Returns the form's name for a place in the request body, for the `details` of a 400. */
	nameOf?: NameOf;
}

import type { NameOf } from './details';

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
	/** How to find the job that the call may have started. */
	startsJob?: string;
	/** Whether the request went through a proxy that the user has set. */
	hasProxy?: boolean;
	/** Whether the workflow's timeout left too little time. */
	isOutOfTime?: boolean;
	/** Whether the request carries a file of the input. */
	isFile?: boolean;
	/** Whether the form has a field with this label. */
	hasField?: (label: string) => boolean;
	/** Returns the form's name for a place in the request body, for the `details` of a 400. */
	nameOf?: NameOf;
}

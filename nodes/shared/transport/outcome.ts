import type { IDataObject } from 'n8n-workflow';

/** What is wrong with a response of status 2xx. */
export type ResponseProblem = 'empty' | 'html' | 'notJson' | 'notAnObject' | 'cut' | 'tooLarge';

/** What came of one HTTP exchange. All texts in it are free of the API key. */
export type Outcome =
	| { kind: 'response'; status: number; body: IDataObject }
	/** A status that isn't 2xx, or one that is with `success: false`, unless that tells of a job. */
	| {
			kind: 'rejected';
			status: number;
			body?: IDataObject;
			excerpt: string;
			retryAfterMs?: number;
			/** A 429 that other calls got: this one was not sent. */
			isUnsent?: true;
			location?: string;
	  }
	| {
			kind: 'unreadable';
			status: number;
			problem: ResponseProblem;
			contentType: string;
			excerpt: string;
	  }
	/** No whole response; `code` is Node's or OpenSSL's, or one of ours such as TIMEOUT. */
	| { kind: 'noResponse'; code: string; reason: string };

export type Failed = Exclude<Outcome, { kind: 'response' }>;
export type Rejected = Extract<Outcome, { kind: 'rejected' }>;
export type NoResponse = Extract<Outcome, { kind: 'noResponse' }>;

import type { IDataObject } from 'n8n-workflow';

/** What is wrong with an answer of status 2xx. */
export type Problem = 'empty' | 'html' | 'notJson' | 'notAnObject' | 'cut' | 'tooLarge';

/** What came of one HTTP exchange. All texts in it are free of the API key. */
export type Outcome =
	| { kind: 'answer'; status: number; body: IDataObject }
	/** A status that isn't 2xx, or `success: false` with one that is. */
	| {
			kind: 'refused';
			status: number;
			body?: IDataObject;
			excerpt: string;
			retryAfterMs?: number;
			location?: string;
	  }
	| { kind: 'unreadable'; status: number; problem: Problem; contentType: string; excerpt: string }
	/** No whole answer; `code` is Node's or OpenSSL's, or TIMEOUT. */
	| { kind: 'noAnswer'; code: string; reason: string };

export type Refused = Extract<Outcome, { kind: 'refused' }>;

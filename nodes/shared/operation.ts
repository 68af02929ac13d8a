import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ResultShape } from './fields/results';
import type { Field, Place } from './form/field';
import type { CallSettings, NodeRun, ServiceCall } from './transport';

/** What an operation of a node is: its entry in the dropdown, its form, its call, and what comes out. */
export interface Operation {
	name: string;
	value: string;
	/** Sentence case, as the node panel lists it. */
	action: string;
	description: string;
	method: ServiceCall['method'];
	/** With names of path fields in braces, e.g. `/v2/agent/{jobId}`. */
	path: string | ((form: Form) => string);
	/** In the order the form shows them. */
	fields: Field[];
	/** What stands in Options before the settings that all operations share. */
	options?: Field[];
	/** What can't be checked field by field, before anything is sent. Throws NodeOperationError. */
	check?: (form: Form) => void;
	/** What all items of a run do together: called for each one that is all right, before the first is sent. */
	gather?: (run: NodeRun, form: Form, context: IExecutePaginationFunctions) => void;
	/** What is kept of a response, whether it is split or not; without it all of it is. */
	select?: (response: IDataObject, form: Form) => IDataObject;
	/** Results in a response, an item each; without it the response is the one item. */
	split?: (response: IDataObject, form: Form) => IDataObject[];
	/** The useful fields of its results, where these are large; with it the form asks how much is passed on. */
	results?: ResultShape;
	/** What a call with this body is known to cost, in credits (a long PDF may cost more); undefined if nobody knows. Where left out it is free, or `execute` spends by itself (batches). */
	price?: (body: IDataObject) => number | undefined;
	/** Everything after the checks, for operations that make more than one call. */
	execute?: (task: Task) => Promise<INodeExecutionData[]>;
}

/** What the user filled in for one item. */
export interface Form {
	/** The checked value of a field of the form, if the user set it. */
	get: <Value>(field: Field<Value>) => Value | undefined;
	/** The checked value of a required field. */
	need: <Value>(field: Field<Value>) => Value;
	/** The composed body, as it is sent. */
	body: IDataObject;
	/** What stays in the node. */
	settings: IDataObject;
	place: Required<Place>;
}

/** One item's work: its checked call and how to send it. */
export interface Task {
	/** What all items of the node share. */
	run: NodeRun;
	context: IExecutePaginationFunctions;
	form: Form;
	call: ServiceCall;
	settings: CallSettings;
	/** What the service says the work cost, once it says so, and the job that it started. */
	used: { credits?: number; jobId?: string };
	/** What a tool says besides if there are no results. */
	about?: IDataObject;
}

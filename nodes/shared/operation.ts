import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import type { NodeRun } from './engine/run/nodeRun';
import type { Field, Place } from './form/field';
import type { ResultShape } from './results/shapes';
import type { Caller, CallSettings, ServiceCall } from './transport';

/** One operation of a node: its entry in the dropdown, its form, its call, and what becomes of the response. */
export interface Operation {
	name: string;
	value: string;
	/** In sentence case, as the node panel lists it. */
	action: string;
	description: string;
	method: ServiceCall['method'];
	/** With names of path fields in braces, e.g. `/v2/agent/{jobId}`. */
	path: string | ((form: Form) => string);
	/** In the order the form shows them. */
	fields: Field[];
	/** Stand in Options before the settings that all operations share. */
	options?: Field[];
	/** Checks what can't be checked field by field, before anything is sent. Throws NodeOperationError. */
	check?: (form: Form) => void;
	/** Does what all items of a run do together: called for each one that is all right, before the first is sent. */
	gather?: (run: NodeRun, form: Form, context: IExecutePaginationFunctions) => void;
	/** Keeps a part of a response, whether it is split or not; without it all of it is kept. */
	select?: (response: IDataObject, form: Form) => IDataObject;
	/** Gives the results in a response, an item each; without it the response is the one item. */
	split?: (response: IDataObject, form: Form) => IDataObject[];
	/** The useful fields of its results, where these are large; with it the form asks how much is passed on. */
	results?: ResultShape;
	/**
	 * Marks an operation that costs credits, and gives the form Credit Budget: says how many a call with this body is taken to
	 * cost until a response tells more; undefined where nobody can say. Left out where the operation is free, or `execute`
	 * spends by itself (batches).
	 */
	price?: (body: IDataObject) => number | undefined;
	/** Does everything after the checks, for operations that make more than one call. */
	execute?: (task: Task) => Promise<INodeExecutionData[]>;
}

/** One item's form as the user filled it in. */
export interface Form {
	/** Gives the checked value of a field of the form, if the user set it. */
	get: <Value>(field: Field<Value>) => Value | undefined;
	/** Gives the checked value of a required field. */
	need: <Value>(field: Field<Value>) => Value;
	/** The composed body, as it is sent. */
	body: IDataObject;
	/** The values that stay in the node. */
	settings: IDataObject;
	place: Required<Place>;
}

/** One item's work: its checked call and how to send it. */
export interface Task extends Caller {
	/** All items of the node share it. */
	run: NodeRun;
	context: IExecutePaginationFunctions;
	form: Form;
	call: ServiceCall;
	settings: CallSettings;
	/** Filled in as the service says what the work cost, and which job it started. */
	used: { credits?: number; jobId?: string };
	/** Told by a tool besides if there are no results. */
	about?: IDataObject;
}

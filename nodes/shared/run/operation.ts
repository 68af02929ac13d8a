import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';

import type { Done, NodeRun } from './nodeRun';
import type { Round } from './round';
import type { Field, ItemPlace } from '../form/field';
import type { ResultShape } from '../fields/shapes';
import type { Caller, CallSettings, ServiceCall } from '../client';

/** Describes one operation of a node: its entry in the dropdown, its form, its call, and the use of the response. */
export interface Operation {
	name: string;
	value: string;
	/** In sentence case, as the node panel lists it. */
	action: string;
	description: string;
	method: ServiceCall['method'];
	/** Has names of path fields in braces, e.g. `/v2/agent/{jobId}`. */
	path: string | ((form: Form) => string);
	fields: Field[];
	/** Stand in Options before the settings that all operations share. */
	options?: Field[];
	/** Checks rules about several fields, before anything is sent. Throws NodeOperationError. */
	check?: (form: Form) => void;
	/** Does the common part of a round's items: called for each valid item, before the first is sent. */
	gather?: (round: Round, form: Form, context: IExecutePaginationFunctions) => void;
	/** Keeps a part of a response, whether it is split or not; without it all of it is kept. */
	select?: (response: IDataObject, form: Form) => IDataObject;
	/** Gives the results in a response, an item each; without it the response is the one item. */
	split?: (response: IDataObject, form: Form) => IDataObject[];
	/** Lists the useful fields of large results, so that the form asks how much is passed on. */
	results?: ResultShape;
	/**
	 * Marks an operation that costs credits, and gives the form Credit Budget. Gives the expected price of a call with this
	 * body until a response tells more; undefined if nobody can say. Unset if the operation is free, or `execute` spends by
	 * itself (batches).
	 */
	price?: (body: IDataObject) => number | undefined;
	/** Does everything after the checks, for operations that make more than one call. */
	execute?: (task: Task) => Promise<Done>;
}

export interface Form {
	/** Gives the checked value of a field of the form, if the user set it. */
	get: <Value>(field: Field<Value>) => Value | undefined;
	need: <Value>(field: Field<Value>) => Value;
	body: IDataObject;
	settings: IDataObject;
	place: ItemPlace;
}

/** Holds one item's work: its checked call and how to send it. */
export interface Task extends Caller {
	/** Shared by all items of the node. */
	run: NodeRun;
	/** Shared by the items that n8n handed over together. */
	round: Round;
	context: IExecutePaginationFunctions;
	form: Form;
	call: ServiceCall;
	settings: CallSettings;
}

import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';

import type { Done, NodeRun } from './nodeRun';
import type { Round } from './round';
import type { Price } from '../fields/prices';
import type { Field } from '../form/field';
import type { Form } from '../form/form';
import type { ResultShape } from '../fields/shapes';
import type { Caller } from '../client/account';
import type { CallSettings, ServiceCall, ServiceResponse } from '../client/types';

/**
 * An operation of a node: its entry in the dropdown, its form, its call, and what becomes of the response. `Checked` is
 * what its check returns for its work.
 */
export interface Operation<Checked = unknown> {
	name: string;
	description: string;
	method: ServiceCall['method'];
	/** Contains names of path fields in braces, e.g. `/v2/agent/{jobId}`. */
	path: string;
	/** Returns the path for a choice in the form that leads to a different one. */
	otherPath?: (form: Form) => string;
	fields: Field[];
	/** Shown under Options, before the settings that all operations share. */
	options?: Field[];
	/**
	 * Checks rules that involve several fields, before anything is sent, and returns what the work needs of it. Throws
	 * NodeOperationError.
	 */
	check?(form: Form): Checked;
	/**
	 * Checks what the item has besides its form, such as files, or adds the item to what its round shares: the last check,
	 * so that a rejected item doesn't take part. Throws NodeOperationError.
	 */
	prepare?(form: Form, context: IExecutePaginationFunctions, round: Round, checked: Checked): void;
	/** Sends the call, if that isn't done in the usual way. */
	send?: (task: Task) => Promise<ServiceResponse>;
	/**
	 * Returns the part of a response to keep, whether the response is split or not; without this, everything is kept.
	 */
	select?: (response: IDataObject, form: Form) => IDataObject;
	/**
	 * Name of the part of the response that contains the results; without it, any field of the response may belong to
	 * them.
	 */
	resultsKey?: string;
	/** Returns the results in a response, one per item; without this, the response is the only item. */
	split?: (response: IDataObject, form: Form) => IDataObject[];
	/** What to say if there are no results, and what to do; unset if that is no cause for concern. */
	ifNothing?: [message: string, remedy: string];
	/** The useful fields of large results. If set, the form asks how much to pass on. */
	results?: ResultShape;
	/**
	 * Returns what an item's calls may cost. Its presence adds Credit Budget to the form. Unset if the operation is
	 * free, or if `execute` tracks the spending itself (batches, files).
	 */
	price?: (body: IDataObject) => Price;
	/** Does everything after the checks, in place of sending the call and splitting the response. */
	execute?(task: Task, checked: Checked): Promise<Done>;
}

/** The operations of a node by their values, in the order of its dropdown. */
export type Operations = Record<string, Operation>;

/** The work for one item: its checked call and how to send it. */
export interface Task extends Caller {
	/** Shared by all items of the node. */
	run: NodeRun;
	/** Shared by the items that n8n started together. */
	round: Round;
	context: IExecutePaginationFunctions;
	form: Form;
	call: ServiceCall;
	settings: CallSettings;
}

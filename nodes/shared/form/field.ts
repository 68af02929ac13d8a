import type {
	IDataObject,
	INode,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

/** Where a value stands, for messages: the node, the item (counted from 0) and the labels down to the field. */
export interface Place {
	node: INode;
	/** None in a trigger. */
	itemIndex?: number;
	/** The workflow's time zone, e.g. `Europe/Berlin`: what day it is at a moment. */
	timezone?: string;
	labels: string[];
}

/** How what was entered in a field becomes part of the request. Without one the value is sent under the field's name. */
export interface Wire<Value = unknown> {
	/** Key in the request, dots for nested objects, where it isn't the field's own name; with `put` it is what errors of the service are named by. */
	as?: string;
	/** What the value is part of, settings staying in the node; children of a spread collection may say it themselves. */
	in?: 'body' | 'query' | 'path' | 'settings';
	/** The children of this collection go into the object around it instead of one of their own. */
	spread?: true;
	/** Turns what was entered into what is sent; undefined sends nothing. Throws NodeOperationError. */
	value?: (entered: unknown, place: Place) => Value | undefined;
	/** Puts the value into the object around it, where that takes more than a key. */
	put?: (target: IDataObject, value: unknown, place: Place) => void;
	/** It is put there after all its neighbors, wherever it stands in the form. */
	last?: true;
	/** What can be checked only once the whole object around it is there. Throws NodeOperationError. */
	check?: (target: IDataObject, place: Place) => void;
	/** Longest text the service takes, in characters (code points). */
	maxLength?: number;
	/** Texts beside the choices pass too, because the service may have learned them. */
	open?: true;
	/** Sent as it is shown, also when it was left at its default or an expression gave nothing. */
	always?: true;
	/**
	 * Needed wherever the collection around it is there. n8n's own `required` would demand it even where the user
	 * never added the collection, if that is itself an option of a collection.
	 */
	required?: true;
	/**
	 * An expression may give it nothing: then it is left out. Any other field that was added, or holds an expression, must give
	 * something, since leaving out what narrows, freshens or cheapens a request would make it wider or dearer than was meant.
	 */
	mayBeEmpty?: true;
	/** Limits costs: it must give something also in a tool, where a model may leave out all others. */
	limitsCosts?: true;
	/** What is typed on a page: blanks count as text, and messages don't quote it, as it may be a password. */
	typed?: true;
}

/**
 * One control of a form together with the part of the request it fills. It is a plain n8n property, so the
 * editor shows it as it is; the limits in `typeOptions` are also what the value is checked against before sending.
 */
export interface Field<Value = unknown> extends Omit<INodeProperties, 'options'> {
	/** Choices, the controls of a collection, or the one group of a fixed collection. */
	options?: Array<INodePropertyOptions | Field | FieldGroup>;
	wire?: Wire<Value>;
}

/** The controls of an entry of a fixed collection. */
export interface FieldGroup extends Omit<INodePropertyCollection, 'values'> {
	values: Field[];
}

/** The controls of a collection. */
export function childrenOf(field: Field): Field[] {
	return (field.options ?? []).filter((option): option is Field => 'type' in option);
}

/** The one group of a fixed collection. */
export function fieldGroupOf(field: Field): FieldGroup {
	return field.options?.[0] as FieldGroup;
}

/** Whether a node is one that n8n made of an action for AI agents; it gives such a node's type this ending. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** Whether the field has to be filled in where it is shown. */
export function isRequired(field: Field): boolean {
	return field.required === true || field.wire?.required === true;
}

type Conditions = NonNullable<INodeProperties['displayOptions']>['show'];

/** A field like the given one that is only shown under these conditions. */
export function shownFor<Value>(show: Conditions, field: Field<Value>): Field<Value> {
	const { displayOptions } = field;
	return {
		...field,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...show } },
	};
}

/** A field like the given one that is hidden under these conditions. */
export function hiddenFor<Value>(hide: Conditions, field: Field<Value>): Field<Value> {
	const { displayOptions } = field;
	return {
		...field,
		displayOptions: { ...displayOptions, hide: { ...displayOptions?.hide, ...hide } },
	};
}

import type {
	IDataObject,
	INode,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

/** Says where a value stands, for messages: the node, the item (counted from 0) and the labels down to the field. */
export interface Place {
	node: INode;
	/** Unset in a trigger. */
	itemIndex?: number;
	/** Counts the items of the run, where that is known. */
	itemCount?: number;
	/** Names the workflow's time zone, e.g. `Europe/Berlin`, to tell a moment's day. */
	timezone?: string;
	labels: string[];
	/** The value as it stands in the workflow, with its expressions; unset in the rows of a list. */
	raw?: unknown;
}

/** Says where a value of an item stands. */
export type ItemPlace = Place & Required<Pick<Place, 'itemIndex' | 'timezone'>>;

/** Says how a field's value becomes part of the request. Without one it is sent under the field's name. */
export interface Wire<Value = unknown> {
	/**
	 * Names the key in the request, with dots for nested objects, if it isn't the field's own name. With `put`, errors of
	 * the service name the field by it.
	 */
	as?: string;
	/** Says what the value is part of (settings stay in the node). Children of a spread collection may have their own. */
	in?: 'body' | 'query' | 'path' | 'settings';
	/** Puts the children of this collection into the object around it instead of one of their own. */
	spread?: true;
	/** Turns the entered value into the sent one; undefined sends nothing. Throws NodeOperationError. */
	value?: (entered: unknown, place: Place) => Value | undefined;
	/** Puts the value into the object around it, if that takes more than a key. */
	put?: (target: IDataObject, value: unknown, place: Place) => void;
	/** Puts it there after all its neighbors, wherever it stands in the form. */
	last?: true;
	/** Checks what needs the whole object around it. Throws NodeOperationError. */
	check?: (target: IDataObject, place: Place) => void;
	/** Limits the text to what the service takes, in characters (code points). */
	maxLength?: number;
	/** Lets texts beside the choices pass, because the service may have learned them. */
	open?: true;
	/** Other words for the choices, in letters and digits alone and without an s at the end, with the values they mean. */
	words?: Record<string, string>;
	/** Sends the shown value, even if it was left at its default or an expression gave nothing. */
	always?: true;
	/**
	 * Requires the field if the collection around it is there. n8n's own `required` would demand it even if the user never
	 * added the collection, when that is itself an option of a collection.
	 */
	required?: true;
	/**
	 * Leaves the field out if an expression gives nothing. Any other field that was added, or holds an expression, must
	 * give something: leaving out what narrows, freshens or cheapens a request would make it wider or dearer than was
	 * meant.
	 */
	mayBeEmpty?: true;
	/** Marks a limit of costs: even in a tool it must give something, though a model may leave out all other fields. */
	limitsCosts?: true;
	/** Marks a text that is typed on a page: blanks count, and messages don't quote it, because it may be a password. */
	typed?: true;
}

/**
 * Joins one control of a form and the part of the request it fills. It is a plain n8n property, so the editor shows it as
 * it is. The value is also checked against the limits in `typeOptions` before sending.
 */
export interface Field<Value = unknown> extends Omit<INodeProperties, 'options'> {
	/** Lists choices, the controls of a collection, or the one group of a fixed collection. */
	options?: Array<INodePropertyOptions | Field | FieldGroup>;
	wire?: Wire<Value>;
}

export interface FieldGroup extends Omit<INodePropertyCollection, 'values'> {
	values: Field[];
}

export function childrenOf(field: Field): Field[] {
	return (field.options ?? []).filter(
		(option): option is Field => 'type' in option && option.type !== 'hidden',
	);
}

export function fieldGroupOf(field: Field): FieldGroup {
	return field.options?.[0] as FieldGroup;
}

/** Tells whether n8n made the node of an action for AI agents; such a node's type gets this ending. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** Returns whether a model may have written the value of a place: in a tool, all but expressions that don't ask for it. */
export function isByModel({ node, raw }: Pick<Place, 'node' | 'raw'>): boolean {
	return isTool(node) && !(typeof raw === 'string' && /^=(?!.*\$fromai)/is.test(raw));
}

/** Tells whether the field has to be filled in if it is shown. */
export function isRequired(field: Field): boolean {
	return field.required === true || field.wire?.required === true;
}

type Conditions = NonNullable<INodeProperties['displayOptions']>['show'];

/** Copies a field to show it only under these conditions. */
export function shownFor<Value>(show: Conditions, field: Field<Value>): Field<Value> {
	const { displayOptions } = field;
	return {
		...field,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...show } },
	};
}

/** Copies a field to hide it under these conditions. */
export function hiddenFor<Value>(hide: Conditions, field: Field<Value>): Field<Value> {
	const { displayOptions } = field;
	return {
		...field,
		displayOptions: { ...displayOptions, hide: { ...displayOptions?.hide, ...hide } },
	};
}

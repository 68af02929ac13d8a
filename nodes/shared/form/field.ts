import type {
	IDataObject,
	INode,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

/**
 * The place of a value, for error messages: the node, the item (counted from 0) and the labels leading to the field.
 */
export interface Place {
	node: INode;
	/** Unset in a trigger. */
	itemIndex?: number;
	/** Number of items in the run, if known. */
	itemCount?: number;
	/** The workflow's time zone, e.g. `Europe/Berlin`, which decides the day of a point in time. */
	timezone?: string;
	labels: string[];
	/** Returns the item's data. Unset in a tool, whose item is the agent's. */
	item?: () => IDataObject;
	/** The value as written in the workflow, including expressions; unset in a list that is one expression. */
	raw?: unknown;
	/** Returns what n8n makes of an expression in braces, for this item. */
	evaluate?: (expression: string) => unknown;
}

/** The place of a value in an item. */
export type ItemPlace = Place & Required<Pick<Place, 'itemIndex' | 'timezone'>>;

/** Returns the value entered in a field. */
export type Read = (name: string) => unknown;

/** How a field's value becomes part of the request. Without one, it is sent under the field's name. */
export interface Wire<Value = unknown> {
	/**
	 * The key in the request if it isn't the field's own name, with dots for nested objects. With `put`, only the
	 * service's errors about the field use this path.
	 */
	as?: string;
	/**
	 * The part of the request that the value goes to; settings stay in the node. Children of a spread collection may
	 * have their own.
	 */
	in?: 'body' | 'query' | 'path' | 'settings';
	/** Puts the children of this collection into the surrounding object instead of one of their own. */
	spread?: true;
	/**
	 * Returns the value to send for the one that was entered; undefined or an empty list to send nothing. `form` reads
	 * what the fields beside it show. Throws NodeOperationError.
	 */
	value?: (entered: unknown, place: Place, form: Read) => Value | undefined;
	/** Puts the value into the surrounding object, if setting a key isn't enough. */
	put?: (target: IDataObject, value: unknown, place: Place) => void;
	/** Whether this value is put in after all others, wherever the field is in the form. */
	last?: true;
	/** Checks a rule that needs the whole surrounding object. Throws NodeOperationError. */
	check?: (target: IDataObject, place: Place) => void;
	/** Length (ms) of the unit that is entered; the request counts milliseconds. */
	unitMs?: number;
	/** Maximum length of a string that the service accepts, in characters (code points). */
	maxLength?: number;
	/**
	 * Returns the choices that n8n loads when the form is opened, because there are too many for the node's
	 * description.
	 */
	choices?: () => INodePropertyOptions[];
	/** Accepts values that aren't listed, because the service may have added some since. */
	open?: true;
	/** Sends the shown value even if it is still the default or an expression returned nothing. */
	always?: true;
	/**
	 * Whether the field is required once the surrounding collection has been added. With n8n's own `required`, it would
	 * be required even without the collection if that is itself an option of a collection.
	 */
	required?: true;
	/**
	 * Omits the field if an expression returns nothing, because that then means its default, or off. Any other field
	 * that was added, or contains an expression, must have a value: without it, the request would be another one, often
	 * wider or more expensive.
	 */
	mayBeEmpty?: true;
	/**
	 * Whether the field limits costs. It must have a value even in a tool, where a model may leave all other fields
	 * empty.
	 */
	limitsCosts?: true;
	/** Whether a model's value counts even if other values hide the field: it is then refused instead of dropped. */
	heeded?: true;
	/**
	 * Whether the text is typed into a page: whitespace counts, and messages don't quote it, because it may be a
	 * password.
	 */
	typed?: true;
}

/**
 * A control of a form, together with the part of the request it fills. It is a plain n8n property, so the editor shows
 * it unchanged. Before the value is sent, it is also checked against the limits in `typeOptions`.
 */
export interface Field<Value = unknown> extends Omit<INodeProperties, 'options'> {
	/** Choices, the controls of a collection, or the one group of a fixed collection. */
	options?: Array<INodePropertyOptions | Field | FieldGroup>;
	wire?: Wire<Value>;
}

export interface FieldGroup extends Omit<INodePropertyCollection, 'values'> {
	values: Field[];
}

/** Returns the controls of a collection, or of the rows of a list. */
export function childrenOf({ options = [] }: Field): Field[] {
	return options
		.flatMap((option) => ('values' in option ? option.values : 'type' in option ? [option] : []))
		.filter(({ type }) => type !== 'notice');
}

/** Returns the choices of a dropdown or a multi-select, including those that n8n loads when the form is opened. */
export function choicesOf({ options = [], wire }: Field): INodePropertyOptions[] {
	return wire?.choices?.() ?? options.filter((option) => 'value' in option);
}

export function fieldGroupOf(field: Field): FieldGroup {
	return field.options?.[0] as FieldGroup;
}

/** Whether the node is the tool variant that n8n generates for AI agents, whose type ends in `Tool`. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** Whether a model writes a value: in a tool, where an expression asks it for one. */
export function isByModel({ node, raw }: Pick<Place, 'node' | 'raw'>): boolean {
	return isTool(node) && typeof raw === 'string' && /^=.*\$fromai/is.test(raw);
}

/** Whether the field must be filled in if it is shown. */
export function isRequired(field: Field): boolean {
	return field.required === true || field.wire?.required === true;
}

/** The values of other fields for which a field is shown or hidden. */
export type Conditions = NonNullable<INodeProperties['displayOptions']>['show'];

/** Returns a function that adds conditions to a copy of a field or a choice; its own take precedence. */
const conditionally =
	(kind: 'show' | 'hide') =>
	<Shown extends Pick<INodeProperties, 'displayOptions'>>(
		conditions: Conditions,
		field: Shown,
	): Shown => {
		const { displayOptions } = field;
		const all = { ...conditions, ...displayOptions?.[kind] };
		return { ...field, displayOptions: { ...displayOptions, [kind]: all } };
	};

/** Returns a copy of a field or a choice that is shown only under these conditions. */
export const shownFor = conditionally('show');

/** Returns a copy of a field or a choice that is hidden under these conditions. */
export const hiddenFor = conditionally('hide');

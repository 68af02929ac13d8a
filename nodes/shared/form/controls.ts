import type { INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

import type { Field } from './field';
import { checkHeader, pairs } from './pairs';
import { lines } from './values';

/** A control's properties, except its name, its label, and what all controls of its kind have in common. */
export type Rest<Value = unknown> = Omit<Field<Value>, 'name' | 'displayName' | 'type' | 'default'>;

interface WithDefault<Value> {
	default: Value;
}

/** Returns a function that creates controls of a type, with this default unless they have their own. */
const controlsOf =
	<Default extends boolean | string>(type: NodePropertyTypes, standard: Default) =>
	<Value = Default>(
		name: string,
		displayName: string,
		rest: Rest<Value> & Partial<WithDefault<Default>>,
	): Field<Value> => ({ displayName, name, type, default: standard, ...rest });

/** Creates a yes/no control, on unless `default` says otherwise: most are options, which are added to turn it on. */
export const booleanField = controlsOf<boolean>('boolean', true);

/** Creates a control for a single string. */
export const textField = controlsOf<string>('string', '');

export const dateField = controlsOf<string>('dateTime', '');

export const jsonField = controlsOf<string>('json', '');

/**
 * A choice of a dropdown: its value, its name, a description if needed and, for a trigger's event, its entry in n8n's
 * node panel.
 */
export type Choice = [value: string, name: string, description?: string, action?: string];

type Choices<Value> = Omit<Rest<Value>, 'options'> & { choices: Choice[] };

/** Returns choices as n8n's options. */
export const optionsOf = (choices: Choice[]): INodePropertyOptions[] =>
	choices.map(([value, name, description, action]) => ({
		name,
		value,
		...(description && { description }),
		...(action && { action }),
	}));

/** Creates a dropdown. */
export function choiceField<Value = unknown>(
	name: string,
	displayName: string,
	{ choices, default: standard, ...rest }: Choices<Value> & WithDefault<string>,
): Field<Value> {
	const options = optionsOf(choices);
	return { displayName, name, type: 'options', default: standard, options, ...rest };
}

/** Creates a multi-select. */
export function choicesField<Value = unknown>(
	name: string,
	displayName: string,
	{ choices, ...rest }: Choices<Value> & Partial<WithDefault<string[]>>,
): Field<Value> {
	const options = optionsOf(choices);
	return { displayName, name, type: 'multiOptions', default: [], options, ...rest };
}

/**
 * Makes n8n load the choices of a dropdown or a multi-select from a method of the node when the form is opened. The
 * texts are those of n8n's own nodes.
 */
export function loaded<Value>(field: Field<Value>, method: string): Field<Value> {
	const { options, ...rest } = field;
	const isMany = field.type === 'multiOptions';
	return {
		...rest,
		displayName: `${field.displayName} ${isMany ? 'Names or IDs' : 'Name or ID'}`,
		typeOptions: { loadOptionsMethod: method },
		description: `${field.description}. Choose from the list, or specify ${isMany ? 'IDs' : 'an ID'} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
		wire: { ...field.wire, choices: () => options as INodePropertyOptions[] },
	};
}

/** Creates a collection of controls that are added one by one; its button shows the name. */
export function collectionField(name: string, displayName: string, rest: Rest): Field {
	const placeholder = `Add ${displayName.replace(/ ?Options?$/, '')} Option`.replace('  ', ' ');
	return { displayName, name, type: 'collection', default: {}, placeholder, ...rest };
}

/** Creates a group of controls that is added as a whole; `group` is the group's own name and label. */
export function groupField(
	name: string,
	displayName: string,
	field: Omit<Rest, 'options'> & { group: [name: string, label: string]; values: Field[] },
): Field {
	const { group, values, ...rest } = field;
	const options = [{ displayName: group[1], name: group[0], values }];
	return { displayName, name, type: 'fixedCollection', default: {}, options, ...rest };
}

/** Returns a number's hint, including its limits, because n8n silently changes values beyond them. */
function withLimits(minValue: number, maxValue?: number, hint?: string): string | undefined {
	const least = minValue > 1 ? `At least ${minValue}` : undefined;
	const most = minValue > 1 ? `${minValue} to ${maxValue}` : `Up to ${maxValue}`;
	const limits = maxValue === undefined ? least : most;
	return [limits, hint].filter(Boolean).join('. ') || undefined;
}

type NumberForm = Rest<number> & WithDefault<number> & { minValue?: number; maxValue?: number };

/** Creates a control for a number, which is checked against its limits before it is sent: at least 1 by default. */
export function numberField(
	name: string,
	displayName: string,
	{ default: standard, minValue = 1, maxValue, ...rest }: NumberForm,
	more = {},
): Field<number> {
	const typeOptions = { minValue, ...(maxValue !== undefined && { maxValue }), ...more };
	const hint = withLimits(minValue, maxValue, rest.hint);
	const field = { displayName, name, typeOptions, default: standard, ...rest };
	return { ...field, type: 'number', ...(hint && { hint }) };
}

export const wholeNumberField = (name: string, displayName: string, form: NumberForm) =>
	numberField(name, displayName, form, { numberPrecision: 0 });

/** Length (ms) of the units in which a form asks for a time; the service counts milliseconds. */
const UNIT_MS = { Seconds: 1_000, Hours: 3_600_000 };

/** Creates a control for a time, with its limits and default in this unit, which is added to the label. */
export const timeField = (
	name: string,
	label: string,
	unit: keyof typeof UNIT_MS,
	{ wire, ...form }: NumberForm,
) => numberField(name, `${label} (${unit})`, { ...form, wire: { ...wire, unitMs: UNIT_MS[unit] } });

/** Creates a control for several strings, entered one per line or as an array from an expression. */
export function linesField(
	name: string,
	displayName: string,
	{ example, wire, ...rest }: Rest & { example: string },
): Field {
	return {
		displayName,
		name,
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: `e.g. ${example}`,
		hint: 'One per line, or an array',
		...rest,
		wire: { value: lines, ...wire },
	};
}

interface PairsForm {
	description: string;
	example: [name: string, value: string];
	addText: string;
}

/** Creates a control for names and their values, each checked by `check`. */
export function pairsField(
	name: string,
	displayName: string,
	{ description, example, addText }: PairsForm,
	check?: Parameters<typeof pairs>[3],
): Field {
	const values: Field[] = [
		textField('name', 'Name', { required: true, placeholder: `e.g. ${example[0]}` }),
		textField('value', 'Value', { placeholder: `e.g. ${example[1]}` }),
	];
	return groupField(name, displayName, {
		typeOptions: { multipleValues: true, multipleValueButtonText: addText },
		placeholder: addText,
		description,
		wire: { value: (entered, place) => pairs(values, entered, place, check) },
		group: ['pair', 'Pair'],
		values,
	});
}

export const headersField = (name: string, displayName: string, field: PairsForm): Field =>
	pairsField(name, displayName, field, checkHeader);

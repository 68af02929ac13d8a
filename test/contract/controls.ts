import type { IDataObject, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import { type Field, choicesOf, isRequired } from '../../nodes/shared/form/field';
import { formFieldsOf } from '../../nodes/shared/run/properties';
import { operationOf, triggerFields } from '../../scripts/lib/nodes';

/** A control of a form with a value it can take, and the parameters of the node that set only that. */
export interface ControlSample {
	/** Path from the top of the form down to the control, e.g. `options.limit`. */
	control: string;
	/** What was entered, for the name of the test. */
	entered: unknown;
	/** Whether the control is a setting of the node and not part of a request. */
	isSetting: boolean;
	parameters: INodeParameters;
}

export const SAMPLE_ID = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';

/** Returns the controls of an operation. */
export const fieldsOf = (node: INodeType, operation: string): Field[] =>
	formFieldsOf(operationOf(node, operation));

/** Returns the controls of all forms of a node. */
export function formsOf(node: INodeType): Field[] {
	const operations = operationsOf(node);
	if (operations.length === 0) return triggerFields(node);
	return operations.flatMap((operation) => fieldsOf(node, operation));
}

/** Returns the operations of a node. */
export function operationsOf(node: INodeType): string[] {
	const dropdown = node.description.properties.find(({ name }) => name === 'operation');
	return (dropdown?.options ?? []).map((option) => (option as { value: string }).value);
}

/** Returns only the parameters that a person must fill in. */
export function requiredParameters(node: INodeType, operation: string): INodeParameters {
	const fields = fieldsOf(node, operation);
	return completed(fields, withCompanions(fields, { operation }) as INodeParameters);
}

/** Returns a sample for every value of every control of an operation, made from the form itself. */
export function controlSamples(node: INodeType, operation: string): ControlSample[] {
	return samplesOfForm(fieldsOf(node, operation), { operation });
}

/** Returns a sample for every value of every control of a polling trigger. */
export function triggerSamples(node: INodeType): ControlSample[] {
	return samplesOfForm(triggerFields(node), {});
}

/** Returns only the parameters of a trigger that a person must fill in. */
export function triggerParameters(node: INodeType): INodeParameters {
	return completed(triggerFields(node), {});
}

/** Returns the values of the form that a collection's control depends on, and the collection without them. */
function withoutPaths({ type }: Field, value: unknown): [around: IDataObject, own: unknown] {
	if (type !== 'collection') return [{}, value];
	const [around, own]: IDataObject[] = [{}, {}];
	for (const [name, entry] of Object.entries(value as IDataObject)) {
		if (name.startsWith('/')) around[name.slice(1)] = entry;
		else own[name] = entry;
	}
	return [around, own];
}

function samplesOfForm(fields: Field[], base: INodeParameters): ControlSample[] {
	return fields.flatMap((field) =>
		samplesOf(field, field.name).map(({ value, ...sample }) => {
			const [around, own] = withoutPaths(field, value);
			const beside = Object.entries(shownBy(field)).map(([name, one]) => [
				name.replace('/', ''),
				one,
			]);
			const given = { ...Object.fromEntries(beside), ...around, [field.name]: own } as IDataObject;
			return {
				...sample,
				parameters: completed(fields, {
					...base,
					...withCompanions(fields, given),
				} as INodeParameters),
			};
		}),
	);
}

/** Returns the values, with what the service requires in addition to some of them. */
function withCompanions(fields: Field[], values: IDataObject): IDataObject {
	const has = (name: string) => fields.some((field) => field.name === name);
	const all = { ...values };
	if (all.watch === 'search') all.goal ??= 'news';
	const { newCron } = (all.options ?? {}) as IDataObject;
	if (has('newSchedule') && !newCron) all.newSchedule ??= 'hourly';
	if (all.jsonOptions) all.formats ??= ['json'];
	const formats = (all.formats ?? []) as string[];
	if (formats.includes('changeTracking')) all.formats = ['markdown', ...formats];
	if (formats.includes('json') && has('jsonOptions')) all.jsonOptions ??= { prompt: 'prices' };
	else if (formats.includes('json') && !hasSchema(all)) all.jsonPrompt ??= 'prices';
	if (formats.includes('question')) all.question ??= 'What is it?';
	if (formats.includes('attributes') && has('attributesToRead')) {
		all.attributesToRead ??= { attribute: [{ selector: '.price', attribute: 'data-price' }] };
	}
	if (formats.includes('highlights')) all.highlightsQuery ??= 'prices';
	const { strictConstrainToURLs, urls } = (all.options ?? {}) as IDataObject;
	const asked = fields.find(({ name }) => name === 'prompt');
	if (asked && has('urls') && (isRequired(asked) || !hasSchema(all))) all.prompt ??= 'prices';
	if (strictConstrainToURLs === true && !urls) {
		all.options = { ...(all.options as object), urls: 'https://example.com' };
	}
	if (all.approval) all.threadId ??= SAMPLE_ID;
	if ((all.exchange as IDataObject | undefined)?.requireApproval) all.mode ??= 'chat';
	const { modes = [], prompt, schema } = (all.changeTrackingOptions ?? {}) as IDataObject;
	if ((modes as string[]).includes('json') && !prompt && !schema) {
		all.changeTrackingOptions = { ...(all.changeTrackingOptions as object), prompt: 'prices' };
	}
	if (Number(all.waitFor) > 0 && has('timeout')) all.timeout ??= 2 * Number(all.waitFor);
	// n8n accepts no more pages as items.
	if (Number(all.maxPages) > 100_000)
		all.options = { ...(all.options as object), pagesAs: 'files' };
	return all;
}

const hasSchema = (values: IDataObject) =>
	['schemaFields', 'schemaExample', 'schemaJson'].some((name) => name in values);

/**
 * Returns the given parameters with what n8n would also have stored: samples where a value is required, otherwise
 * defaults.
 */
function completed(fields: Field[], given: INodeParameters): INodeParameters {
	const parameters = { ...given };
	for (const field of fields) {
		if (field.name in parameters) continue;
		parameters[field.name] =
			isRequired(field) && isShownWith(field, parameters)
				? (samples(field)[0] as string)
				: (field.default as string);
	}
	return parameters;
}

interface Sample {
	control: string;
	entered: unknown;
	value: unknown;
	isSetting: boolean;
}

function samplesOf(field: Field, path: string): Sample[] {
	const isSetting = field.wire?.in === 'settings';
	if (field.type === 'collection') {
		return (field.options as Field[]).flatMap((child) =>
			samplesOf(child, `${path}.${child.name}`).map((sample) => ({
				...sample,
				value: withCompanions(
					field.options as Field[],
					withRequired(
						field.options as Field[],
						{ ...shownBy(child), [child.name]: sample.value } as IDataObject,
					),
				),
			})),
		);
	}
	if (field.type === 'fixedCollection') {
		const [group] = field.options as Array<{ name: string; values: INodeProperties[] }>;
		const values = group.values as Field[];
		return values.flatMap((child) =>
			choicesOfConditions(child).flatMap((conditions) =>
				samplesOf(child, `${path}.${child.name}`).map((sample) => {
					const others = { ...conditions, [child.name]: sample.value } as IDataObject;
					const entry = { ...defaultsOf(values), ...withRequired(values, others) };
					return {
						...sample,
						entered:
							Object.keys(conditions).length > 0
								? { ...conditions, value: sample.entered }
								: sample.entered,
						value: { [group.name]: field.typeOptions?.multipleValues ? [entry] : entry },
					};
				}),
			),
		);
	}
	return samples(field).map((entered) => ({ control: path, entered, value: entered, isSetting }));
}

/** A value tried if a form has no limit, so that one in the contract shows. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Returns values of a plain control: what its placeholder suggests, its limits, its choices. */
function samples(field: Field): unknown[] {
	const { minValue, maxValue } = field.typeOptions ?? {};
	// The only suggested expression returns a URL.
	const proposed = field.placeholder
		?.replace(/^e\.g\. /, '')
		.replace(/^\{\{ \$execution.* \}\}$/, 'https://example.com/webhook/crawl');
	switch (field.type) {
		case 'notice':
			return [];
		case 'boolean':
			return [true, false];
		case 'number':
			return [...new Set([minValue ?? -UNLIMITED, maxValue ?? UNLIMITED, field.default])];
		case 'options':
			return choicesTried(field);
		case 'multiOptions':
			return choicesTried(field).map((value) => [value]);
		case 'dateTime':
			return ['2026-01-15T00:00:00'];
		case 'resourceLocator':
			return [SAMPLE_ID, SAMPLE_ID.replace('5', '6')].map((value) => ({
				__rl: true,
				mode: 'id',
				value,
			}));
		case 'json':
			return [proposed];
		case 'fixedCollection':
			return samplesOf(field, '').map(({ value }) => value);
		default:
			if (proposed === undefined) throw new Error(`${field.name} has no placeholder`);
			// A required text is in the request anyway, so it takes a second one to see that it is the control's.
			return isRequired(field) ? [proposed, otherThan(proposed)] : [proposed];
	}
}

/** Returns the values of the choices; of a long list, such as that of countries, a few. */
function choicesTried(field: Field): unknown[] {
	const values = choicesOf(field).map(({ value }) => value);
	return values.length > 50 ? [...values.slice(0, 2), ...values.slice(-2)] : values;
}

/** Returns the text with another last character. */
const otherThan = (text: string) => text.slice(0, -1) + (text.endsWith('1') ? '2' : '1');

type Conditions = Array<[string, unknown[]]>;

const otherConditions = (field: Field): Conditions =>
	Object.entries(field.displayOptions?.show ?? {}).filter(
		([name]) => name !== 'operation' && !name.startsWith('@'),
	) as Conditions;

/** Returns values of the neighbours with which the control is shown. */
function shownBy(field: Field): IDataObject {
	return Object.fromEntries(
		otherConditions(field).map(([name, [value]]) => [
			name,
			['formats'].includes(name) ? [value] : value,
		]),
	) as IDataObject;
}

/** Returns the same, one for each value with which the control is shown. */
function choicesOfConditions(field: Field): IDataObject[] {
	const [condition] = otherConditions(field);
	if (condition === undefined) return [{}];
	return condition[1].map((value) => ({ [condition[0]]: value }) as IDataObject);
}

/** Returns the values with those that are required along with them. */
function withRequired(fields: Field[], values: IDataObject): IDataObject {
	const needed = fields.filter((field) => {
		return isRequired(field) && !(field.name in values) && isShownWith(field, values);
	});
	return {
		...(Object.fromEntries(needed.map((field) => [field.name, samples(field)[0]])) as IDataObject),
		...values,
	};
}

function isShownWith(field: Field, values: IDataObject | INodeParameters): boolean {
	return otherConditions(field).every(([name, allowed]) => {
		const value = values[name] ?? values[name.replace('/', '')];
		return (Array.isArray(value) ? value : [value]).some((one) => allowed.includes(one));
	});
}

function defaultsOf(fields: Field[]): IDataObject {
	return Object.fromEntries(fields.map(({ name, default: value }) => [name, value])) as IDataObject;
}

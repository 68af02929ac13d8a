import {
	NodeConnectionTypes,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { commonForm } from './commonForm';
import { creditBudget } from './creditBudget';
import { includeOtherFields, optionsField, splitIntoItems } from '../fields/options';
import { itemOptions, leanFields } from '../fields/shapes';
import { checkedChoice } from '../form/checks';
import type { Field } from '../form/field';
import type { Operation, Operations } from './operation';
import type { RequestData } from './requestOptions';
import { placeOf, runOperation, withFailures } from './runOperation';

type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: RequestData,
) => Promise<INodeExecutionData[]>;

/** Returns all fields of an operation's form: its own, then the choice of what to pass on, then Options. */
export function formFieldsOf(operation: Operation): Field[] {
	const { fields, options = [], method, results, price } = operation;
	const has = (field: Field) => options.includes(field);
	const budget = price === undefined && !has(creditBudget) ? [] : [creditBudget];
	const whole = has(splitIntoItems) ? [splitIntoItems] : [];
	const own = options.filter((field) => ![splitIntoItems, creditBudget].includes(field as never));
	const lean = results === undefined ? [] : leanFields(results);
	const ofItems = results === undefined ? [] : itemOptions(results);
	return [
		...fields,
		...lean,
		optionsField([...own, ...whole, includeOtherFields, ...ofItems, ...budget], method),
	];
}

/** Returns the routing that makes n8n call a function for each item, in place of sending the item's request. */
const routedTo = (pagination: Pagination) => ({
	send: { paginate: true as const },
	operations: { pagination },
});

/**
 * Returns the operation dropdown. Its own routing handles values that aren't in the list, e.g. in a workflow written by
 * a model, for which n8n would otherwise send a request without an address.
 */
function dropdown(operations: Operations, forms: Field[][]): INodeProperties {
	const field = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options' as const,
		noDataExpression: true,
		default: Object.keys(operations)[0],
		options: Object.entries(operations).map((entry, index) => dropdownEntry(entry, forms[index])),
	};
	return {
		...field,
		routing: routedTo(async function () {
			return await withFailures(this, async () => {
				// This is the stored value, because n8n itself doesn't evaluate it when it looks for the operation.
				const entered = this.getNode().parameters[field.name];
				checkedChoice(field, entered, { ...placeOf(this), labels: [field.displayName] });
				return [];
			});
		}),
	};
}

/** Maximum number of choices that a description names. */
const MOST_NAMED = 20;

/**
 * Returns how to write a field's value, judging by properties that only such fields have; undefined for plain strings
 * and numbers.
 */
function waysOf({ hint = '', type, options = [] }: Field): string | undefined {
	if (/one per line/i.test(hint)) return 'one per line';
	if (type === 'dateTime') return 'as YYYY-MM-DD';
	const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
	if (values.length === 0 || values.length > MOST_NAMED) return undefined;
	return `${type === 'multiOptions' ? 'some of' : 'one of'} ${values.join(', ')}`;
}

/** Returns how a model should write the fields that it may be asked for, since n8n only tells it their names. */
function howToWrite(fields: Field[]): string {
	// Users decide later which fields the model fills in; fields that are shown only for some choices are rarely among
	// them.
	const ways = fields
		.filter(({ displayOptions, type }) => displayOptions === undefined || type === 'dateTime')
		.map((field) => [field.displayName, waysOf(field)])
		.filter(([, way]) => way !== undefined);
	if (ways.length === 0) return '';
	return `. If you fill in one of these, write it so: ${ways.map((way) => way.join(': ')).join('; ')}.`;
}

/**
 * Returns the field that tells the model what a tool does. Without it, n8n would add one with the same text for all
 * operations.
 */
function toolDescription([value, { description, fields }]: [string, Operation]): INodeProperties {
	const text = description + howToWrite(fields);
	return {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 2 },
		default: text,
		required: true,
		description: 'What the model is told: what the tool does, and when to use it',
		displayOptions: { show: { operation: [value], '@tool': [true] } },
	};
}

/** Returns the part of a node's description that all nodes with operations have: their form, credential and routing. */
export const operationsPart = (operations: Operations) => ({
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: [{ name: 'webDataServiceApi', required: true, testedBy: 'testCredential' }],
	requestDefaults: {},
	properties: propertiesOf(operations),
});

/** Returns the operation dropdown and the fields of all operations, each shown for the operations that have it. */
function propertiesOf(operations: Operations): INodeProperties[] {
	const entries = Object.entries(operations);
	const forms = entries.map(([, operation]) => formFieldsOf(operation));
	return [
		dropdown(operations, forms),
		...entries.map(toolDescription),
		...commonForm(entries.map(([value], index) => [value, forms[index]])),
	];
}

/** Returns a name in sentence case, as the node panel shows it: `Read PDF file` for `Read PDF File`. */
const sentenceCase = (name: string) =>
	name.replace(/ [A-Z](?=[a-z])/g, (initial) => initial.toLowerCase());

/**
 * Returns an operation's entry in the dropdown. Its routing declares the endpoint, makes the checks and requests, and
 * creates the items.
 */
function dropdownEntry(
	[value, operation]: [string, Operation],
	fields: Field[],
): INodePropertyOptions {
	const { name, description } = operation;
	const routing = routedTo(async function (requestData) {
		return await runOperation(operation, fields, this, requestData);
	});
	const request = { method: operation.method, url: operation.path };
	const action = sentenceCase(name);
	return { name, value, action, description, routing: { request, ...routing } };
}

import type {
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { checkedChoice } from '../form/checks';
import type { Field } from '../form/field';
import { propertyOf } from '../form/properties';
import type { Operation } from './operation';
import { formFieldsOf } from './operationForm';
import type { RequestData } from './requestOptions';
import { placeOf, runOperation, withFailures } from './runOperation';

type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: RequestData,
) => Promise<INodeExecutionData[]>;

/** Returns the routing that makes n8n call a function for an item, in place of the item's request. */
const routedTo = (pagination: Pagination) => ({
	send: { paginate: true as const },
	operations: { pagination },
});

/**
 * Returns the operation dropdown. Its own routing handles values that are not in the list, e.g. in a workflow written
 * by a model, for which n8n would otherwise send a request to no address.
 */
function dropdown(operations: Operation[]): INodeProperties {
	const field = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options' as const,
		noDataExpression: true,
		default: operations[0].value,
		options: operations.map(dropdownEntry),
	};
	return {
		...field,
		routing: routedTo(async function () {
			return await withFailures(this, async () => {
				// The stored value: n8n itself doesn't evaluate it when it looks for the operation.
				const entered = this.getNode().parameters[field.name];
				checkedChoice(field, entered, { ...placeOf(this), labels: [field.displayName] });
				return [];
			});
		}),
	};
}

/** How to write values, for the fields that need it: n8n tells a model only their names. */
const WRITTEN: Array<[isSuch: (field: Field) => boolean, how: string]> = [
	[({ hint = '' }) => /one per line/i.test(hint), 'one per line'],
	[({ type }) => type === 'dateTime', 'as YYYY-MM-DD'],
	[({ type }) => type === 'json', 'as JSON'],
];

function howToWrite(fields: Field[]): string {
	const ways = WRITTEN.map(([isSuch, how]) => [fields.filter(isSuch), how] as const)
		.filter(([such]) => such.length > 0)
		.map(([such, how]) => `${such.map(({ displayName }) => displayName).join(' and ')} ${how}`);
	return ways.length > 0 ? `. Write ${ways.join(', ')}.` : '';
}

/**
 * Returns the field that tells the model what a tool does. n8n would otherwise add one with the same text for all
 * operations.
 */
function toolDescription({ value, description, fields }: Operation): INodeProperties {
	const told = description + howToWrite(fields);
	return {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 2 },
		default: told,
		required: true,
		description: 'What the model is told about this tool: what it does and when to use it',
		displayOptions: { show: { operation: [value], '@tool': [true] } },
	};
}

/**
 * Returns the operation dropdown and the fields of all operations, each shown for the operations that have it. A field
 * that only one operation has follows its predecessor there, so that every form keeps its own order around the shared
 * fields.
 */
export function propertiesOf(operations: Operation[]): INodeProperties[] {
	const order: Field[] = [];
	const users = new Map<Field, string[]>();
	for (const operation of operations) {
		let next = 0;
		for (const field of formFieldsOf(operation)) {
			if (!users.has(field)) order.splice(next, 0, field);
			next = order.indexOf(field) + 1;
			users.set(field, [...(users.get(field) ?? []), operation.value]);
		}
	}
	return [
		dropdown(operations),
		...operations.map(toolDescription),
		...order.map(propertyOf).map((field, index) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { operation: users.get(order[index]), ...field.displayOptions?.show },
			},
		})),
	];
}

/** Returns an operation's entry; its routing does the checks, the requests and the items. */
function dropdownEntry(operation: Operation): INodePropertyOptions {
	const { name, value, action, description } = operation;
	const fields = formFieldsOf(operation);
	const routing = routedTo(async function (requestData) {
		return await runOperation(operation, fields, this, requestData);
	});
	return { name, value, action, description, routing };
}

import type {
	IExecutePaginationFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { checkedChoice } from '../form/checks';
import type { Field } from '../form/field';
import type { Operation } from '../operation';
import { formFieldsOf } from './operationForm';
import type { RequestData } from './requestOptions';
import { runOperation, withFailures } from './runOperation';

const operationField: Field = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: '',
	options: [],
};

/** The operation dropdown. */
function dropdown(operations: Operation[]): INodeProperties {
	const options = operations.map(dropdownEntry);
	const field = { ...operationField, default: operations[0].value, options };
	return {
		...field,
		// For what is not in the list, as in a workflow that a model wrote: n8n would send a request to nowhere.
		routing: {
			send: { paginate: true },
			operations: {
				async pagination(this: IExecutePaginationFunctions) {
					return await withFailures(this, async () => {
						const place = { node: this.getNode(), itemIndex: this.getItemIndex() };
						// As it is stored: n8n doesn't evaluate it either where it looks for the operation.
						const entered = this.getNode().parameters[field.name];
						checkedChoice(field, entered, { ...place, labels: [field.displayName] });
						return [];
					});
				},
			},
		},
	};
}

/**
 * What the model is told that a tool does. n8n gives every tool such a field unless it has its own; the text there would
 * be the node's, the same for all operations.
 */
function toolDescription({ value, description }: Operation): INodeProperties {
	return {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 2 },
		default: description,
		required: true,
		description: 'What the model is told about this tool: what it does and when to use it',
		displayOptions: { show: { operation: [value], '@tool': [true] } },
	};
}

/**
 * The operation dropdown and the fields of all operations, each shown for those that have it. What an operation alone
 * has stands behind the field before it there, so that every form keeps its own order around the shared fields.
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
		...order.map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { operation: users.get(field), ...field.displayOptions?.show },
			},
		})),
	];
}

/**
 * The routing of an operation. n8n wraps a pagination function around the whole call of an item, even a single
 * one, so that is where checking, the request path and the items are.
 */
function dropdownEntry(operation: Operation): INodePropertyOptions {
	const { name, value, action, description } = operation;
	const fields = formFieldsOf(operation);
	return {
		name,
		value,
		action,
		description,
		routing: {
			send: { paginate: true },
			operations: {
				async pagination(this: IExecutePaginationFunctions, requestData: RequestData) {
					return await runOperation(operation, fields, this, requestData);
				},
			},
		},
	};
}

import type {
	IExecutePaginationFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Field } from '../form/field';
import type { Operation } from '../operation';
import { formFieldsOf } from './operationForm';
import type { RequestData } from './requestOptions';
import { runOperation } from './runOperation';

const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: '',
	options: [],
};

/** The operation dropdown and the fields of all operations, each shown for those that have it. */
export function propertiesOf(operations: Operation[]): INodeProperties[] {
	const fields = new Map<Field, string[]>();
	for (const operation of operations) {
		for (const field of formFieldsOf(operation)) {
			fields.set(field, [...(fields.get(field) ?? []), operation.value]);
		}
	}
	return [
		{ ...operationField, default: operations[0].value, options: operations.map(dropdownEntry) },
		...[...fields].map(([field, values]) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { operation: values, ...field.displayOptions?.show },
			},
		})),
	];
}

/**
 * The routing of an operation. n8n wraps a pagination function around the whole call of an item, even a single
 * one, so that is where checking, the request path and the items are.
 */
function dropdownEntry(operation: Operation): INodePropertyOptions {
	const { name, value, action, description, method } = operation;
	const fields = formFieldsOf(operation);
	return {
		name,
		value,
		action,
		description,
		routing: {
			request: { method },
			send: { paginate: true },
			operations: {
				async pagination(this: IExecutePaginationFunctions, requestData: RequestData) {
					return await runOperation(operation, fields, this, requestData);
				},
			},
		},
	};
}

import { includeOtherFields, optionsField, splitIntoItems } from '../fields/options';
import { creditBudget } from './creditBudget';
import { itemOptions, leanFields } from '../fields/shapes';
import { compose } from '../form/compose';
import type { Field, ItemPlace } from '../form/field';
import { Form } from '../form/form';
import { checkedId } from '../form/ids';
import type { Operation } from './operation';
import type { ServiceCall } from '../client';

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

/** An item's form as the user filled it in, and the call it makes. */
export interface FilledCall {
	form: Form;
	call: ServiceCall;
	/** What the operation's own check returned. */
	checked: unknown;
	/** The job named in the path. */
	jobId?: string;
}

/** The endpoint of an operation, as its routing declares it to n8n. */
export type Endpoint = Pick<Operation, 'method' | 'path'>;

/** Composes and checks an item's call without sending anything. Throws NodeOperationError. */
export function composeCall(
	operation: Operation,
	fields: Field[],
	read: (name: string) => unknown,
	place: ItemPlace,
	endpoint: Endpoint = operation,
): FilledCall {
	const composed = compose(fields, read, place);
	const form = new Form(composed, place);
	const checked = operation.check?.(form);
	const template = operation.otherPath?.(form) ?? endpoint.path;
	let jobId: string | undefined;
	const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const label = operation.fields.find((field) => field.name === name)?.displayName ?? name;
		composed.path[name] = jobId = checkedId(composed.path[name], { ...place, labels: [label] });
		return encodeURIComponent(jobId);
	});
	const call = {
		method: endpoint.method,
		path,
		...(Object.keys(composed.query).length > 0 ? { query: composed.query } : {}),
		...(Object.keys(composed.body).length > 0 ? { body: composed.body } : {}),
	};
	return { form, call, jobId, checked };
}

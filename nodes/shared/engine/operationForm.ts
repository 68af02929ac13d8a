import { optionsField } from '../fields/options';
import { creditBudget } from '../credits/budget';
import { leanFields } from '../results/shapes';
import type { Composed } from '../form/compose';
import type { Field, Place } from '../form/field';
import { valueAt } from '../json';
import type { Form, Operation } from '../operation';

/** Lists an operation's whole form: its fields, the choice of what to pass on, then Options. */
export function formFieldsOf(operation: Operation): Field[] {
	const { fields, options = [], method, results, price } = operation;
	const budget = price === undefined ? [] : [creditBudget];
	const lean = results === undefined ? [] : leanFields(results);
	return [...fields, ...lean, optionsField([...options, ...budget], method)];
}

export function filledForm(composed: Composed, place: Required<Place>): Form {
	const get = <Value>({ name, wire }: Field<Value>) =>
		valueAt(composed[wire?.in ?? 'body'], wire?.as ?? name) as Value | undefined;
	return {
		get,
		need: get as Form['need'],
		body: composed.body,
		settings: composed.settings,
		place,
	};
}

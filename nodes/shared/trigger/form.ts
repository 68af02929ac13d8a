import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { compose } from '../form/compose';
import type { Field } from '../form/field';

export interface TriggerForm {
	/** The part of the request body that the form supplies. */
	body: IDataObject;
	/** Returns the checked value of a setting, or its default if it was left alone. */
	get: <Value>(field: Field<Value>) => Value;
	/** Returns the checked value of an option, if the user added it. */
	added: <Value>(field: Field<Value>) => Value | undefined;
}

/** Reads and checks a trigger's form. Throws NodeOperationError naming the field. */
export function readForm(context: IPollFunctions, fields: Field[]): TriggerForm {
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	const place = { node: context.getNode(), timezone: context.getTimezone(), labels: [] };
	const { body, settings } = compose(fields, read, place);
	return {
		body,
		get: <Value>({ name, default: standard }: Field<Value>) =>
			(settings[name] ?? standard) as Value,
		added: <Value>({ name }: Field<Value>) => settings[name] as Value | undefined,
	};
}

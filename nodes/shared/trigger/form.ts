import type { IPollFunctions } from 'n8n-workflow';

import { compose } from '../form/compose';
import type { Field, Place } from '../form/field';
import { Form } from '../form/form';

/** Reads and checks a trigger's form. Throws NodeOperationError naming the field. */
export function readForm(context: IPollFunctions, fields: Field[]): Form<Place> {
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	const place = { node: context.getNode(), timezone: context.getTimezone(), labels: [] };
	return new Form(compose(fields, read, place), place);
}

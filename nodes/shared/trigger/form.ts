import type { IExecutePaginationFunctions, IPollFunctions } from 'n8n-workflow';

import { compose } from '../form/compose';
import type { Field, Place } from '../form/field';
import { Form } from '../form/form';

/** Reads and checks a trigger's form. Throws NodeOperationError naming the field. */
export function readForm(context: IPollFunctions, fields: Field[]): Form<Place> {
	const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
	// n8n's own type of this context lacks it.
	const { evaluateExpression } = context as unknown as IExecutePaginationFunctions;
	const place = {
		node: context.getNode(),
		timezone: context.getTimezone(),
		evaluate: (expression: string) => evaluateExpression.call(context, expression, 0),
		labels: [],
	};
	return new Form(compose(fields, read, place), place);
}

import { textField } from '../form/controls';
import type { Field } from '../form/field';

/** Takes a job's id; `what` names the kind of job, e.g. `agent task`. */
export const jobIdField = (what: string): Field<string> =>
	textField('jobId', 'Job ID', {
		required: true,
		placeholder: 'e.g. 5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c',
		description: `The ID returned when the ${what} was started`,
		wire: { in: 'path' },
	});

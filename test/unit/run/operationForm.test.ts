import type { Operation } from '../../../nodes/shared/run/operation';
import { composeCall, formFieldsOf } from '../../../nodes/shared/run/operationForm';
import { textField } from '../../../nodes/shared/form/controls';
import { errorOf, place } from '../../support/form';

const jobId = textField('jobId', 'Job', { required: true, wire: { in: 'path' } });

const operation = (parts: Partial<Operation>): Operation => ({
	name: 'Try',
	value: 'try',
	action: 'Try',
	description: 'Try',
	method: 'GET',
	path: '/v2/jobs',
	fields: [],
	...parts,
});

const at = { ...place, itemIndex: 2, timezone: 'UTC' };

it('the call of an operation names the job in its path, also in an error', () => {
	const entry = operation({ path: '/v2/jobs/{jobId}', fields: [jobId] });
	const called = (value: string) => composeCall(entry, entry.fields, () => value, at);
	expect(called('a&b')).toMatchObject({ jobId: 'a&b', call: { path: '/v2/jobs/a%26b' } });
	expect(errorOf(() => called('a/b')).message).toMatch(/^Job /);
});

describe('the fields of an operation', () => {
	it('has a budget only if it costs anything', () => {
		const options = (parts: Partial<Operation>) =>
			JSON.stringify(formFieldsOf(operation(parts)).at(-1));
		expect(options({})).not.toContain('Credit Budget');
		expect(options({ price: () => ({ credits: 1 }) as never })).toContain('Credit Budget');
	});
});

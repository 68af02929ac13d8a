import type { Operation } from '../../../nodes/shared/run/operation';
import { composeCall } from '../../../nodes/shared/run/runOperation';
import { textField } from '../../../nodes/shared/form/controls';
import { errorOf, place } from '../../support/form';

const jobId = textField('jobId', 'Job', { required: true, wire: { in: 'path' } });

it('the call of an operation names the job in its path, also in an error', () => {
	const words = { name: 'Try', description: 'Try' };
	const entry: Operation = { ...words, method: 'GET', path: '/v2/jobs/{jobId}', fields: [jobId] };
	const at = { ...place, itemIndex: 2, timezone: 'UTC' };
	const called = (value: string) => composeCall(entry, entry.fields, () => value, at);
	expect(called('a&b')).toMatchObject({ jobId: 'a&b', call: { path: '/v2/jobs/a%26b' } });
	expect(errorOf(() => called('a/b')).message).toMatch(/^Job /);
});

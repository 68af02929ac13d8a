import type { Operation } from '../../../nodes/shared/run/operation';
import { composeCall, formFieldsOf } from '../../../nodes/shared/run/operationForm';
import { textField } from '../../../nodes/shared/form/controls';
import { errorOf, place } from '../../support/form';

const jobId = textField('jobId', 'Job', { required: true, wire: { in: 'path' } });
const limit = textField('limit', 'Limit', { wire: { in: 'query' } });
const query = textField('query', 'Query', {});

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

function called(parts: Partial<Operation>, values: Record<string, unknown>, endpoint?: object) {
	const entry = operation(parts);
	const at = { ...place, itemIndex: 2, timezone: 'UTC' };
	const read = (name: string) => values[name] ?? '';
	return composeCall(entry, entry.fields, read, at, endpoint as Operation);
}

describe('the call of an operation', () => {
	it.each([
		['a GET', {}, {}, { method: 'GET', path: '/v2/jobs' }],
		[
			'a GET with a query',
			{ fields: [limit] },
			{ limit: '5' },
			{ method: 'GET', path: '/v2/jobs', query: { limit: '5' } },
		],
		['a bare POST', { method: 'POST' }, {}, { method: 'POST', path: '/v2/jobs', body: {} }],
		[
			'a POST with values',
			{ method: 'POST', fields: [query] },
			{ query: 'tea' },
			{ method: 'POST', path: '/v2/jobs', body: { query: 'tea' } },
		],
		[
			'a DELETE of a job',
			{ method: 'DELETE', path: '/v2/jobs/{jobId}', fields: [jobId] },
			{ jobId: 'a&b' },
			{ method: 'DELETE', path: '/v2/jobs/a%26b' },
		],
		[
			'another path by a choice',
			{ otherPath: () => '/v1/jobs/{jobId}', fields: [jobId] },
			{ jobId: 'a' },
			{ method: 'GET', path: '/v1/jobs/a' },
		],
	] satisfies Array<[string, Partial<Operation>, object, object]>)(
		'is %s',
		(_name, parts, values, call) => {
			expect(called(parts, values as Record<string, unknown>).call).toEqual(call);
		},
	);

	it('takes method and path from the endpoint that n8n was told', () => {
		const endpoint = { method: 'DELETE', path: '/v2/others' };
		expect(called({}, {}, endpoint).call).toEqual(endpoint);
	});

	it('names the job in its path, also in an error', () => {
		const parts = { path: '/v2/jobs/{jobId}', fields: [query, jobId] };
		expect(called(parts, { jobId: 'a' }).jobId).toBe('a');
		expect(errorOf(() => called(parts, { jobId: 'a/b' })).message).toMatch(/^Job /);
	});
});

describe('the fields of an operation', () => {
	it('has a budget only if it costs anything', () => {
		const options = (parts: Partial<Operation>) =>
			JSON.stringify(formFieldsOf(operation(parts)).at(-1));
		expect(options({})).not.toContain('Credit Budget');
		expect(options({ price: () => ({ credits: 1 }) as never })).toContain('Credit Budget');
	});
});

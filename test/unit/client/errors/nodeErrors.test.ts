import { NodeOperationError } from 'n8n-workflow';

import { nodeErrorOf, withWholeMessage } from '../../../../nodes/shared/client/errors/nodeErrors';
import {
	ServiceError,
	type ServiceErrorDetails,
	withJob,
} from '../../../../nodes/shared/client/errors/serviceError';
import { node } from '../../../support/form';

describe("a tool's error", () => {
	it.each([
		['No luck', 'Try later.', 'No luck. Try later.'],
		['No luck.', 'Try later.', 'No luck. Try later.'],
		['No luck', '', 'No luck'],
	])('%j, %j is %j, however often it is thrown', (message, description, whole) => {
		const error = new NodeOperationError(node, message, { description });
		expect(withWholeMessage(withWholeMessage(error))).toBe(error);
		expect(error.message).toBe(whole);
	});

	it('has no code that n8n would replace its message for', () => {
		const [jobId, lacksJob] = ['7', true];
		const reason = 'Reason: ENOTFOUND: getaddrinfo ENOTFOUND a.b.';
		const details = { description: 'It may be billed.', reason, jobId, lacksJob };
		const error = nodeErrorOf(new ServiceError('No luck', details), { node, isForModel: true });
		// Wrapped as by n8n when it runs the tool itself.
		const wrapped = new NodeOperationError(node, withWholeMessage(error));
		expect(wrapped.message).toBe('No luck. It may be billed. Job: 7.');
		expect(wrapped.description).toBe('It may be billed. Job: 7.');
	});

	it.each([
		['another reason', true, 'Reason: self-signed certificate.'],
		['a person', false, 'Reason: ENOTFOUND: getaddrinfo ENOTFOUND a.b.'],
	])('has the reason with %s', (_case, isForModel, reason) => {
		const error = new ServiceError('No luck', { description: 'It may be billed.', reason });
		const { description } = nodeErrorOf(error, { node, isForModel });
		expect(description).toBe(`It may be billed. ${reason}`);
	});
});

describe('the description of an error', () => {
	const job = { id: '7', getBy: 'Get' };
	const advice =
		'Job 7 continues at the service: once that is solved, use "Get" with this ID, at no cost.';
	const bare = 'Job: 7.';

	it.each<[string, Partial<ServiceErrorDetails>, boolean | undefined, string]>([
		['without a job', {}, undefined, bare],
		['without a job that goes on', {}, true, advice],
		['of a call about the job', { jobId: '7', lacksJob: true }, undefined, bare],
		['of a call about the job that goes on', { jobId: '7', lacksJob: true }, true, advice],
		['that names it already', { jobId: '7' }, undefined, ''],
		['that names it already and goes on', { jobId: '7' }, true, ''],
	])('names the job once, behind all else: %s', (_case, details, isRunning, line) => {
		// The ID stands in the text by chance.
		const description = 'Wait 7 s. Reason: Job: 7.';
		const error = new ServiceError('No luck', { description, reason: 'Reason: x.', ...details });
		const whole = (withJob(withJob(error, job), job, { isRunning }) as ServiceError).description;
		expect(whole).toBe(`${description} Reason: x. ${line}`.trim());
	});
});

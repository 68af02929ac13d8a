import type { NodeError } from '../../../nodes/shared/client/errors/nodeErrors';
import { ServiceError, Stopped } from '../../../nodes/shared/client/errors/serviceError';
import { Endings, endingOf } from '../../../nodes/shared/run/endings';

const job = { id: 'job-1', getBy: 'Get' };
const failed = (details: object) => new ServiceError('No', { description: '', ...details });

describe('how an item ended', () => {
	it.each([
		['a stop before it was sent', new Stopped(), { kind: 'unsent' }],
		['a stop after it was sent', new Stopped(undefined, true), { kind: 'unsure' }],
		['a stop while its job runs', new Stopped(job, true), { kind: 'running', job }],
		['any other error', new Error('No'), { kind: 'failed' }],
		['a rejection', failed({}), { kind: 'failed' }],
		['a call that was not sent', failed({ isUnsent: true, mayBeBilled: true }), { kind: 'unsent' }],
		['a call without a response', failed({ mayBeBilled: true }), { kind: 'unsure' }],
		['a wait', failed({ jobId: 'job-1', getBy: 'Get', isRunning: true }), { kind: 'running', job }],
		[
			'a job that failed',
			failed({ jobId: 'job-1', getBy: 'Get', mayBeBilled: true }),
			{ kind: 'failed', job },
		],
		['a call for a job that no operation gets', failed({ jobId: 'job-1' }), { kind: 'failed' }],
		['a call that names no job', failed({ getBy: 'Get' }), { kind: 'failed' }],
	])('by %s', (_name, error, ending) => {
		expect(endingOf(error)).toEqual(ending);
	});
});

describe('the error of an item', () => {
	const told = (description: string | undefined, others: Array<ReturnType<typeof endingOf>>) => {
		const endings = new Endings();
		const error = { description } as NodeError;
		endings.begin();
		for (const ending of others) {
			endings.begin();
			endings.end(ending);
		}
		endings.end({ kind: 'failed' }, error);
		endings.describeFailures(true);
		return error.description;
	};

	it('says nothing of others if there are none', () => {
		expect(told('Why.', [])).toBe('Why.');
	});

	it('counts how the others ended', () => {
		expect(told('Why.', [{ kind: 'unsure' }, { kind: 'unsent' }, { kind: 'running', job }])).toBe(
			'Why. Of 4 items, 0 had finished, 1 failed, 1 goes on at the service, 1 may have been billed and 1 was not sent. “Get” gives the results of the other job without paying again: job-1.',
		);
	});

	it('says how to keep what had finished, and that nobody pays again for it', () => {
		expect(told('Why.', [{ kind: 'finished' }])).toMatch(
			/1 had finished and 1 failed\. Finished results are not passed on, .* to keep them\. Retry On Fail does not pay again/,
		);
	});

	it('begins with the counts if it has no description', () => {
		expect(told(undefined, [{ kind: 'unsent' }])).toBe(
			'Of 2 items, 0 had finished, 1 failed and 1 was not sent.',
		);
	});

	it('names no job twice', () => {
		const running = { kind: 'running' as const, job };
		const other = { kind: 'running' as const, job: { id: 'job-2', getBy: 'Get' } };
		expect(told('Job: job-1.', [running, other, other])).toMatch(
			/^Job: job-1\. Of 4 items, .* gives the results of the other job without paying again: job-2\.$/,
		);
		expect(told('Job: job-1.', [running])).toBe(
			'Job: job-1. Of 2 items, 0 had finished, 1 failed and 1 goes on at the service.',
		);
	});
});

import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { pageFailure } from '../../../../nodes/shared/run/results/pageFailure';
import {
	errorItem,
	errorJson,
	withWholeMessage,
} from '../../../../nodes/shared/client/errors/nodeErrors';
import { cpuTime } from '../../../support/cpuTime';
import { node } from '../../../support/form';

describe('an error as an item', () => {
	function apiError(httpCode?: string): NodeApiError {
		return new NodeApiError(node, {}, { message: 'No luck', description: 'Try later.', httpCode });
	}

	it('has its message and all that is known of it, and is paired', () => {
		const error = apiError('402');
		error.context.service = { code: 'X', serviceError: 'broke' };
		expect(errorItem(error, 4)).toEqual({
			json: {
				message: 'No luck',
				error: {
					message: 'No luck',
					description: 'Try later.',
					httpStatus: 402,
					code: 'X',
					serviceError: 'broke',
				},
			},
			pairedItem: { item: 4 },
		});
	});

	it('has no status where there is none', () => {
		expect(errorJson(apiError()).error).toEqual({ message: 'No luck', description: 'Try later.' });
		const own = new NodeOperationError(node, 'Empty', { description: 'Fill it in.' });
		expect(errorJson(Object.assign(own, { httpCode: '402' })).error).toEqual({
			message: 'Empty',
			description: 'Fill it in.',
		});
	});

	it('has what was paid for all the same', () => {
		expect(errorJson(apiError(), { url: 'u' }).error).toMatchObject({ data: { url: 'u' } });
	});
});

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
		const description = 'It may be billed. Reason: ENOTFOUND: getaddrinfo ENOTFOUND a.b. Job: 7.';
		const error = new NodeApiError(node, {}, { message: 'No luck', description });
		error.message = 'No luck';
		// Wrapped as by n8n when it runs the tool itself.
		const wrapped = new NodeOperationError(node, withWholeMessage(error));
		expect(wrapped.message).toBe('No luck. It may be billed. Job: 7.');
		expect(wrapped.description).toBe('It may be billed. Job: 7.');
	});

	it('takes no time for a long text', () => {
		const spent = cpuTime();
		const description = ' Reason: ECONNRESET'.repeat(50_000);
		withWholeMessage(new NodeOperationError(node, 'No luck', { description }));
		expect(spent()).toBeLessThan(1_000);
	});
});

describe('the failure of a page that came as a result', () => {
	const failureOf = (metadata: unknown) =>
		pageFailure({ metadata } as IDataObject, { mayCost: true });
	const BILLED =
		'The service may have billed it. With On Error set to “Continue (using error output)” the other pages go on, and this one goes to the error branch with its content.';

	it.each([[undefined], [null], ['x'], [[]], [{}], [{ statusCode: 399 }], [{ error: 7 }]])(
		'is none in %j',
		(metadata) => {
			expect(failureOf(metadata)).toBeUndefined();
		},
	);

	it('is a status of 400 or above', () => {
		const failure = failureOf({ statusCode: 400, sourceURL: 'https://a.example', url: 'other' });
		expect(failure?.message).toBe('The page answered with status 400');
		expect(failure?.details.description).toBe(`Page: https://a.example. ${BILLED}`);
	});

	it('is an error, whatever the status', () => {
		const failure = failureOf({ statusCode: 200, error: 'It is gone', url: 'https://a.example' });
		expect(failure?.message).toBe('The page could not be scraped');
		expect(failure?.details.description).toBe(
			`Reason: It is gone. Page: https://a.example. ${BILLED}`,
		);
		expect(failureOf({ error: 'x' })?.details.description).toBe(`Reason: x. ${BILLED}`);
		expect(failureOf({ statusCode: 404, error: 'x' })?.message).toMatch(/status 404$/);
	});
});

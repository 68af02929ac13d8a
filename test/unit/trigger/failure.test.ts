import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { failureOf } from '../../../nodes/shared/trigger/failure';

const node = { name: 'Web Data Crawl Trigger' } as INode;
const apiError = (httpCode?: string) => new NodeApiError(node, {}, { message: 'x', httpCode });

describe('failureOf', () => {
	it('keeps what the request path has declared', () => {
		const failure = { cause: 'rate-limited' as const, retryAfterMs: 1_000 };
		expect(failureOf(Object.assign(apiError('429'), { failure }))).toBe(failure);
	});

	it.each([
		[apiError('404'), 'configuration-invalid'],
		[apiError('400'), 'configuration-invalid'],
		[apiError('418'), 'temporarily-unavailable'],
		[apiError(), 'temporarily-unavailable'],
		[new NodeOperationError(node, 'Crawls is empty'), 'configuration-invalid'],
	])('takes %s for %s', (error, cause) => expect(failureOf(error)).toEqual({ cause }));
});

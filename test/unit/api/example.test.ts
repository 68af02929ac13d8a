import { operations, validateResponse } from '../../../api/contract';
import { EXAMPLE_ID, exampleResponse } from '../../../api/example';

it.each(operations)(
	'$operationId has an example that keeps the contract',
	({ operationId, method, path }) => {
		const asked = path.replace(/\{\w+\}/g, EXAMPLE_ID);
		expect(validateResponse(method, asked, 200, exampleResponse(operationId))).toEqual([]);
	},
);

it('ends what it exemplifies: the job is completed and no further page follows', () => {
	expect(exampleResponse('crawlStatusV1')).toMatchObject({ status: 'completed', next: null });
	expect(exampleResponse('usageActivity')).toMatchObject({ cursor: null, has_more: false });
});

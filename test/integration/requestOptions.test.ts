import type { IDataObject } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { itemsOf } from '../support/engine';
import { freshLimiters } from '../support/limiters';
import { search as node } from '../support/nodes';
import { type MoreOptions, served } from '../support/served';

let service: LocalService;
const run = served({}, (started) => (service = started));
beforeEach(freshLimiters);
afterEach(() => jest.restoreAllMocks());

async function search(requestOptions: IDataObject, items: IDataObject[], more?: MoreOptions) {
	const parameters = { operation: 'search', query: '={{ $json.q }}', requestOptions };
	return await run(node, parameters as never, { items: itemsOf(...items), ...more });
}

const queries = (...q: unknown[]) => q.map((query) => ({ q: query as string }));

describe('Timeout', () => {
	it.each([
		['as text', '30000'],
		['as an expression', '={{ 30000 }}'],
		['left empty', ''],
		['of 0, which n8n takes for its default', 0],
	])('%s is taken', async (_name, timeout) => {
		const { output, error } = await search({ timeout }, queries('a', 'b'));
		expect(error).toBeUndefined();
		expect(output[0].length).toBeGreaterThan(0);
	});

	it('as text ends a request', async () => {
		service.fail({ hang: true });
		const { error } = await search({ timeout: '200' }, queries('a'));
		expect(error?.message).toMatch(/did not respond in time/);
	});

	it.each([
		[-1, 'Timeout is -1, but must be from 1 to 2147483647'],
		[0.5, 'Timeout is 0.5, but must be a whole number'],
		['soon', 'Timeout is "soon", which is not a number'],
		[1e12, 'Timeout is 1000000000000, but must be from 1 to 2147483647'],
	])('of %j is rejected before anything is sent', async (timeout, message) => {
		const items = queries(...Array.from({ length: 20 }, (_, n) => `q${n}`));
		const { output, error } = await search({ timeout }, items, { onError: 'continueErrorOutput' });
		expect(error).toBeUndefined();
		expect(output[1]).toHaveLength(20);
		expect(output[1][3].json).toMatchObject({ message });
		expect(JSON.stringify(output[1][3].json)).toContain('Settings → Request Options → Timeout');
		expect(service.requests).toHaveLength(0);
	});
});

describe('Batching', () => {
	const batching = { batch: { batchSize: 2, batchInterval: 30 } };
	const invalid = 'x'.repeat(501);

	it('sends nothing of a batch with an invalid item, nor after it', async () => {
		const items = queries('a', 'b', 'c', 'd', invalid, 'f', 'g');
		const started = Date.now();
		const { error } = await search({ batching }, items);
		// n8n shows the error after its last batch.
		expect(Date.now() - started).toBeGreaterThanOrEqual(3 * 30);
		expect(error).toMatchObject({ context: { itemIndex: 4 } });
		expect(error?.description).toContain(
			'Of 7 items, 4 had finished, 1 failed and 2 were not sent',
		);
		expect(service.requests).toHaveLength(4);
	});

	it('shows the error of the first item at once if n8n runs no other', async () => {
		const items = queries(invalid, ...Array.from({ length: 20 }, () => 'a'));
		const started = Date.now();
		const { error } = await search({ batching }, items, { executeOnce: true });
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		expect(Date.now() - started).toBeLessThan(1_000);
	});

	it('sends all valid items, each with its own values, where errors continue', async () => {
		const items = queries('a', 'b', invalid, 'd', 'e');
		const { output } = await search({ batching }, items, { onError: 'continueErrorOutput' });
		expect(output[1].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }]);
		const sent = service.requests.map(({ body }) => (body as IDataObject).query);
		expect(sent).toEqual(['a', 'b', 'd', 'e']);
	});
});

/** What a person learns of a job that has completed with nothing as its result. */
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../../mock-service';
import { itemsOf } from '../../support/engine';
import { passAtEachGet } from '../../support/passingTime';
import type * as QuickTime from '../../support/quickTime';
import { served } from '../../support/served';
import { agent, extract } from '../../support/nodes';

jest.mock('../../../nodes/shared/base/time', () =>
	jest.requireActual<typeof QuickTime>('../../support/quickTime').quickTime(),
);

const ID = '0190a8a0-0000-7000-8000-000000000001';
const jobId = { __rl: true, mode: 'id', value: ID };

let service: LocalService;
const runWith = served({ jobMs: 0 }, (started) => (service = started));

const OPERATIONS: Array<[string, INodeType, INodeParameters]> = [
	['an agent task that was waited for', agent, { operation: 'startAndWait', prompt: 'Prices' }],
	['an agent task that is fetched', agent, { operation: 'get', jobId }],
	[
		'an extraction that was waited for',
		extract,
		{ operation: 'startAndWait', urls: 'https://a.example', prompt: 'Prices' },
	],
	['an extraction that is fetched', extract, { operation: 'get', jobId }],
];

async function warningOf(
	node: INodeType,
	parameters: INodeParameters,
	body: IDataObject,
	simplify: boolean,
): Promise<string> {
	// An end without anything is only believed after a while.
	passAtEachGet(service, 10_000);
	service.fail({
		method: 'GET',
		status: 200,
		body: { success: true, status: 'completed', ...body },
	});
	const { output, error } = await runWith(
		node,
		{ ...parameters, simplify },
		{ items: itemsOf({ n: 0 }) },
	);
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(1);
	service.clearFaults();
	// The stand-in says this of each start.
	const said = String(output[0][0].json.warning ?? '');
	return said
		.replace('Extractions are in maintenance: scraping with the format json replaces them.', '')
		.trim();
}

const NOTHING =
	/The service found nothing: the result is empty\. .*billed.* Before you start it again, /;

describe.each(OPERATIONS)('%s', (_name, node, parameters) => {
	it.each<IDataObject>([
		{ data: {} },
		{ data: null, creditsUsed: 5 },
		{ data: [] },
		{ data: '' },
		{ data: { name: null, price: '', offers: [], seller: { name: ' ', address: {} } } },
		{ data: { products: [{ name: '' }, {}, null] }, sources: { products: ['https://a.example'] } },
		{ data: {}, expiresAt: '2030-01-01T00:00:00Z', tokensUsed: 7, model: 'spark-1-mini' },
		{ status: 'done', data: {}, creditsUsed: 5 },
	])('is said to have found nothing, which was billed: %j', async (body) => {
		for (const simplify of [true, false]) {
			expect(await warningOf(node, parameters, body, simplify)).toMatch(NOTHING);
		}
	});

	it.each<IDataObject>([
		{ data: { name: 'Lamp', price: null } },
		{ data: { price: 0 } },
		{ data: { isInStock: false } },
		{ data: ['x'] },
		{ data: 'Lamp' },
		{ data: null, results: [{ name: 'Lamp' }] },
	])('is a result like any other: %j', async (body) => {
		for (const simplify of [true, false]) {
			expect(await warningOf(node, parameters, body, simplify)).toBe('');
		}
	});

	it('says what it cost, and keeps what the service says', async () => {
		const said = async (more: IDataObject) =>
			await warningOf(node, parameters, { data: {}, warning: 'Slow.', ...more }, true);
		expect(await said({ creditsUsed: 15 })).toMatch(/^Slow\. .* with 15 credits\. Before/);
		expect(await said({ creditsUsed: 1 })).toMatch(/ with 1 credit\. Before/);
		expect(await said({ creditsUsed: 0 })).toMatch(/ It was not billed\. Before/);
		expect(await said({})).toMatch(/ It may have been billed all the same\. Before/);
	});
});

it.each<IDataObject>([
	{ status: 'processing' },
	{ status: 'processing', data: {} },
	{ status: 'completed', data: null, message: 'Which shop?' },
	{ status: 'completed', pendingApproval: { id: 'a' } },
	{ status: 'completed', data: {}, partial: { name: 'Lamp' } },
])('an agent task that has not ended, or answers otherwise, is not empty: %j', async (body) => {
	expect(await warningOf(agent, { operation: 'get', jobId }, body, true)).toBe('');
});

it('an extraction that ends at once with nothing says so', async () => {
	service.fail({ method: 'POST', status: 200, body: { success: true, data: { name: '' } } });
	const { output } = await runWith(extract, OPERATIONS[2][2]);
	expect(output[0][0].json.warning).toMatch(NOTHING);
});

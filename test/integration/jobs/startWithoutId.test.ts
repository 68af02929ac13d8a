import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../../mock-service';
import { itemsOf } from '../../support/engine';
import { freshLimiters } from '../../support/limiters';
import { agent, crawl, extract, scrape } from '../../support/nodes';
import { type MoreOptions, served } from '../../support/served';

const urls = 'https://a.example/1';

/** All operations that start a job. */
const STARTS: Array<[name: string, what: string, nodeType: INodeType, form: INodeParameters]> = [
	['Agent: Start', 'agent task', agent, { operation: 'start', prompt: 'x' }],
	['Agent: start and wait', 'agent task', agent, { operation: 'startAndWait', prompt: 'x' }],
	['Crawl: Start', 'crawl', crawl, { operation: 'start', url: urls }],
	['Crawl: start and wait', 'crawl', crawl, { operation: 'startAndWait', url: urls }],
	['Extract: Start', 'extraction', extract, { operation: 'start', urls, prompt: 'x' }],
	['Extract, waited for', 'extraction', extract, { operation: 'startAndWait', urls, prompt: 'x' }],
	['Start Scraping Many Pages', 'batch', scrape, { operation: 'batchStart', urls }],
	['Scrape Many Pages and Wait', 'batch', scrape, { operation: 'batchStartAndWait', urls }],
];

let service: LocalService;
const runWith = served({ jobMs: 1, crawlMs: 1 }, (started) => (service = started));
const run = async (nodeType: INodeType, form: INodeParameters, more?: MoreOptions) =>
	await runWith(nodeType, form, { items: itemsOf({}), ...more });
beforeEach(freshLimiters);
// The contract has no such IDs.
afterEach(() => void service.violations.splice(0));

it('are all operations that start a job', () => {
	const values = STARTS.map(
		([, , { description }, { operation }]) => `${description.name} ${String(operation)}`,
	);
	const all = [agent, crawl, extract, scrape].flatMap(({ description }) =>
		description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options)
			.filter((option) =>
				/^(batchS|s)tart(AndWait)?$/.test(String((option as { value: string }).value)),
			)
			.map((option) => `${description.name} ${String((option as { value: string }).value)}`),
	);
	expect([...new Set(values)].sort()).toEqual(all.sort());
});

describe.each(STARTS)('%s', (_name, what, nodeType, form) => {
	it.each<[string, IDataObject]>([
		['missing', { success: true }],
		['missing in an empty response', {}],
		['null', { success: true, id: null, url: 'https://api.example/v1/jobs/j-7' }],
		['empty', { success: true, id: '' }],
		['blank', { success: true, id: ' ' }],
		['an object', { success: true, id: { value: 'j-7' } }],
		['false', { success: true, id: false }],
		['no segment of a path', { success: true, id: '../team' }],
		['rounded', { success: true, id: 2 ** 60 }],
		['still to come', { success: true, data: null, status: 'pending' }],
	])('is an error where the ID is %s', async (_case, body) => {
		service.fail({ method: 'POST', status: 200, body });
		const { error, output } = await run(nodeType, form, { onError: 'continueErrorOutput' });
		expect(error).toBeUndefined();
		expect(output[0]).toEqual([]);
		expect(output[1]).toHaveLength(1);
		const { json } = output[1][0];
		expect(json.message).toBe(`The service started the ${what} but returned no job ID`);
		const description = String((json.error as IDataObject).description);
		expect(description).toMatch(/may have been billed/);
		expect(description).toContain('"List Recent Activity" of the node Web Data Usage');
		expect(description.includes('"List Active Crawls"')).toBe(what === 'crawl');
		expect(description).toContain(`Received: “${JSON.stringify(body)}”`);
		expect(json.error).toMatchObject({ data: body });
		// It is started once, and never requested.
		expect(service.requests).toHaveLength(1);
	});

	it.each<[string, IDataObject]>([
		['in data', { success: true, data: { id: 'j-7' } }],
		['in data, and null', { success: true, id: null, data: { id: 'j-7' }, status: 'completed' }],
		['called jobId', { success: true, jobId: 'j-7' }],
		['called job_id', { success: true, job_id: 'j-7' }],
		['called jobId in data', { success: true, data: { jobId: 'j-7', status: 'queued' } }],
		['a number', { success: true, id: 7 }],
	])('takes an ID that is %s', async (_case, body) => {
		service.fail({ method: 'POST', status: 200, body });
		service.fail({ method: 'GET', status: 400, body: { success: false, error: 'No more' } });
		const { output } = await run(nodeType, form, { onError: 'continueErrorOutput' });
		const [start, read] = service.requests;
		const id = body.id === 7 ? '7' : 'j-7';
		if (read === undefined) expect(output[0][0].json.id).toBe(id);
		else expect(read.path.endsWith(`/${id}`)).toBe(true);
		expect([start.method, read?.method ?? 'GET']).toEqual(['POST', 'GET']);
	});

	it.each<[string, { status?: number; body: string | IDataObject }]>([
		['is empty', { body: '' }],
		['breaks off within the ID', { body: '{"success":true,"id":"j' }],
		['is a list', { body: '[]' }],
		['is a web page', { body: '<html><body>Welcome</body></html>' }],
		['is a failure of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
		['is a failure of the service', { status: 500, body: { success: false, error: 'x' } }],
		['is a failure with status 200', { body: { success: false, error: 'x' } }],
	])('says how to find the job where the response %s', async (_case, { status = 200, body }) => {
		service.fail({ method: 'POST', status, body });
		const { output } = await run(nodeType, form, { onError: 'continueErrorOutput' });
		const description = String((output[1][0].json.error as IDataObject).description);
		expect(description).toContain(`The ${what} may have been started. Find its ID in `);
		expect(description).toContain('"List Recent Activity" of the node Web Data Usage');
		expect(description).toContain('may have processed and billed');
		expect(description).not.toContain('run the node again');
		expect(service.requests).toHaveLength(1);
	});

	it('does not speak of a job where none can have been started', async () => {
		service.fail({ method: 'POST', status: 402, body: { success: false, error: 'x' } });
		const { output } = await run(nodeType, form, { onError: 'continueErrorOutput' });
		const description = String((output[1][0].json.error as IDataObject).description);
		expect(description).not.toContain('may have been started');
	});

	it.each([
		['400', { status: 400 }],
		['402', { status: 402 }],
		['500', { status: 500 }],
		['504', { status: 504 }],
		['success: false', { status: 200 }],
	])('names the job that the response of a failed start names: %s', async (_case, { status }) => {
		const body = { success: false, error: 'Webhook not reachable', id: 'j-7' };
		service.fail({ method: 'POST', status, body });
		const { error } = await run(nodeType, form);
		expect(error?.description).toContain(`names the ${what} j-7: "`);
		expect(String(error?.description).split('j-7')).toHaveLength(2);
		expect(error?.description).not.toMatch(/may have been started|run the node again/);
		expect(`${error?.message} ${String(error?.description)}`).toContain('Webhook not reachable');
		expect(error?.context).toMatchObject({ service: { jobId: 'j-7' } });
		expect(service.requests).toHaveLength(1);
	});

	it('names no job where the response of a failed start has no ID', async () => {
		service.fail({ method: 'POST', status: 400, body: { success: false, error: 'No', id: null } });
		const { error } = await run(nodeType, form);
		expect(error?.description).not.toContain('names the');
	});
});

/**
 * The package is upgraded while it works: n8n loads the new one at once, in modules of its own. An execution's next
 * try and a trigger's next poll run there.
 */
import * as n8nWorkflow from 'n8n-workflow';
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { WebDataPageTrigger } from '../../nodes/WebDataPageTrigger/WebDataPageTrigger.node';
import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { startService, type LocalService } from '../../mock-service';
import { itemsOf, runNode } from '../support/engine';
import { PolledTrigger } from '../support/polledTrigger';

let service: LocalService;

beforeEach(async () => {
	service = await startService();
});

afterEach(async () => {
	await service.close();
});

/** What `load` imports, as n8n loads it after an upgrade: all of it anew, but for n8n's own modules. */
async function loadedAnew<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
	let loaded: Loaded;
	await jest.isolateModulesAsync(async () => {
		jest.doMock('n8n-workflow', () => n8nWorkflow);
		loaded = await load();
	});
	jest.dontMock('n8n-workflow');
	return loaded!;
}

const newScrape = async () => await import('../../nodes/WebDataScrape/WebDataScrape.node');
const newPageTrigger = async () =>
	await import('../../nodes/WebDataPageTrigger/WebDataPageTrigger.node');

describe('between two tries of Retry On Fail', () => {
	const THIRD = 'https://a.example/3';
	const urlOf = ({ body }: { body: unknown }) => (body as IDataObject).url;

	/** Scrapes pages, of which the third is rejected once; the package is upgraded meanwhile. */
	async function scrape(pages: number, options: INodeParameters) {
		const upgraded: INodeType = new (await loadedAnew(newScrape)).WebDataScrape();
		const old = new WebDataScrape();
		expect(upgraded).not.toBeInstanceOf(WebDataScrape);
		service.fail({ status: 402, times: 1, when: (request) => urlOf(request) === THIRD });
		return await runNode({
			nodeType: old,
			loaded: () => (service.requests.some((one) => urlOf(one) === THIRD) ? upgraded : old),
			parameters: { operation: 'scrape', url: '=https://a.example/{{ $json.n }}', options },
			items: itemsOf(...Array.from({ length: pages }, (_, index) => ({ n: index + 1 }))),
			credentials: { baseUrl: service.url, apiKey: service.apiKey },
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		});
	}

	it('nothing is paid twice, and the sum of what was used is right', async () => {
		const { output, error } = await scrape(3, {});
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json.runCreditsUsed)).toEqual([3, 3, 3]);
		expect(service.ledger).toHaveLength(3);
	});

	it('the Credit Budget goes on', async () => {
		const { error } = await scrape(4, { creditBudget: 3, maxConcurrent: 1 });
		expect(error?.message).toBe('Not enough Credit Budget left for this item');
		expect(service.ledger).toHaveLength(3);
	});
});

it('a poll that still runs is left to its work', async () => {
	const url = 'https://shop.example/pricing';
	service.web.setPage(url, { markdown: 'Edit 0' });
	const trigger = new PolledTrigger(service, { urls: url }, {}, 1, new WebDataPageTrigger());
	expect(await trigger.poll()).toBeNull();
	service.web.setPage(url, { markdown: 'Edit 1' });
	service.set({ latencyMs: 200 });
	const running = trigger.emitted();
	const upgraded = new (await loadedAnew(newPageTrigger)).WebDataPageTrigger();
	const next = await upgraded.poll.call(trigger.context());
	expect(next).toBeNull();
	expect(await running).toMatchObject([{ added: ['Edit 1'] }]);
	expect(service.ledger).toHaveLength(2);
});

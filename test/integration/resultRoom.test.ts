/** What n8n can hold of a node's results: beyond that, nothing more is paid for. */
import { WebDataSearch } from '../../nodes/WebDataSearch/WebDataSearch.node';
import * as json from '../../nodes/shared/base/json';
import type { LocalService } from '../../mock-service';
import { served } from '../support/served';
import { crawl, scrape } from '../support/nodes';

const MB = 1024 * 1024;

let service: LocalService;
const run = served({}, (started) => (service = started));

afterEach(() => jest.restoreAllMocks());

/** Searches with four items, one after the other, whose results appear to have this many bytes each. */
async function search(bytes: number, onError?: 'continueErrorOutput') {
	jest.spyOn(json, 'sizeOf').mockReturnValue(bytes);
	return await run(
		new WebDataSearch(),
		{ operation: 'search', query: '=tea {{ $json.n }}', options: { maxConcurrent: 1 } },
		{ items: [1, 2, 3, 4].map((n) => ({ json: { n } })), onError },
	);
}

it('with 256 MB of results nothing more is sent, and the error says what to do', async () => {
	const { output } = await search(129 * MB, 'continueErrorOutput');
	// The third was on its way by then.
	expect(service.ledger).toHaveLength(3);
	expect(output[1]).toMatchObject([
		{
			json: {
				message: 'The results of the other items exceed 256 MB, about as much as n8n can hold',
			},
			pairedItem: { item: 3 },
		},
	]);
	expect(JSON.stringify(output[1])).toContain('Loop Over Items');
});

it('what fails counts with all that the service said of it', async () => {
	service.fail({ status: 400, body: { success: false, error: 'No such source' } });
	const { output } = await search(129 * MB, 'continueErrorOutput');
	expect(service.requests).toHaveLength(2);
	const rejected = 'The service rejected the request: No such source';
	const unsent = 'The results of the other items exceed 256 MB, about as much as n8n can hold';
	const messages = output[1].map(({ json: { message } }) => message);
	expect(messages).toEqual([rejected, rejected, unsent, unsent]);
});

it('the error counts it among those that were not sent', async () => {
	const { error } = await search(129 * MB);
	expect(error?.description).toContain('Of 4 items, 3 had finished, 0 failed and 1 was not sent.');
});

it('what more than one call made counts, too', async () => {
	const options = { includeRunDetails: true };
	const { output: scraped } = await run(scrape, { url: 'https://a.example', options });
	const { scrapeId } = scraped[0][0].json.run as { scrapeId: string };
	service.requests.length = 0;
	jest.spyOn(json, 'sizeOf').mockReturnValue(300 * MB);
	const { output } = await run(
		scrape,
		{ operation: 'interact', scrapeId, prompt: '=tea {{ $json.n }}' },
		{ items: [1, 2, 3].map((n) => ({ json: { n } })), onError: 'continueErrorOutput' },
	);
	// The second was on its way by then.
	expect(service.requests).toHaveLength(2);
	expect(JSON.stringify(output[1])).toContain('exceed 256 MB');
});

it('up to 256 MB all items are sent', async () => {
	await search(64 * MB);
	expect(service.ledger).toHaveLength(4);
});

it('what costs nothing is still read', async () => {
	jest.spyOn(json, 'sizeOf').mockReturnValue(257 * MB);
	const { error } = await run(
		crawl,
		{ operation: 'listActive' },
		{ items: [{ json: {} }, { json: {} }] },
	);
	expect(error).toBeUndefined();
});

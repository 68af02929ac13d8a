import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import type { LocalService } from '../../mock-service';
import { itemsOf } from '../support/engine';
import { passAtEachGet } from '../support/passingTime';
import type * as QuickTime from '../support/quickTime';
import { served } from '../support/served';

jest.mock('../../nodes/shared/base/time', () =>
	jest.requireActual<typeof QuickTime>('../support/quickTime').quickTime(),
);

let service: LocalService;
const run = served({ crawlMs: 1 }, (started) => (service = started));

const site = 'https://a.example';
const pageOf = (sourceURL: string | undefined, text = sourceURL) => ({
	markdown: text,
	metadata: { scrapeId: `id of ${text}`, ...(sourceURL === undefined ? {} : { sourceURL }) },
});

/** Returns the batch's items for these URLs, one per input item, if the service sends these pages and reasons. */
async function itemsFor(
	asked: string[],
	data: IDataObject[],
	{ errors = [], ...status }: IDataObject & { errors?: IDataObject[] } = {},
	parameters = {},
): Promise<INodeExecutionData[]> {
	// A batch that misses URLs is believed to have ended after a minute.
	passAtEachGet(service, 61_000);
	const of = (path: RegExp, body: IDataObject) =>
		service.fail({ method: 'GET', path, status: 200, body });
	of(/\/errors$/, { errors, robotsBlocked: [] });
	const counts = { completed: asked.length - errors.length, total: asked.length - errors.length };
	of(/\/v2\/batch\/scrape\/[^/]+$/, { status: 'completed', ...counts, ...status, data });
	const { output, error } = await run(
		new WebDataScrape(),
		{ operation: 'batchStartAndWait', urls: '={{ $json.url }}', ...parameters },
		{ items: itemsOf(...asked.map((url) => ({ url }))) },
	);
	expect(error).toBeUndefined();
	return output[0];
}

const textsOf = (items: INodeExecutionData[]) =>
	items.map(({ json, pairedItem }) => [json.markdown ?? json.pageError, pairedItem]);

/** What each of these URLs gets if it gets its own page alone. */
const own = (texts: string[]) => texts.map((text, item) => [text, { item }]);

describe('a batch whose pages come back under other URLs', () => {
	it.each<[string, Array<[asked: string, sent: string | undefined]>]>([
		[
			'with the query in another order',
			[
				[`${site}/p?a=1&b=2`, `${site}/p?b=2&a=1`],
				[`${site}/p?a=2&b=1`, `${site}/p?b=1&a=2`],
			],
		],
		[
			'with a slash at the end, and www.',
			[
				[`${site}/p`, 'http://www.a.example/p/'],
				[`${site}/q/`, `${site}/q`],
			],
		],
	])('gives each item its page %s, and calls none missing', async (_how, pages) => {
		const asked = pages.map(([url]) => url);
		const data = pages.map(([url, sent]) => pageOf(sent, url)).reverse();
		const items = await itemsFor(asked, data);
		expect(textsOf(items)).toEqual(own(asked));
		expect(items[0].json).not.toHaveProperty('batchWarning');
	});

	it.each<[string, string[], string[]]>([
		['of two that are alike', [`${site}/p?a=1`, `${site}/p?a=2`], [`${site}/p?b=1`, `${site}/p`]],
		['of one', [`${site}/p`, `${site}/q`], ['https://c.example/']],
	])('says that the pages may be those of the URLs without one: %s', async (_of, asked, sent) => {
		const data = sent.map((url) => pageOf(url));
		const items = await itemsFor(asked, data, { completed: sent.length, total: sent.length });
		const pages = sent.length === 1 ? '1 page' : '2 pages';
		expect(items.filter(({ json }) => json.markdown).map(({ json }) => json.markdown)).toEqual(
			sent,
		);
		expect(items.flatMap(({ json }) => json.pageError ?? [])).toEqual(
			Array(2).fill(
				`The service returned no page for this URL; ${pages} came under URLs that nobody asked for`,
			),
		);
		expect(items[0].json.batchWarning).toContain(
			`${pages} came under URLs that nobody asked for, and may be theirs.`,
		);
	});

	it('gives the second page of a URL to no other URL', async () => {
		const asked = [`${site}/p`, 'https://b.example/'];
		const data = [pageOf(`${site}/p`, 'first'), pageOf(`${site}/p/`, 'second')];
		const items = await itemsFor(asked, data);
		expect(textsOf(items)).toEqual([
			['first', { item: 0 }],
			['second', [{ item: 0 }, { item: 1 }]],
			[expect.stringContaining('no page for this URL'), { item: 1 }],
		]);
	});
});

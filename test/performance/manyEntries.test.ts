/**
 * Lists and objects with many entries, as a service or an expression may send them, take time only in proportion to
 * their length.
 */
import type { IDataObject } from 'n8n-workflow';

import { dataText } from '../../nodes/WebDataPageTrigger/content';
import { BatchPages, keysOfPage } from '../../nodes/WebDataScrape/operations/batchPages';
import { fileFieldsOf } from '../../nodes/shared/run/downloads/files';
import { redactor } from '../../nodes/shared/client/redact';
import { detailLines } from '../../nodes/shared/client/errors/details';
import { pairs } from '../../nodes/shared/form/pairs';
import { urls } from '../../nodes/shared/form/urls';
import { withValues } from '../../nodes/shared/form/values';
import { CollectedPages } from '../../nodes/shared/jobs/collectedPages';
import { failedUrl } from '../../nodes/shared/jobs/failedUrls';
import { isDeeperThan, sizeOf } from '../../nodes/shared/base/json';
import { shortenTexts } from '../../nodes/shared/run/results/shorten';
import { boundedResponse } from '../../nodes/shared/run/results/toolResponse';
import { hasPageContent, markedPage } from '../../nodes/shared/run/results/pageFailure';
import { textField } from '../../nodes/shared/form/controls';
import { byKey } from '../../nodes/shared/base/url';
import { cpuTime } from '../support/cpuTime';
import { place } from '../support/form';

/** Most CPU time (ms), even on a busy machine and the first time. */
const MOST_MS = 1500;

const list = <T>(length: number, entry: (n: number) => T): T[] =>
	Array.from({ length }, (_, n) => entry(n));

const page = (markdown: string, sourceURL = 'https://a.example/') => ({
	markdown,
	metadata: { sourceURL },
});

const came = (one: IDataObject) => ({ keys: keysOfPage(one), page: one });

/** Returns lists nested this deeply, with `inside` innermost. */
const nested = (depth: number, inside: unknown): unknown =>
	depth === 0 ? inside : [nested(depth - 1, inside), 'a'];

const manyNames = Object.fromEntries(list(100_000, (n) => [`name-${n}`, n]));
const manyKeys: IDataObject = {
	json: Object.fromEntries(list(500_000, (n) => [`key${n}`, n])),
	metadata: {},
};

const pairFields = ['name', 'value'].map((name) => textField(name, name, {}));

const choices = list(200, (n) => ({ name: `Choice ${n} (${n})`, value: `c${n}` }));

const addresses = list(20_000, (n) => `https://a.example/${n}`).join('\n');

/** A long list or object in each place that reads one. */
const WORK: Record<string, () => unknown> = {
	'20,000 URLs written in a field': () => urls(addresses, { ...place, raw: addresses }),
	'5 MB of hosts in a line': () =>
		expect(() => urls('a.example '.repeat(500_000), place)).toThrow(/entries/),
	'5,000 URLs of an array': () => urls(addresses.split('\n').slice(0, 5_000), place),
	'a page of 1 MB and 5,000 others of its URL': () =>
		new CollectedPages().add([page('a'.repeat(1e6)), ...list(5_000, (n) => page(`b${n}`))]),
	'20,000 pages of one URL in a batch': async () => {
		const batch = new BatchPages(byKey(['https://a.example/']), new Map());
		await batch.take(list(20_000, (n) => came(page(`${n}`))));
		return batch.of(byKey(['https://a.example/']));
	},
	'4,000 URLs of a batch, and as many pages, that are all alike': async () => {
		const batch = new BatchPages(byKey(list(4_000, (n) => `https://a.example/#${n}`)), new Map());
		await batch.take(list(4_000, (n) => came(page('a', `https://www.a.example/#b${n}`))));
		return batch.others;
	},
	'20,000 items of a tool': () =>
		boundedResponse(
			list(20_000, (n) => ({ json: { id: n, text: 'a'.repeat(300) } })),
			60_000,
		),
	'an item of 600 long texts of a tool': () =>
		boundedResponse([{ json: { data: list(600, () => 'a'.repeat(20_000)) } }], 60_000),
	'an item of 100,000 names of a tool': () => boundedResponse([{ json: manyNames }], 60_000),
	'an item of many lists in each other of a tool': () =>
		boundedResponse([{ json: { a: nested(400, list(10_000, String)) as never } }], 60_000),
	'shortened lists in each other': () =>
		shortenTexts({ a: nested(400, 'a'.repeat(1e6)) as never }, 60_000, { lists: true }),
	'20,000 headers': () =>
		pairs(pairFields, { pair: list(20_000, (n) => ({ name: `a-${n}`, value: 'b' })) }, place),
	'200,000 names of choices': () =>
		withValues(
			{ displayName: 'A', name: 'a', type: 'multiOptions', default: [], options: choices },
			list(200_000, (n) => `choice ${n % 200}`),
		),
	'a place of 100,000 parts with 100,000 problems': () =>
		detailLines([{ path: list(100_000, Number), errors: [list(100_000, () => ({}))] }]),
	'problems in each other': () => {
		let detail: IDataObject = { message: 'a' };
		for (let depth = 0; depth < 240; depth++) {
			detail = { path: list(100, Number), errors: [[detail, ...list(20, () => ({}))]] };
		}
		return detailLines([detail]);
	},
	'100,000 details': () => detailLines(list(100_000, (n) => ({ path: [n], message: 'a' }))),
	'100,000 failed URLs': () =>
		list(100_000, (n) => failedUrl({ url: `${n}` }, { what: 'crawl' }, 'cancelled')),
	'data of 100,000 values': () => dataText({ a: list(100_000, (n) => ({ n })) }, ['x*y']),
	'a list of 100,000 screenshots': () =>
		fileFieldsOf({ actions: { screenshots: list(1e5, String) } }),
	'a JSON result of 500,000 keys': () => [markedPage(manyKeys), hasPageContent(manyKeys)],
	'36 MB of escapes': () => {
		for (const escape of ['\\ud83d', '\\n', '%'])
			redactor('fc-0123456789abcdef').json({}, escape.repeat(36e6 / escape.length));
	},
	'lists in each other': () => [isDeeperThan(500, nested(499, 1)), sizeOf(nested(499, 1))],
};

it.each(Object.entries(WORK))('%s', async (_name, work) => {
	const spent = cpuTime();
	await work();
	expect(spent()).toBeLessThan(MOST_MS);
});

import type { IDataObject } from 'n8n-workflow';

import { pagePrice as billedPrice } from '../../../mock-service/data/price';
import {
	type Price,
	batchPrice,
	crawlPrice,
	filePrice,
	interactionPrice,
	mapPrice,
	pagePrice,
	searchPrice,
	taskPrice,
} from '../../../nodes/shared/fields/prices';

const PAGE = 'https://shop.example/lamp';
const PDF = 'https://shop.example/Offer.PDF?v=1';
const formats = (...types: string[]) => ({ formats: types.map((type) => ({ type })) });
const tracking = (mode: string) => ({ formats: [{ type: 'changeTracking', modes: [mode] }] });
const price = (usual: number, most = usual) => ({ usual, most });
const unlimited = (usual = 1) => ({ usual, most: Infinity });

// The numbers are those that the service publishes.
describe('the price of a page', () => {
	it.each<[string, string, IDataObject, Price]>([
		['needs the enhanced proxy at most', PAGE, {}, price(1, 5)],
		['is known without that proxy', PAGE, { proxy: 'basic' }, price(1)],
		['has the enhanced proxy', PAGE, { proxy: 'enhanced' }, price(5)],
		['has that proxy by its older name', PAGE, { proxy: 'stealth' }, price(5)],
		['has a plain format', PAGE, formats('markdown', 'links'), price(1, 5)],
		['has formats by AI', PAGE, formats('json', 'question', 'highlights'), price(13, 17)],
		['has audio and video', PAGE, formats('audio', 'video'), price(9, 13)],
		['has formats as texts', PAGE, { formats: ['json', 'markdown'] }, price(5, 9)],
		['tracks changes', PAGE, tracking('git-diff'), price(1, 5)],
		['tracks changes by AI', PAGE, tracking('json'), price(5, 9)],
		['is redacted', PAGE, { redactPII: true }, price(5, 9)],
		['is redacted with options', PAGE, { redactPII: { mode: 'fast' } }, price(5, 9)],
		['is not kept', PAGE, { zeroDataRetention: true }, price(2, 6)],
		['comes from the cache only', PAGE, { lockdown: true }, price(5)],
		['is checked for threats', PAGE, { threatProtection: { mode: 'normal' } }, price(3, 7)],
		['is checked by lists', PAGE, { threatProtection: { mode: 'manual-only' } }, price(1, 5)],
		['is of X', 'https://x.com/a/status/1', {}, price(30, 34)],
		['is of X without a scheme', 'mobile.twitter.com/a', { proxy: 'basic' }, price(30)],
		['is only called like X', 'https://netflix.com/x.com', {}, price(1, 5)],
		['is a PDF of any length', PDF, {}, unlimited(1)],
		['is a PDF of some pages', PDF, { parsers: [{ type: 'pdf', maxPages: 20 }] }, price(20)],
		['is a PDF that is not parsed', PDF, { parsers: [], proxy: 'basic' }, price(1)],
		['may be a PDF', PAGE, { parsers: [{ type: 'pdf', maxPages: 20 }] }, price(1, 20)],
		['has no address that can be read', 'http://', {}, price(1, 5)],
	])('that %s', (_name, url, options, expected) => {
		expect(pagePrice(options, url)).toEqual(expected);
	});
});

it('the price of a page is what the local service bills, however its options are combined', () => {
	const choices: IDataObject[][] = [
		[{}, { lockdown: true }],
		[{}, { zeroDataRetention: true }],
		[{}, { redactPII: true }],
		[{}, { threatProtection: {} }, { threatProtection: { mode: 'manual-only' } }],
		[
			{},
			formats('json'),
			formats('json', 'question', 'audio'),
			tracking('json'),
			{ formats: ['markdown', 'json', { type: 'changeTracking', modes: ['json', 'git-diff'] }] },
		],
	];
	const all = choices.reduce<IDataObject[]>(
		(some, more) => some.flatMap((one) => more.map((other) => ({ ...one, ...other }))),
		[{ proxy: 'basic' }],
	);
	expect(all).toHaveLength(120);
	for (const url of [PAGE, 'https://x.com/a']) {
		for (const options of all) {
			expect([url, options, pagePrice(options, url)]).toEqual([
				url,
				options,
				price(billedPrice(options, url)),
			]);
		}
	}
});

describe('the price of', () => {
	it.each<[string, Price, Price]>([
		['a batch', batchPrice({ urls: [PAGE, 'https://x.com/a'], ...formats('json') }), price(39, 47)],
		['a batch with a PDF', batchPrice({ urls: [PAGE, PDF] }), unlimited(2)],
		[
			'a crawl',
			crawlPrice({ url: PAGE, limit: 10, scrapeOptions: formats('json') }),
			price(50, 90),
		],
		['a crawl without a limit', crawlPrice({ url: PAGE }), unlimited()],
		['a search', searchPrice({ limit: 10 }), price(2)],
		['a search by default', searchPrice({}), price(2)],
		['sources', searchPrice({ limit: 10, sources: [{ type: 'web' }, { type: 'news' }] }), price(4)],
		['a search that is kept nowhere', searchPrice({ limit: 11, enterprise: ['zdr'] }), price(20)],
		[
			'search with pages',
			searchPrice({ limit: 10, scrapeOptions: formats('json') }),
			price(52, 92),
		],
		[
			'a search with pictures',
			searchPrice({ limit: 10, sources: ['web', 'images'], scrapeOptions: formats('markdown') }),
			price(14, 54),
		],
		['a map', mapPrice({}), price(1)],
		['a map that is checked', mapPrice({ limit: 10, threatProtection: {} }), price(1, 21)],
		['instructions by prompt', interactionPrice({ prompt: 'Click' }), price(7)],
		['code for two minutes', interactionPrice({ code: 'x', timeout: 120 }), price(4)],
		['a task', taskPrice({ maxCredits: 30 }), { ...price(30), cap: 'maxCredits' }],
		['a task without a limit', taskPrice({}), unlimited()],
		['a file', filePrice({ redactPII: true }, false), price(5)],
		['a PDF', filePrice({ parsers: [{ type: 'pdf', maxPages: 7 }] }, true), price(7)],
		['a PDF of any length', filePrice({}, true), unlimited()],
	])('%s', (_name, given, expected) => {
		expect(given).toEqual(expected);
	});
});

import {
	agentPrice,
	checksPrice,
	crawlPrice,
	creditsIn,
	mapPrice,
	pagePrice,
	searchPrice,
} from '../../../nodes/shared/fields/prices';
import { nodes } from '../../contract/nodes';

const format = (type: string, more = {}) => ({ type, ...more });

describe('what is known of prices', () => {
	it.each([
		[1, {}],
		[1, { formats: [format('markdown'), format('screenshot')] }],
		[5, { formats: [format('markdown'), format('json')] }],
		[5, { formats: [format('changeTracking', { modes: ['json'] })] }],
		[5, { formats: [format('json'), format('changeTracking', { modes: ['json'] })] }],
		[1, { formats: [format('changeTracking', { modes: ['git-diff'] })] }],
		[9, { formats: [format('question'), format('highlights')] }],
		[5, { formats: [format('query')] }],
		[5, { formats: [format('query'), format('question')] }],
		[10, { formats: [format('deterministicJson')] }],
		[10, { formats: [format('deterministicJson'), format('json')] }],
		[14, { formats: [format('deterministicJson'), format('audio')] }],
		[5, { proxy: 'enhanced' }],
		[5, { proxy: 'stealth' }],
		[1, { proxy: 'auto' }],
		[2, { zeroDataRetention: true }],
		[5, { redactPII: true }],
		[5, { redactPII: { mode: 'fast' } }],
		[1, { redactPII: false }],
		[5, { lockdown: true }],
		[1, { lockdown: false }],
		[3, { threatProtection: { mode: 'normal' } }],
		[3, { threatProtection: { blacklist: ['a.example'] } }],
		[1, { threatProtection: { mode: 'off' } }],
		[1, { threatProtection: { mode: 'manual-only' } }],
		[1, { threatProtection: { mode: 'zscaler' } }],
		[9, { formats: [format('json', { checkPromptInjection: true })] }],
		[5, { formats: [format('json', { checkPromptInjection: false })] }],
		[5, { checkPromptInjection: true, formats: ['markdown'] }],
		[5, { formats: ['markdown', 'json'] }],
		[5, { formats: [null, 7, 'question'] }],
		[1, { formats: null, threatProtection: null }],
		[30, { url: 'https://x.com/someone' }],
		[30, { url: 'HTTP://www.Twitter.com' }],
		[30, { url: 'mobile.twitter.com/someone' }],
		[34, { url: 'https://x.com/someone', formats: ['json'] }],
		[1, { url: 'https://netflix.com/' }],
		[1, { url: 'https://x.company/?u=https://x.com/' }],
		[1, { url: 'https://x.com.example' }],
	])('a page costs %i with %j', (price, options) => {
		expect(pagePrice(options)).toBe(price);
	});

	it.each([
		[0, { formats: ['json'], proxy: 'enhanced' }],
		[2, { threatProtection: { mode: 'normal' } }],
		[0, { threatProtection: { mode: 'off' } }],
		[6, { threatProtection: { mode: 'normal' }, urls: ['a', 'b', 'c'] }],
		[5, { checkPromptInjection: true }],
		[7, { threatProtection: {}, formats: [format('json', { checkPromptInjection: true })] }],
	])('the checks of what can’t be scraped cost %i with %j', (price, body) => {
		expect(checksPrice(body)).toBe(price);
	});

	it.each([
		[2, { query: 'x' }],
		[2, { limit: 10 }],
		[4, { limit: 11 }],
		[4, { limit: 6, sources: [format('web'), format('news')] }],
		[4, { limit: 6, sources: ['web', 'news'] }],
		[10, { limit: 10, enterprise: ['zdr'] }],
		[10, { limit: 10, enterprise: ['anon', 'zdr'] }],
		[2, { limit: 10, enterprise: ['anon'] }],
		[2, { limit: 10, enterprise: null, sources: null, scrapeOptions: null }],
		[2 + 10 * 4, { limit: 10, threatProtection: { mode: 'normal' } }],
		[2 + 10 * (4 + 3), { limit: 10, threatProtection: {}, scrapeOptions: {} }],
		[2 + 10, { limit: 10, scrapeOptions: {} }],
		[2 + 10 * 2, { limit: 10, scrapeOptions: {}, enterprise: ['anon'] }],
		[10 + 10 * 2, { limit: 10, scrapeOptions: {}, enterprise: ['zdr'] }],
		[2 + 10, { limit: 10, scrapeOptions: {}, enterprise: [] }],
		[
			4 + 20 * 5,
			{
				limit: 10,
				sources: [format('web'), format('images')],
				scrapeOptions: { proxy: 'enhanced' },
			},
		],
	])('a search costs %i with %j', (price, body) => {
		expect(searchPrice(body)).toBe(price);
	});

	it('a crawl costs as many pages as it may have, an agent task all it may spend', () => {
		expect(crawlPrice({ limit: 20, scrapeOptions: { formats: [format('json')] } })).toBe(100);
		expect(crawlPrice({})).toBe(10_000);
		expect(crawlPrice({ limit: 20, scrapeOptions: { redactPII: true } })).toBe(100);
		expect(crawlPrice({ url: 'https://x.com/someone', limit: 20 })).toBe(600);
		expect(agentPrice({ maxCredits: 30 })).toBe(30);
		expect(agentPrice({})).toBe(2_500);
	});

	it('is that of the default where the number in the body is none', () => {
		expect(searchPrice({ limit: 'abc' })).toBe(2);
		expect(crawlPrice({ limit: null })).toBe(10_000);
		expect(agentPrice({ maxCredits: {} })).toBe(2_500);
	});

	it('what a response says counts, unless it does not know', () => {
		expect(creditsIn({ creditsUsed: 7 })).toBe(7);
		expect(creditsIn({ creditsUsed: 0 })).toBe(0);
		expect(creditsIn({ data: { metadata: { creditsUsed: 5 } } })).toBe(5);
		expect(creditsIn({ creditsUsed: -1 })).toBeUndefined();
		expect(creditsIn({ data: [] })).toBeUndefined();
		expect(creditsIn({ creditsUsed: '5' })).toBeUndefined();
	});

	it('is one credit for a map, and that of the check of each page it may list', () => {
		const threatProtection = { mode: 'normal' };
		expect(mapPrice({ limit: 20 })).toBe(1);
		expect(mapPrice({ limit: 20, threatProtection })).toBe(41);
		expect(mapPrice({ threatProtection })).toBe(10_001);
	});
});

describe('what it may cost stands under the field that decides it', () => {
	const hintOf = (name: string, field: string) => {
		const node = nodes.find(({ description }) => description.name === name)!;
		const places = node.description.properties.filter((property) => property.name === field);
		return new Set(places.map(({ hint }) => hint));
	};

	it.each([
		['webDataCrawl', 'maxPages', 'Each page costs a credit, and more in some formats'],
		[
			'webDataSearch',
			'limit',
			'2 credits for every 10 results or part of them, of all sources together',
		],
		[
			'webDataSearch',
			'limit',
			'2 credits for every 10 results or part of them, of all sources together, and 1 more for each scraped page, or more in some formats',
		],
		[
			'webDataExtract',
			'urls',
			'One per line, or an expression that gives an array. The price depends on the pages and the result, and is not known beforehand.',
		],
	])('%s, %s: %s', (name, field, hint) => {
		expect(hintOf(name, field)).toContain(hint);
	});
});

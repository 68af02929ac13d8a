/** New pages of a site, in n8n-core's poll context, over HTTP against the local service. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type LocalService, startService } from '../../mock-service';
import { MAX_KNOWN } from '../../nodes/WebDataPageTrigger/newPages';
import { WebDataPageTrigger } from '../../nodes/WebDataPageTrigger/WebDataPageTrigger.node';
import { freshLimiters } from '../support/limiters';
import { PolledTrigger } from '../support/polledTrigger';
import { closed } from '../support/served';

const SITE = 'https://shop.example';
const at = (...paths: string[]) => paths.map((path) => `${SITE}${path}`);
const posts = (count: number) => at(...Array.from({ length: count }, (_, n) => `/blog/${n}`));

let service: LocalService;
beforeEach(async () => {
	freshLimiters();
	service = await startService();
	service.web.setSite(SITE, posts(6));
});
afterEach(async () => await closed(service));

const OF_SITE = { triggerOn: 'site', url: SITE };
const triggerOf = (parameters: INodeParameters = {}, saved = {}) =>
	new PolledTrigger(service, { ...OF_SITE, ...parameters }, saved, new WebDataPageTrigger());
/** A response with six pages that were there before, and others. */
const listOf = (...urls: string[]) => ({
	success: true,
	links: [...posts(6), ...urls].map((url) => ({ url })),
});
const urlsOf = (items: IDataObject[]) => items.map(({ url }) => url);
const credits = () => service.ledger.reduce((sum, entry) => sum + entry.credits, 0);

describe('a new page', () => {
	it('is emitted once, with what the service knows of it, after a first poll that only looks', async () => {
		const trigger = triggerOf();
		expect(await trigger.poll()).toBeNull();
		const news = { url: `${SITE}/blog/new`, title: 'New', description: 'Text' };
		service.web.setSite(SITE, [news, ...posts(6).reverse()]);
		expect(await trigger.emitted()).toEqual([{ ...news, event: 'new' }]);
		expect(await trigger.poll()).toBeNull();
		expect(await triggerOf({}, trigger.saved).poll()).toBeNull();
		expect(service.ledger.map(({ operation }) => operation)).toEqual(Array(4).fill('map'));
	});

	it.each([
		['is not one that was gone and is back', [5, 4, 6]],
		['is none where a site loses pages little by little, and most of three at once', [4, 3, 1]],
	])('%s', async (_, counts) => {
		const trigger = triggerOf();
		await trigger.poll();
		for (const count of counts) {
			service.web.setSite(SITE, posts(count));
			expect(await trigger.poll()).toBeNull();
		}
	});

	it.each([
		['http://shop.example/blog/%C3%BC?a=1'],
		['https://www.shop.example/blog/%C3%BC?a=1'],
		['http://WWW.shop.example./blog/%c3%bc?a=1#top'],
		['https://shop.example./blog/ü?a=1'],
		['//shop.example/blog/%C3%BC?a=1'],
		['shop.example/blog/%C3%BC?a=1'],
	])('is the same in the spelling %s', async (other) => {
		service.web.setSite(SITE, [...posts(6), ...at('/blog/%C3%BC?a=1', '/empty')]);
		const trigger = triggerOf();
		await trigger.poll();
		service.fail({ path: '/v2/map', times: 1, status: 200, body: listOf(other, `${SITE}/empty?`) });
		expect(await trigger.poll()).toBeNull();
	});

	it('is one of the web', async () => {
		const trigger = triggerOf({ output: 'pages' });
		await trigger.poll();
		const others = ['javascript:void(0)', 'mailto:info@shop.example', 'ftp://shop.example/a'];
		const body = listOf(...others, 'tel:0123456', 'data:text/html,a', 'shop.example/blog/new');
		service.fail({ path: '/v2/map', times: 1, status: 200, body });
		expect(urlsOf(await trigger.emitted())).toEqual(at('/blog/new'));
		const scraped = service.requests.filter(({ path }) => path === '/v2/scrape');
		expect(scraped.map(({ body: sent }) => (sent as IDataObject).url)).toEqual(at('/blog/new'));
	});

	it.each([
		...['/blog, news', 'other.example/blog', 'https://other.example/blog', '/shop?color=red'],
		...['/blog#x', '!/blog', 'null', 'blog/', '*.pdf', '^/blog/.*$', '/blog/\\d+', '/(de|en)'],
	])('is not looked for by %s, which is said first', async (entry) => {
		for (const [parameters, label] of [
			[{ includePaths: entry }, 'Include Paths'],
			[{ options: { excludePaths: entry } }, 'Exclude Paths'],
		] as Array<[INodeParameters, string]>) {
			await expect(triggerOf(parameters).poll()).rejects.toMatchObject({
				message: `${label} has "${entry}", which is not a path of the site`,
				description: expect.stringContaining('Nothing was sent'),
			});
		}
		expect(service.requests).toEqual([]);
	});

	it('may differ in tracking parameters alone where the form says so', async () => {
		const trigger = triggerOf({ options: { ignoreTracking: false } });
		await trigger.poll();
		service.web.setSite(SITE, [...posts(6), ...at('/blog/0?utm_source=x')]);
		expect(await trigger.emitted()).toHaveLength(1);
	});

	it.each<[string, string[]]>([
		['/blog', ['/blog', '/blog/', '/blog/a/b', '/BLOG/c']],
		['/blog/*', ['/blog', '/blog/', '/blog/a/b', '/BLOG/c']],
		['/blog*', ['/blog', '/blog/', '/blog/a/b', '/BLOG/c', '/blogs']],
		['/*/blog', ['/de/blog/x']],
		['/*.zip', ['/c.zip']],
		['https://shop.example/de', ['/de', '/de/blog/x']],
		['/ü', ['/%C3%BC/a']],
	])('is on one of the paths: %s', async (includePaths, paths) => {
		const all = [
			...['/blog', '/blog/', '/blog/a/b', '/BLOG/c', '/blogs', '/my/blogs'],
			...['/de', '/de/blog/x', '/design', '/a/b.pdf', '/%C3%BC/a', '/c.zip'],
		];
		const found = async (parameters: INodeParameters) => {
			service.web.setSite(SITE, at(...all));
			const items = (await triggerOf(parameters).poll('manual'))!.map(({ json }) => json);
			return [urlsOf(items), Number(/\d+/.exec(String(items[0].message)))];
		};
		const shown = (some: string[]) => [at(...some).slice(0, 3), some.length];
		expect(await found({ includePaths })).toEqual(shown(paths));
		const others = all.filter((path) => !paths.includes(path));
		expect(await found({ options: { excludePaths: includePaths } })).toEqual(shown(others));
	});

	it('is listed as the form says, by one request', async () => {
		const options = { search: 'news', limit: 7, sitemap: 'only', includeSubdomains: false };
		await triggerOf({ options }).poll();
		expect(service.requests.map(({ path, body }) => ({ path, body }))).toEqual([
			{
				path: '/v2/map',
				body: {
					...{
						url: `${SITE}/`,
						search: 'news',
						limit: 7,
						sitemap: 'only',
						includeSubdomains: false,
					},
					...{ ignoreCache: true, ignoreQueryParameters: false, timeout: 29_000 },
				},
			},
		]);
	});

	it('is asked of an older service without what that does not know', async () => {
		const additionalBodyFields = '{"location": {"country": "DE"}}';
		await triggerOf({ options: { ignoreCache: false, additionalBodyFields } }).poll();
		const { body } = service.requests[0];
		expect(body).not.toHaveProperty('ignoreCache');
		expect(body).toMatchObject({ location: { country: 'DE' } });
	});
});

describe('changed settings', () => {
	it('only look around once, and forget nothing', async () => {
		const first = triggerOf({ includePaths: '/blog' });
		service.web.setSite(SITE, [...posts(6), ...at('/jobs/1', '/jobs/2')]);
		await first.poll();
		service.web.setSite(SITE, [...posts(5), ...at('/jobs/1', '/jobs/2')]);
		const wider = first.copy({ includePaths: '/blog\n/jobs' });
		expect(await wider.poll()).toBeNull();
		service.web.setSite(SITE, [...posts(6), ...at('/jobs/1', '/jobs/2', '/jobs/3')]);
		expect(urlsOf(await wider.emitted())).toEqual(at('/jobs/3'));
		const asPages = wider.copy({ output: 'pages' });
		service.web.setSite(SITE, [...posts(6), ...at('/jobs/1', '/jobs/2', '/jobs/3', '/jobs/4')]);
		expect(urlsOf(await asPages.emitted())).toEqual(at('/jobs/4'));
	});

	it.each([
		['more paths', { includePaths: '/blog\n/jobs' }],
		['another search', { options: { search: 'post' } }],
		['tracking parameters', { options: { ignoreTracking: false } }],
	])('leave pages that wait to be read: %s', async (_, changed) => {
		const trigger = triggerOf({ output: 'pages', includePaths: '/blog' });
		await trigger.poll();
		service.web.setSite(SITE, posts(6 + 70));
		service.web.setPage(`${SITE}/blog/6`, { statusCode: 403 });
		const first = urlsOf(await trigger.emitted());
		service.web.setPage(`${SITE}/blog/6`, { statusCode: 200 });
		service.web.setSite(SITE, [...posts(6 + 70), ...at('/jobs/post', '/blog/post?utm_id=1')]);
		const other = trigger.copy(changed);
		const left = urlsOf(await other.emitted());
		expect([...first, ...left].sort()).toEqual(posts(76).slice(6).sort());
		expect(await other.poll()).toBeNull();
	});

	it('emit the addresses of pages that wait where these are enough, and only those', async () => {
		const trigger = triggerOf({ output: 'pages' });
		await trigger.poll();
		service.web.setSite(SITE, posts(8));
		service.web.setPage(`${SITE}/blog/6`, { statusCode: 403 });
		expect(urlsOf(await trigger.emitted())).toEqual(at('/blog/7'));
		const other = trigger.copy({ output: 'addresses', includePaths: '/jobs' });
		service.web.setSite(SITE, [...posts(8), ...at('/jobs/1')]);
		expect(await other.poll()).toBeNull();
		expect(urlsOf(await other.copy({ includePaths: '' }).emitted())).toEqual(at('/blog/6'));
	});

	it('start over with another site, and leave the memory of watched pages alone', async () => {
		const trigger = triggerOf();
		await trigger.poll();
		service.web.setSite('https://other.example', ['https://other.example/a']);
		const other = trigger.copy({ url: 'https://other.example' });
		expect(await other.poll()).toBeNull();
		const pages = other.copy({ triggerOn: 'content', urls: `${SITE}/a` });
		await pages.poll();
		expect(Object.keys(Object.values(pages.saved)[0] as object).sort()).toEqual([
			'sitePages',
			'watchedPages',
		]);
	});
});

describe('a list', () => {
	it.each([0, 1, 2, 3])(
		'that has %i of 6 pages left fails, and nothing is forgotten',
		async (left) => {
			const trigger = triggerOf();
			await trigger.poll();
			service.web.setSite(SITE, posts(left));
			await expect(trigger.poll()).rejects.toMatchObject({
				message: `The list of the site has ${left || 'no'} page${left === 1 ? '' : 's'}, the last one had 6`,
				description: expect.stringContaining('Nothing is forgotten'),
				failure: { cause: 'temporarily-unavailable' },
			});
			service.web.setSite(SITE, posts(7));
			expect(urlsOf(await trigger.emitted())).toEqual(at('/blog/6'));
		},
	);

	it('that is empty at first fails, and says where to look', async () => {
		await expect(triggerOf({ includePaths: '/none' }).poll()).rejects.toMatchObject({
			message: 'The list of the site has no pages',
			description: expect.stringContaining('Include Paths'),
		});
	});

	it.each([{}, { links: 'x' }, { links: [null, {}, { url: 'nonsense' }, 5] }])(
		'that can not be read fails: %j',
		async (body) => {
			const trigger = triggerOf();
			await trigger.poll();
			service.fail({ path: '/v2/map', times: 1, status: 200, body: { success: true, ...body } });
			await expect(trigger.poll()).rejects.toThrow();
			expect(await trigger.poll()).toBeNull();
		},
	);

	it(`may have ${MAX_KNOWN} pages, in a small state, and no more`, async () => {
		const trigger = triggerOf();
		service.web.setSite(SITE, posts(MAX_KNOWN + 1));
		const limited = { options: { limit: 100_000 } };
		await expect(triggerOf(limited).poll()).rejects.toThrow(
			`The list of the site has ${MAX_KNOWN + 1} pages; ${MAX_KNOWN} can be remembered`,
		);
		service.web.setSite(SITE, posts(MAX_KNOWN));
		const most = triggerOf(limited);
		expect(await most.poll()).toBeNull();
		expect(JSON.stringify(most.saved).length).toBeLessThan(11.1 * MAX_KNOWN + 300);
		await expect(trigger.poll()).resolves.toBeNull();
	}, 60_000);

	it('may be longer than what services list unless asked for more', async () => {
		const trigger = triggerOf();
		service.web.setSite(SITE, posts(6_000));
		expect(await trigger.poll()).toBeNull();
		service.web.setSite(SITE, [...posts(6_000), `${SITE}/blog/new`]);
		expect(urlsOf(await trigger.emitted())).toEqual([`${SITE}/blog/new`]);
	}, 60_000);

	it.each<[options: INodeParameters, count: number]>([
		[{}, MAX_KNOWN + 2],
		[{ limit: 7 }, 8],
		[{ limit: 8 }, 8],
	])('that may be cut off fails, as new pages may be missing: %j', async (options, count) => {
		const trigger = triggerOf({ options, includePaths: '/blog' });
		service.web.setSite(SITE, posts(count));
		await expect(trigger.poll()).rejects.toMatchObject({
			message: expect.stringMatching(/^The list of the site has \d+ pages, as many as Limit/),
			description: expect.stringContaining('Watch a part of the site'),
		});
	});
});

describe('the pages of new addresses', () => {
	const pages = { output: 'pages' };

	it('are read with the scrape options, for a credit each', async () => {
		const trigger = triggerOf({
			...pages,
			options: { scrapeOptions: { mobile: true, excludeTags: 'nav' } },
		});
		await trigger.poll();
		expect(credits()).toBe(1);
		service.web.setPage(`${SITE}/blog/6`, { markdown: 'Hello' });
		service.web.setSite(SITE, posts(8));
		const items = await trigger.emitted();
		expect(items).toMatchObject([
			{ event: 'new', url: `${SITE}/blog/6`, content: 'Hello', title: expect.any(String) },
			{ event: 'new', url: `${SITE}/blog/7`, content: expect.any(String) },
		]);
		expect(credits()).toBe(1 + 1 + 2);
		const { body } = service.requests.find(({ path }) => path === '/v2/scrape')!;
		expect(body).toMatchObject({ mobile: true, excludeTags: ['nav'], maxAge: 0 });
		expect(body).not.toHaveProperty('map');
		expect(await trigger.poll()).toBeNull();
	});

	it('that can not be read are tried again, then reported as failed, once', async () => {
		const trigger = triggerOf(pages);
		await trigger.poll();
		service.web.setSite(SITE, posts(8));
		service.web.setPage(`${SITE}/blog/6`, { statusCode: 403 });
		expect(urlsOf(await trigger.emitted())).toEqual(at('/blog/7'));
		const again = triggerOf(pages, trigger.saved);
		expect(await again.emitted()).toEqual([
			{ event: 'failed', url: `${SITE}/blog/6`, reason: expect.stringContaining('403') },
		]);
		expect(await again.poll()).toBeNull();
		service.web.setPage(`${SITE}/blog/6`, { statusCode: 200 });
		expect(await again.poll()).toBeNull();
	});

	it('are read over several polls where there are more than fit into one', async () => {
		const trigger = triggerOf(pages);
		await trigger.poll();
		service.web.setSite(SITE, posts(6 + 70));
		const urls = [...(await trigger.emitted()), ...(await trigger.emitted())].map(({ url }) => url);
		expect(urls.sort()).toEqual(posts(76).slice(6).sort());
		expect(await trigger.poll()).toBeNull();
	}, 60_000);
});

describe('a manual test', () => {
	it.each<[string, INodeParameters, number, number]>([
		['the first addresses', {}, 3, 1],
		['the first pages', { output: 'pages' }, 3, 4],
	])('shows %s as if they were new, and touches no state', async (_, parameters, count, paid) => {
		const trigger = triggerOf(parameters);
		const items = (await trigger.poll('manual')) ?? [];
		expect(items.map(({ json }) => json)).toMatchObject(
			posts(count).map((url) => ({ url, event: 'new' })),
		);
		expect(credits()).toBe(paid);
		expect(trigger.saved).toEqual({});
		expect(trigger.isChanged).toBe(false);
	});
});

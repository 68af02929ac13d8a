import type { IDataObject, INode, NodeApiError } from 'n8n-workflow';

import { nodeErrorOf } from '../../../nodes/shared/client/errors/nodeErrors';

import {
	type PagingSettings,
	followPages,
	pathOfNext,
} from '../../../nodes/shared/jobs/followPages';
import { ScriptedTask } from '../../support/task';

describe('the end of a crawl', () => {
	const page = (n: number) => ({ metadata: { sourceURL: `https://example.com/${n}` } });

	/** Returns a crawl's pages from a service that sends these responses, one after the other. */
	async function read(responses: IDataObject[], settings: Partial<PagingSettings> = {}) {
		const [first, ...later] = responses.map((response) => ({ status: 'completed', ...response }));
		const call = { method: 'GET' as const, path: '/v1/crawl/c' };
		const task = new ScriptedTask(later, { call });
		const pages: number[] = [];
		const collected = { count: 0 };
		let error: NodeApiError | undefined;
		try {
			const response = { status: 200, body: first };
			const all = { collected, ...settings };
			for await (const part of followPages(task, call, response, all)) {
				collected.count += part.length;
				for (const { metadata } of part) {
					pages.push(
						Number(
							String((metadata as IDataObject).sourceURL)
								.split('/')
								.at(-1),
						),
					);
				}
			}
		} catch (thrown) {
			error = nodeErrorOf(thrown, { node: {} as INode }) as NodeApiError;
		}
		return { pages, error, asked: task.requests.map(({ path }) => path) };
	}

	it('is taken to never come after three responses without pages', async () => {
		const next = (n: number) => `/v1/crawl/c?skip=${n}&${'x'.repeat(100)}`;
		const { pages, error, asked } = await read(
			[
				{ data: [page(1), page(2)], next: next(1) },
				{ data: [], next: next(2) },
				{ data: [], next: next(3) },
				{ data: [], next: next(4) },
			],
			{ jobId: 'job-7' },
		);
		expect(pages).toEqual([1, 2]);
		expect(asked).toEqual([next(1), next(2), next(3)]);
		expect(error?.message).toBe("The service's link to further pages never ends");
		expect(error?.description).toBe(
			`Pages read before it: 2. It was not followed: “${next(4).slice(0, 100)}”. Report it to the service. Job: job-7.`,
		);
		expect(error?.context).toMatchObject({ service: { jobId: 'job-7' } });
	});

	/** Returns as many responses as are requested, each with a `next`. */
	const endless = (dataOf: (n: number) => unknown[], counts: IDataObject = {}) =>
		Array.from({ length: 400 }, (_, n) => ({
			data: dataOf(n) as IDataObject[],
			next: `/v1/crawl/c?skip=${n + 1}`,
			...counts,
		}));

	it('is taken to never come after three responses that brought nothing new', async () => {
		const collected = { count: 1 };
		const { error, asked } = await read(
			endless(() => [page(1)]),
			{ collected },
		);
		expect(asked).toHaveLength(2);
		expect(error?.message).toBe("The service's link to further pages never ends");
	});

	it.each([{ completed: 20 }, { completed: 3, total: 20 }, { total: '20' }])(
		'is taken to never come far beyond the pages that were counted (%j)',
		async (counts) => {
			const { pages, error } = await read(endless((n) => [page(n)], counts));
			expect(pages).toHaveLength(141);
			expect(error?.message).toBe("The service's link to further pages never ends");
		},
	);

	it.each([{}, { completed: 0 }, { completed: null }, { completed: 170 }])(
		'may come late where the pages were counted as %j',
		async (counts) => {
			const responses = endless((n) => [page(n)], counts);
			const { pages, error } = await read([...responses.slice(0, 399), { data: [page(399)] }]);
			expect(error).toBeUndefined();
			expect(pages).toHaveLength(400);
		},
	);

	it('never comes where some that were counted are missing, though the last chunk leads back', async () => {
		const next = '/v1/crawl/c?skip=1';
		const { error } = await read([
			{ completed: 3, data: [page(1)], next },
			{ completed: 3, data: [page(2)], next },
		]);
		expect(error?.message).toBe("The service's link to further pages goes round in circles");
	});

	it('has come where all that were counted are there, though the last chunk leads back', async () => {
		const next = '/v1/crawl/c?skip=1';
		const { pages, error } = await read([
			{ completed: 2, data: [page(1)], next },
			{ completed: 2, data: [page(2)], next },
		]);
		expect(error).toBeUndefined();
		expect(pages).toEqual([1, 2]);
	});
});

it('of a `next`, only what follows the own path is taken over', () => {
	const own = '/v1/crawl/abc';
	expect(pathOfNext('https://x.example/v1/crawl/abc?skip=2&a=%2F', own)).toBe(
		'/v1/crawl/abc?skip=2&a=%2F',
	);
	expect(pathOfNext('/v2/crawl/abc?skip=2', own)).toBe('/v2/crawl/abc?skip=2');
	expect(pathOfNext('/v2/crawl/abc?skip=2', `${own}?skip=1`)).toBe('/v2/crawl/abc?skip=2');
	expect(pathOfNext('/v3/crawl/abc?skip=2', own)).toBeUndefined();
	expect(pathOfNext('https://x.example/v1/crawl/abcd', own)).toBeUndefined();
	expect(pathOfNext('https://x.example/v1/crawl/abd', own)).toBeUndefined();
	expect(pathOfNext('https://x.example/v1/crawl/abc/../../v2/team', own)).toBeUndefined();
	expect(pathOfNext('//evil.example/v1/crawl/abc', own)).toBe('/v1/crawl/abc');
	expect(pathOfNext('javascript:alert(1)', own)).toBeUndefined();
	expect(pathOfNext('https://x.example/v1/web/v1/crawl/abc?skip=2', own)).toBe(
		'/v1/crawl/abc?skip=2',
	);
	expect(pathOfNext('https://x.example/v1/web/v2/crawl/abc', own)).toBe('/v2/crawl/abc');
	expect(pathOfNext('https://x.example/v1/crawl/abc/v1/crawl/other', own)).toBeUndefined();
	expect(pathOfNext('https://x.example/crawl/abc', own)).toBeUndefined();
	expect(pathOfNext('https://x.example/v1/old/crawl/abc', own)).toBeUndefined();
	expect(pathOfNext('?skip=2', `${own}?skip=1`)).toBe('/v1/crawl/abc?skip=2');
	expect(pathOfNext('other?skip=2', own)).toBeUndefined();
	for (const id of ['a:b c', 'a%3Ab%20c']) {
		expect(pathOfNext(`/v1/crawl/${id}?skip=2`, '/v1/crawl/a%3Ab%20c')).toBe(
			'/v1/crawl/a%3Ab%20c?skip=2',
		);
	}
	expect(pathOfNext('/v1/crawl/abc%', own)).toBeUndefined();
});

import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { crawlPageShape } from '../../../nodes/shared/fields/shapes';
import { pagesOf } from '../../../nodes/shared/jobs/jobPages';
import { type PagedJob } from '../../../nodes/shared/jobs/readJob';
import { FileRoom } from '../../../nodes/shared/run/downloads/fileRoom';
import { nodeErrorOf } from '../../../nodes/shared/client/errors/nodeErrors';
import { freshLimiters } from '../../support/limiters';
import { ScriptedTask } from '../../support/task';

const JOB: PagedJob = {
	what: 'crawl',
	paths: ['/v2/crawl/'],
	getBy: 'Get Pages of Crawl',
	results: crawlPageShape,
};
const NONE_FAILED = { errors: [], robotsBlocked: [] };
const NEXT = 'https://api.example.com/v2/crawl/c-1?skip=1';

const page = (n: number) => ({
	markdown: `# ${n}`,
	metadata: { sourceURL: `https://a.example/${n}` },
});

beforeEach(freshLimiters);
afterEach(() => jest.restoreAllMocks());

/** Returns the results of a crawl's pages: its items, and its files if there are any. */
async function pagesFrom(
	responses: IDataObject[],
	values: IDataObject = {},
	more: {
		continueOnFail?: boolean;
		timesOutAt?: number;
		/** What other files of the run took before. */
		before?: (room: FileRoom) => unknown;
		/** What n8n does before it stores the nth file. */
		keeping?: (file: number) => void;
	} = {},
) {
	const task = new ScriptedTask(
		responses.map((response) => ({ status: 'completed', ...response })),
		{ values: { simplify: values.pagesAs !== 'files', ...values }, ...more },
	);
	more.before?.(task.run.part(FileRoom));
	const { prepareBinaryData } = task.context.helpers;
	task.context.helpers.prepareBinaryData = async (...file) => {
		more.keeping?.(task.files.length + 1);
		return await prepareBinaryData(...file);
	};
	const result = await pagesOf({ task, job: JOB, id: 'c-1' }).catch(
		(error: unknown) => nodeErrorOf(error, task.form.place) as NodeApiError,
	);
	const { items, credits } = result instanceof Error ? { items: [], credits: undefined } : result;
	return {
		...{ task, items, credits },
		json: items.map((item) => item.json),
		error: result as NodeApiError,
	};
}

describe('the pages of a job', () => {
	it('are missing where a job that is complete sent fewer than its total, but for those that failed', async () => {
		const chunk = { completed: 2, total: 4, data: [page(1), page(2)] };
		const [{ crawlWarning }] = (await pagesFrom([chunk, NONE_FAILED])).json;
		expect(crawlWarning).toMatch(/^The service counted 4 pages, but sent 2: the others may follow/);
		const asText = { ...chunk, completed: '2', total: '4' };
		expect((await pagesFrom([asText, NONE_FAILED])).json[0].crawlWarning).toBe(crawlWarning);
		const errors = [1, 2].map((n) => ({ url: `https://a.example/x${n}`, error: 'Gone' }));
		const { json, task } = await pagesFrom([chunk, { ...NONE_FAILED, errors }]);
		expect(json[0].crawlWarning).toBe('2 URLs failed, the first one: Gone.');
		expect(task.requests.at(-1)!.path).toBe('/v2/crawl/c-1/errors');
	});

	it('are not looked for elsewhere where the service counts nothing', async () => {
		const job = { ...JOB, remedy: 'Look again.' };
		const body = { status: 'completed', completed: null, total: null, data: [page(1)] };
		const task = new ScriptedTask([body]);
		await pagesOf({ task, job, id: 'c-1' });
		expect(task.requests).toHaveLength(1);
	});

	it('are as many as the limit, also where the service sends some twice', async () => {
		const data = [1, 1, 2, 3, 4].map(page);
		const { json } = await pagesFrom([{ data }], { returnAll: false, limit: 3 });
		expect(json.map(({ markdown }) => markdown)).toEqual(['# 1', '# 2', '# 3']);
	});

	it.each<[string, IDataObject]>([
		['lacks the endpoint, from then on', { statusCode: 404, html: '<pre>Cannot GET</pre>' }],
		['serves a web page there, which may be a passing one', { html: '<html>Home</html>' }],
	])('are read on the other version where the service %s', async (_, lacking) => {
		const job = { ...JOB, paths: ['/v2/crawl/', '/v1/crawl/'] as PagedJob['paths'] };
		const found = { status: 'completed', completed: 2, total: 2, data: [page(1), page(2)] };
		const task = new ScriptedTask([lacking, found, found]);
		for (const id of ['c-1', 'c-2']) {
			const { items } = await pagesOf({ task, job, id });
			expect(items).toHaveLength(2);
		}
		expect(task.requests.map(({ path }) => path)).toEqual([
			...['/v2/crawl/c-1', '/v1/crawl/c-1'],
			lacking.statusCode === 404 ? '/v1/crawl/c-2' : '/v2/crawl/c-2',
		]);
	});

	it.each([
		[503, 'failed while processing'],
		[403, 'does not know this ID'],
	])(
		'are said to be unknown, unless the other version may know them later: %s',
		async (statusCode, says) => {
			const job = { ...JOB, paths: ['/v2/crawl/', '/v1/crawl/'] as PagedJob['paths'] };
			const unknown = { statusCode: 404, success: false, error: 'Job not found' };
			const others = Array(9).fill({ statusCode, error: 'Not today' }) as IDataObject[];
			const task = new ScriptedTask([unknown, ...others]);
			// Failures are tried again after a while.
			jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
			const failing = expect(pagesOf({ task, job, id: 'c-1' })).rejects.toThrow(says);
			await jest.advanceTimersByTimeAsync(60_000);
			jest.useRealTimers();
			await failing;
		},
	);

	const endless = Array.from({ length: 10 }, (_, n) => ({
		data: [{ ...page(n), html: 'x'.repeat(30 * 1024 * 1024) }],
		next: `https://api.example.com/v2/crawl/c-1?skip=${n}`,
	}));
	const remedy =
		'Use "Get Pages of Crawl" with the job ID c-1 and Return Pages As set to JSON Files to read all of them for free.';

	it('that are more than n8n can hold are read no further, and the error says how to get them', async () => {
		const full = 'The pages of this run exceed 100 MB, more than n8n accepts as items';
		const { error, task } = await pagesFrom(endless);
		expect(error.message).toBe(full);
		expect(error.description).toContain(`4 pages of this crawl were read. ${remedy}`);
		expect(task.requests).toHaveLength(4);
		const { json } = await pagesFrom(endless, { ifPartFails: 'return' });
		expect(json).toHaveLength(4);
		expect(json[0].crawlWarning).toBe(`Pages are missing after 4: ${full}. ${remedy}`);
	});

	it('are read no further just before the workflow times out, and the error names the job', async () => {
		const chunks = [{ data: [page(1)], next: NEXT }, { data: [page(2)] }];
		const timesOutAt = Date.now() + 4_000;
		const { error, task } = await pagesFrom(chunks, {}, { timesOutAt });
		expect(task.requests).toHaveLength(1);
		expect(error.message).toContain("could not be read before the workflow's timeout");
		expect(error.description).toContain('The job ID is c-1');
		const { json } = await pagesFrom(chunks, { ifPartFails: 'return' }, { timesOutAt });
		expect(json).toEqual([
			{
				...page(1),
				crawlId: 'c-1',
				crawlStatus: 'completed',
				crawlWarning: expect.stringContaining('workflow'),
			},
		]);
		// What was read by then is complete.
		const { items } = await pagesFrom([{ data: [page(1)] }], {}, { timesOutAt });
		expect(items).toHaveLength(1);
	});

	it('of a job that failed are those it has; without any it is an error', async () => {
		const failed = { status: 'failed', error: 'no luck.' };
		expect((await pagesFrom([{ ...failed, data: [page(1)] }])).json).toMatchObject([
			{ crawlWarning: 'The crawl failed: no luck.' },
		]);
		const { error } = await pagesFrom([{ ...failed, data: [] }]);
		expect(error.message).toBe('The crawl failed: no luck.');
		const part = { ...failed, completed: 1, total: 10, data: [page(1)] };
		expect((await pagesFrom([part])).json).toMatchObject([
			{
				crawlWarning:
					'The crawl failed: no luck. It sent 1 of 10 pages: if it goes on, "Get Pages of Crawl" with its ID gets the others at no cost.',
			},
		]);
	});

	it.each([{}, { pagesAs: 'files' }])(
		'of a job that ended without one are none, and n8n’s log says so: %j',
		async (values) => {
			const empty = { status: 'completed', total: 0, completed: 0, data: [] };
			const { json, task } = await pagesFrom([empty], values);
			expect(json).toEqual([]);
			expect(task.warned).toEqual([
				expect.stringMatching(/item 3: The crawl has no page\. The job ID is c-1\.$/),
			]);
		},
	);

	describe('where none came', () => {
		const noPage = { completed: 3, data: [], warning: 'Slow' };
		it.each([{}, { pagesAs: 'files' }, { splitIntoItems: false }, { ifPartFails: 'return' }])(
			'are an error where the service counted some: %j',
			async (values) => {
				const { error } = await pagesFrom([noPage], values);
				expect(error.message).toBe('The service counted 3 pages, but sent 0');
				expect(error.description).toMatch(/job ID is c-1\. Run "Get Pages of Crawl" with it/);
				expect(error.context.service).toEqual({ jobId: 'c-1' });
			},
		);
	});

	it('are kept with the fields to return only', async () => {
		const whole = {
			...page(1),
			html: '<p>',
			links: [],
			screenshot: 's',
			audio: 'a',
			video: 'v',
			actions: { pdfs: ['p'] },
			url: 'u',
		};
		const kept = async (values: IDataObject) =>
			Object.keys((await pagesFrom([{ data: [whole] }], values)).json[0]);
		const about = ['crawlId', 'crawlStatus'];
		expect(await kept({ fieldsToReturn: ['links'], downloadFiles: true })).toEqual([
			...[
				'metadata',
				'links',
				'screenshot',
				'audio',
				'video',
				'actions',
				'url',
				'warning',
				...about,
			],
		]);
		const pdf = { ...page(1), markdown: 'JVBERi0xLjQK' };
		const { json } = await pagesFrom([{ data: [pdf] }], {
			fieldsToReturn: ['title'],
			downloadFiles: true,
		});
		expect(Object.keys(json[0])).toEqual(['markdown', 'metadata', ...about]);
	});

	it('keep what is wrong with them, whatever the fields to return are', async () => {
		const { json } = await pagesFrom(
			[{ data: [{ ...page(1), warning: 'cut off', html: '<p>tea</p>' }] }],
			{ fieldsToReturn: ['title'] },
		);
		expect(json[0]).toMatchObject({ warning: 'cut off' });
		expect(json[0]).not.toHaveProperty('html');
	});

	it('say what the job cost only if each of them does, and there is one', async () => {
		const priced = { ...page(1), metadata: { sourceURL: 'https://a.example', creditsUsed: 2 } };
		const creditsOf = async (data: IDataObject[]) => (await pagesFrom([{ data }])).credits;
		expect(await creditsOf([priced])).toBe(2);
		expect(await creditsOf([priced, page(2)])).toBeUndefined();
		expect(await creditsOf([])).toBeUndefined();
	});

	it('of one address are the same only if all of them is, not what is kept', async () => {
		const metadata = { sourceURL: 'https://a.example' };
		const data = ['one', 'two'].map((markdown) => ({ metadata, markdown }));
		const { json } = await pagesFrom([{ data }], { fieldsToReturn: ['title'] });
		expect(json).toHaveLength(2);
		expect(json[0]).not.toHaveProperty('crawlWarning');
	});
});

describe('the files of pages', () => {
	const MB = 1024 * 1024;

	it('say where n8n’s disk is full what helps, and no option that doesn’t', async () => {
		const { error } = await pagesFrom(
			[{ data: [page(1)], next: NEXT }, { data: [page(2)] }],
			{ pagesAs: 'files' },
			{
				keeping: (file) => {
					if (file > 1) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
				},
			},
		);
		expect(error.message).toBe("n8n's disk is full");
		expect(error.description).toMatch(/Free space .* Job: c-1\.$/);
		expect(error.description).not.toContain('Available Pages');
	});

	describe('of all jobs of a run have 5 GB, with its downloads', () => {
		const GB = 1_000 * MB;
		const chunks = (count: number) =>
			Array.from({ length: count }, (_, n) => ({ data: [page(n)], next: `${NEXT}${n}` }));

		it.each([
			['files of pages', (room: FileRoom) => room.takeForPages(5 * GB - 300, 1, 'c-0')],
			['downloads', (room: FileRoom) => room.fullBy(5 * GB - 300)],
		])('after %s, and beyond that the error says how to go on', async (_name, take) => {
			const { error, task } = await pagesFrom(chunks(9), { pagesAs: 'files' }, { before: take });
			expect(error.message).toBe('The files of this run exceed 5 GB');
			expect(error.description).toMatch(
				/^\d pages of this job were written before\. .* Limit\. .*Loop Over Items\. .* Job: c-1\.$/,
			);
			expect(error.context).toMatchObject({ service: { jobId: 'c-1' } });
			expect(task.files.length).toBeGreaterThan(1);
			expect(task.requests.length).toBe(task.files.length + 1);
		});
	});
});

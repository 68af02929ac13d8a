import { type FoundResult, pollSearch } from '../../../nodes/WebDataSearchTrigger/poll';
import { MAX_SEEN, type SeenState, commitFound } from '../../../nodes/shared/trigger/seenList';

const settings = { scope: 'query', emitFirst: false, compareTexts: false };
const idOf = (index: number) => `id${String(index).padStart(6, '0')}`;
/** A text begins with the letter of its source. */
const found = (...entries: Array<[number, string?]>) =>
	entries.map(([index, text = 'w']) => ({ identity: idOf(index), text }));

/** Returns the news of consecutive polls, as indexes, and the state they leave. */
function polls(lists: Array<ReturnType<typeof found>>, more: Partial<typeof settings> = {}) {
	let state: SeenState | undefined;
	const news = lists.map((list) => {
		const result = commitFound(state, list, { ...settings, ...more });
		state = result.state ?? state;
		return result.news.map(({ index, event }) => [list[index].identity, event]);
	});
	return { state, news };
}

describe('commitFound', () => {
	it('takes the first poll for what is there already, and emits what comes later once', () => {
		const { news } = polls([found([1]), found([1], [2]), found([2], [1]), found([3], [2])]);
		expect(news).toEqual([[], [[idOf(2), 'new']], [], [[idOf(3), 'new']]]);
	});

	it('emits the first poll when told to', () => {
		const { news } = polls([found([1], [1], [2]), found([1])], { emitFirst: true });
		expect(news).toEqual([
			[
				[idOf(1), 'new'],
				[idOf(2), 'new'],
			],
			[],
		]);
	});

	it('writes nothing in a poll without news', () => {
		const { state } = polls([found([1])]);
		expect(commitFound(state, found([1]), settings)).toEqual({ news: [] });
	});

	it('emits a result whose text has changed, when told to', () => {
		const lists = ['w1', 'w2', 'w2', 'w1'].map((text) => found([1, text]));
		const changed = [[idOf(1), 'changed']];
		expect(polls(lists, { compareTexts: true }).news).toEqual([[], changed, [], changed]);
		expect(polls(lists).news).toEqual([[], [], [], []]);
	});

	it('learns the texts first when it begins to compare them', () => {
		let { state } = polls([found([1, 'w1'])]);
		const poll = (text: string) => {
			const result = commitFound(state, found([1, text]), { ...settings, compareTexts: true });
			state = result.state ?? state;
			return result.news.length;
		};
		expect([poll('w2'), poll('w2'), poll('w3')]).toEqual([0, 0, 1]);
	});

	it('goes by the first of two entries of one result', () => {
		const list = found([1, 'w1'], [1, 'w2']);
		expect(polls([list, list, list], { compareTexts: true }).news).toEqual([[], [], []]);
	});

	it('compares a result in the source that found it first', () => {
		const web = ['w1', 'w2'].map((text) => found([1, 'n1'], [1, text]));
		const lists = [found([1, 'n1']), ...web, found([1, 'w1']), found([1, 'w1'], [1, 'n2'])];
		const changed = [[idOf(1), 'changed']];
		expect(polls(lists, { compareTexts: true }).news).toEqual([[], [], [], [], changed]);
	});

	it(`remembers ${MAX_SEEN} results, those found last, in a small state`, () => {
		const all = Array.from({ length: MAX_SEEN }, (_, index) => index);
		const full = found(...all.map((index): [number] => [index]));
		// 0 is found together with a new one, so 1 and 2 are the ones found least recently.
		const lists = [full, found([0], [MAX_SEEN]), found([0], [MAX_SEEN + 1]), found([0], [1], [3])];
		const { news, state } = polls(lists);
		expect(news.slice(1)).toEqual([
			[[idOf(MAX_SEEN), 'new']],
			[[idOf(MAX_SEEN + 1), 'new']],
			[[idOf(1), 'new']],
		]);
		expect(JSON.stringify(state).length).toBeLessThan(11.1 * MAX_SEEN + 100);
	});
});

describe('pollSearch', () => {
	function setup(state?: unknown) {
		const data = { state };
		const write = jest.fn((written: unknown) => (data.state = written));
		const log = { info: jest.fn(), warn: jest.fn() };
		const results: FoundResult[] = [
			{ identity: idOf(1), text: 'text', result: { url: 'https://example.com' } },
		];
		const search = jest.fn(async () => results);
		const store = { read: () => data.state, write };
		return {
			data,
			write,
			log,
			search,
			task: { store, log, settings, search },
		};
	}

	it('says once that what it remembered is unreadable, and starts over', async () => {
		const { task, log } = setup({ version: 0, scope: 'query', seen: [] });
		expect(await pollSearch(task)).toEqual([]);
		expect(await pollSearch(task)).toEqual([]);
		expect(log.warn.mock.calls).toEqual([[expect.stringContaining('unreadable')]]);
	});

	it.each([null, 7, {}])(
		'forgets of a damaged list only the entry that is damaged: %j',
		async (entry) => {
			const { task, log, search } = setup({ version: 1, scope: 'query', seen: [idOf(1), entry] });
			search.mockResolvedValue([1, 2].map((n) => ({ identity: idOf(n), text: 'w', result: {} })));
			expect(await pollSearch(task)).toEqual([{ event: 'new' }]);
			expect(log.warn).not.toHaveBeenCalled();
		},
	);

	it('warns that it remembers nothing where n8n started with the workflow published', async () => {
		const { task, log } = setup();
		await pollSearch({ ...task, begin: 'publication' });
		expect(log.warn).not.toHaveBeenCalled();
		const other = setup();
		await pollSearch({ ...other.task, begin: 'start' });
		expect(other.log.warn.mock.calls).toEqual([[expect.stringContaining('remembers nothing')]]);
		await pollSearch({ ...other.task, begin: 'start' });
		expect(other.log.warn).toHaveBeenCalledTimes(1);
	});

	it('does not emit a first poll again when what it remembered is unreadable', async () => {
		const { task } = setup({ version: 2, scope: 'query', seen: {} });
		task.settings = { ...settings, emitFirst: true };
		expect(await pollSearch(task)).toEqual([]);
	});

	it('starts over with another query, and says so', async () => {
		const { task, log, data } = setup({ version: 1, scope: 'other', seen: [idOf(2)] });
		expect(await pollSearch(task)).toEqual([]);
		expect(log.info.mock.calls).toEqual([[expect.stringContaining('has changed')]]);
		expect(data.state).toMatchObject({ scope: 'query', seen: [idOf(1)] });
	});
});

import { CollectedPages } from '../../../nodes/shared/jobs/collectedPages';

const page = (sourceURL: string, scrapeId?: string, markdown = 'x') => ({
	markdown,
	metadata: { sourceURL, ...(scrapeId !== undefined && { scrapeId }) },
});

function collected(...pages: Array<ReturnType<typeof page>>): CollectedPages {
	const all = new CollectedPages({ bytes: 0 });
	all.add(pages);
	return all;
}

it('pages of one URL that differ, and pages without any name, are all collected', () => {
	expect(collected(page('a', '1'), page('a', '2')).pages).toHaveLength(2);
	expect(collected(page('a', undefined, 'x'), page('a', undefined, 'y')).pages).toHaveLength(2);
	expect(collected(page('a'), page('a')).pages).toHaveLength(1);
	const nameless = new CollectedPages({ bytes: 0 });
	nameless.add([{ markdown: 'x' }, { markdown: 'x' }]);
	expect(nameless.pages).toHaveLength(2);
});

it.each([null, '', 7])('no page is taken for another because of an id that is %j', (scrapeId) => {
	const all = new CollectedPages({ bytes: 0 });
	all.add(['x', 'y', 'x'].map((markdown) => ({ markdown, metadata: { scrapeId } })));
	expect(all.pages).toHaveLength(3);
	const ofOneUrl = new CollectedPages({ bytes: 0 });
	const metadata = { sourceURL: 'a', scrapeId };
	ofOneUrl.add(['x', 'y', 'x'].map((markdown) => ({ markdown, metadata })));
	expect(ofOneUrl.pages.map(({ markdown }) => markdown)).toEqual(['x', 'y']);
});

describe.each([
	['kept', { bytes: 0 }],
	['not kept', undefined],
])('chunks that overlap, of pages that are %s', (_name, held) => {
	it.each([
		['with an id', (n: number) => page(`a${n}`, `id-${n}`)],
		['without one', (n: number) => page(`a${n}`)],
		['of one URL without one', (n: number) => page('a', undefined, `x${n}`)],
		['with an id of null', (n: number) => ({ metadata: { sourceURL: `a${n}`, scrapeId: null } })],
	])('give each page %s once', (_case, nth) => {
		const all = new CollectedPages(held);
		const chunk = (from: number, to: number) =>
			Array.from({ length: to - from }, (_, n) => nth(from + n));
		expect(all.add(chunk(0, 10))).toHaveLength(10);
		expect(all.add(chunk(5, 15))).toEqual(chunk(10, 15));
		expect(all.add(chunk(0, 16))).toEqual(chunk(15, 16));
		expect(all.warning).toBe('The service sent 20 pages twice; each is included once.');
	});
});

describe('pages held as items', () => {
	const MB = 1024 * 1024;
	const large = (n: number) => page(`a${n}`, `${n}`, 'x'.repeat(MB));

	it('are at most 100 MB over all jobs of a run', () => {
		const held = { bytes: 0 };
		const [one, other] = [new CollectedPages(held), new CollectedPages(held)];
		one.add(Array.from({ length: 60 }, (_, n) => large(n)));
		expect(one.overflow).toBeUndefined();
		other.add(Array.from({ length: 39 }, (_, n) => large(n)));
		expect(other.overflow).toBeUndefined();
		other.add([large(50)]);
		expect(other.overflow).toBe('The pages of this run exceed 100 MB');
		const alone = new CollectedPages({ bytes: 0 });
		alone.add([page('a', '1', 'x'.repeat(101 * MB))]);
		expect(alone.overflow).toBe('The pages of this run exceed 100 MB');
	});

	it('count lists, objects and keys without text as well', () => {
		const held = { bytes: 0 };
		new CollectedPages(held).add([{ links: Array<string>(1_000).fill(''), html: null }]);
		expect(held.bytes).toBeGreaterThan(0);
	});

	it('may be as many as they are where they go to files', () => {
		const all = new CollectedPages();
		all.add([page('a', '1', 'x'.repeat(201 * MB))]);
		expect(all.overflow).toBeUndefined();
	});
});

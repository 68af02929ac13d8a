import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { boundedError, boundedResponse } from '../../../../nodes/shared/run/results/toolResponse';

const itemsOfSizes = (...sizes: number[]): INodeExecutionData[] =>
	sizes.map((size, index) => ({
		json: { url: `https://a.example/${index}`, markdown: 'x'.repeat(size) },
		pairedItem: { item: 0 },
	}));

/** Returns what the model reads: n8n passes it a list of all the JSON. */
const responseOf = (items: INodeExecutionData[]) => JSON.stringify(items.map(({ json }) => json));

describe("a tool's response", () => {
	it('is left alone where all of it fits, to the character', () => {
		const items = itemsOfSizes(100, 200, 300);
		expect(boundedResponse(items, responseOf(items).length)).toBe(items);
		expect(boundedResponse(items, responseOf(items).length - 1)).not.toBe(items);
	});

	it.each([1_000, 2_000, 10_000, 60_000])('never has more than %i characters', (bound) => {
		for (const sizes of [[bound], [900, bound, 10], Array<number>(300).fill(bound / 20)]) {
			const kept = boundedResponse(itemsOfSizes(...sizes), bound);
			expect(responseOf(kept).length).toBeLessThanOrEqual(bound);
			expect(kept.length).toBeGreaterThan(0);
		}
	});

	it('shortens all results before it leaves out any, the longest ones, and as little as need be', () => {
		const items = itemsOfSizes(500, 50_000, 30_000, 20_000);
		const response = boundedResponse(items, 20_000);
		expect(response.map(({ json }) => json.url)).toEqual(items.map(({ json }) => json.url));
		const lengths = response.map(({ json }) => String(json.markdown).length);
		expect(lengths[0]).toBe(500);
		expect(new Set(lengths.slice(1)).size).toBe(1);
		expect(response[1].json.markdown).toMatch(/x… \(shortened, 50000 characters in all\)$/);
		expect(responseOf(response).length).toBeGreaterThan(20_000 / 1.3);
	});

	it('leaves out whole results, and says how many, which, and how to ask for less, where little would be left of each', () => {
		const items = itemsOfSizes(500, 5_000, 600);
		const [first, last, note, ...others] = boundedResponse(items, 3_000);
		expect([first, last]).toEqual([items[0], items[2]]);
		expect(others).toEqual([]);
		expect(note.json.note).toMatch(/^1 of 3 results were left out, .* at most 3000 characters/);
		expect(note.json.note).toContain('Among them: https://a.example/1.');
		expect(note.json.note).toContain('ask for fewer results at a time');
		expect(note.pairedItem).toEqual({ item: 0 });
	});

	it('keeps the text of an error whose data cannot be shortened', () => {
		const data = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`name-${n}`, n]));
		const error = { message: 'It failed', description: 'Its job ID is 7.', data };
		const [{ json }, ...others] = boundedError({ json: { message: 'It failed', error } });
		expect(others).toEqual([]);
		expect(json.error).toMatchObject({ description: 'Its job ID is 7.' });
	});

	it('shortens the lists of a result that does not fit, and keeps the texts that do', () => {
		const links = Array.from({ length: 5_000 }, (_, index) => `https://a.example/${index}`);
		const markdown = 'x'.repeat(1_000);
		const [{ json }, ...others] = boundedResponse([{ json: { markdown, links } }], 5_000);
		expect(others).toEqual([]);
		expect(json.markdown).toBe(markdown);
		const [first, ...more] = json.links as string[];
		expect(first).toBe(links[0]);
		expect(more.length).toBeGreaterThan(50);
		expect(more.at(-1)).toBe('… (shortened, 5000 entries in all)');
	});

	it('keeps the first of the large entries of a list', () => {
		const pages = Array.from({ length: 9 }, () => ({ title: 'A', text: 'x'.repeat(50_000) }));
		const [{ json }] = boundedResponse([{ json: { data: { pages } } }], 5_000);
		expect(json.data).toMatchObject({ pages: [{ title: 'A' }, '… (shortened, 9 entries in all)'] });
	});

	it('keeps the first fields of an object of many, and says how many there were', () => {
		const names = Array.from({ length: 5_000 }, (_, index) => [`name-${index}`, index]);
		const item = { json: { url: 'https://a.example', data: Object.fromEntries(names) } };
		const [{ json }] = boundedResponse([item], 5_000);
		expect(JSON.stringify(json).length).toBeLessThan(5_000);
		expect(json.data).toMatchObject({
			'name-0': 0,
			'…': '… (shortened, 5000 fields in all)',
		});
	});

	it('names what was left out by URL or ID, where these are short', () => {
		const noteFor = (...names: IDataObject[]) => {
			const leftOut = names.map((name) => ({ json: { ...name, markdown: 'x'.repeat(5_000) } }));
			const kept = boundedResponse([...itemsOfSizes(10), ...leftOut], 2_000);
			return String(kept.at(-1)!.json.note);
		};
		const [longest, tooLong] = ['u'.repeat(150), 'v'.repeat(151)];
		const note = noteFor({ url: tooLong }, { url: longest }, { id: 'job-7' }, { url: 7 });
		expect(note).toContain(` Among them: ${longest} job-7. To read more,`);
		expect(noteFor({ url: tooLong }, {})).toContain('2000 characters. To read more,');
		expect(note).toMatch(/Output, or raise Max Response Length\.\)$/);
	});
});

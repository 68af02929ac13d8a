/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type {
	IBinaryData,
	INodeExecutionData,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';

import { WebDataScrape } from '../../nodes/WebDataScrape/WebDataScrape.node';
import { detailsOf } from '../support/engine';
import type { LocalService } from '../../mock-service';
import type { MoreOptions } from '../support/served';
import { served } from '../support/served';

let service: LocalService;
const run = served({ credits: 1_000_000 }, (started) => (service = started));
const parse = async (items: INodeExecutionData[], form: INodeParameters = {}, more?: MoreOptions) =>
	await run(new WebDataScrape(), { operation: 'parseFile', ...form }, { items, ...more });

const PDF = Buffer.concat([Buffer.from('%PDF-1.4\r\n--x\r\n'), Buffer.alloc(250_000, 7)]);
const itemOf = (binary: Partial<IBinaryData>, data = PDF): INodeExecutionData => ({
	json: {},
	binary: {
		data: {
			data: data.toString('base64'),
			mimeType: 'application/pdf',
			fileName: 'bill-ä "ä".pdf',
			...binary,
		},
	},
});
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const kept = { data: 'filesystem-v2', id: 'filesystem-v2:report' };

/** Stores a file on disk as n8n's storage does, and counts how often it is read. */
function stored(content: Buffer): { reads: () => number } {
	const folder = mkdtempSync(join(tmpdir(), 'parse-'));
	const path = join(folder, 'report');
	writeFileSync(path, content);
	let reads = 0;
	const storage = Container.get(BinaryDataService);
	jest.spyOn(storage, 'getMetadata').mockResolvedValue({ fileSize: content.length });
	jest.spyOn(storage, 'getAsStream').mockImplementation(async () => {
		reads++;
		return createReadStream(path);
	});
	cleanUp.push(() => rmSync(folder, { recursive: true }));
	return { reads: () => reads };
}

const cleanUp: Array<() => void> = [];
afterEach(() => {
	jest.restoreAllMocks();
	for (const work of cleanUp.splice(0)) work();
});

describe('the name of a file', () => {
	it.each([
		['Offer v1.2', 'application/pdf', 'Offer v1.2.pdf'],
		['Offer.', 'application/pdf; charset=x', 'Offer.pdf'],
		['', 'application/pdf', 'file.pdf'],
		['report.PDF', 'application/pdf', 'report.PDF'],
		['a.b', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'a.b.docx'],
		['a', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'a.xlsx'],
		['a', 'application/msword', 'a.doc'],
		['a', 'application/vnd.ms-excel', 'a.xls'],
		['a', 'application/vnd.oasis.opendocument.text', 'a.odt'],
		['a', 'application/epub+zip', 'a.epub'],
		['a', 'text/html', 'a.html'],
		['a', 'text/csv', 'a.csv'],
		['table.csv', 'application/octet-stream', 'table.csv'],
		['a', 'application/x-pdf', 'a.pdf'],
	])('%j of the type %s is sent as %s', async (fileName, mimeType, sent) => {
		const { error } = await parse([itemOf({ fileName, mimeType })]);
		expect(error).toBeUndefined();
		expect(service.requests[0].file!.name).toBe(sent);
	});
});

it.each([
	['Bill', 'pdf', 'Bill.pdf'],
	['Bill v1.2', '.pdf', 'Bill v1.2.pdf'],
	['upload.tmp', 'docx', 'upload.tmp.docx'],
	['table.csv', 'pdf', 'table.csv'],
])('%j with the extension %s of n8n is sent as %s', async (fileName, fileExtension, sent) => {
	const mimeType = 'application/octet-stream';
	const { error } = await parse([itemOf({ fileName, fileExtension, mimeType })]);
	expect(error).toBeUndefined();
	expect(service.requests[0].file!.name).toBe(sent);
});

describe('a file without a media type', () => {
	it.each([undefined, null, ''])('is known by its extension: %j', async (mimeType) => {
		const { error } = await parse([itemOf({ fileName: 'a.pdf', mimeType: mimeType as never })]);
		expect(error).toBeUndefined();
		expect(service.requests[0].file!.name).toBe('a.pdf');
	});
});

describe('a parsed file', () => {
	it.each([true, false])('has its name in the result, with Simplify %s', async (simplify) => {
		const { output } = await parse([itemOf({ fileName: 'Bill 7' })], { simplify });
		expect(output[0][0].json).toMatchObject({ fileName: 'Bill 7.pdf' });
		// The service's address of a file cannot be opened.
		expect(output[0][0].json.url).toBeUndefined();
	});
});

describe('several files of an item', () => {
	const several = () => {
		const item = itemOf({ fileName: 'a.pdf' });
		item.binary!.other = { ...item.binary!.data, fileName: 'b.pdf' };
		return item;
	};

	it.each<[NodeParameterValueType, string[]]>([
		['={{ ["data", "other"] }}', ['data', 'other']],
		['={{ Object.keys($binary) }}', ['data', 'other', 'my_file']],
		['["data", "other"]', ['data', 'other']],
		['*,data', ['data', 'other', 'my_file']],
		['my file, data', ['my file', 'data']],
	])('by %j are one result each', async (binaryPropertyName, files) => {
		const item = several();
		const blank = String(binaryPropertyName).startsWith('my file') ? 'my file' : 'my_file';
		item.binary![blank] = { ...item.binary!.data, fileName: 'c.pdf' };
		const { output, error } = await parse([item], { binaryPropertyName });
		expect(error).toBeUndefined();
		expect(output[0].map(({ json }) => json.file)).toEqual(files);
		expect(output[0][0].json.warning).toBeUndefined();
	});

	const INVITE = { fileName: 'invite.ics', mimeType: 'text/calendar' };

	it('* leaves out what no service reads, and says so', async () => {
		const item = itemOf({ fileName: 'a.pdf' });
		item.binary!.odd = { ...item.binary!.data, ...INVITE };
		const { output, error } = await parse([item], { binaryPropertyName: '*' });
		expect(error).toBeUndefined();
		expect(service.requests.map(({ file }) => file!.name)).toEqual(['a.pdf']);
		expect(output[0][0].json.warning).toBe(
			'Left out, because the service does not take files of this type: "invite.ics".',
		);
	});

	it('that is null is no file', async () => {
		const item = { json: {}, binary: { data: null } } as unknown as INodeExecutionData;
		const { error } = await parse([item]);
		expect(error?.message).toMatch(/finds no file in the item/);
	});

	it.each([
		['*', [{ odd: INVITE }], /holds "invite\.ics", a file of a type/],
		['data, odd', [{ data: {}, odd: INVITE }], /holds "invite\.ics", a file of a type/],
		['photo_*', [{ data: {} }], /has "photo_\*", but the item has no such file/],
		['*', [{}], /finds no file in the item/],
		['={{ [] }}', [{ data: {} }], /gives nothing/],
	])(
		'%s is refused where it names none that can be read',
		async (binaryPropertyName, [files], says) => {
			const item = itemOf({ fileName: 'a.pdf' });
			const { data } = item.binary!;
			item.binary = Object.fromEntries(
				Object.entries(files).map(([name, more]) => [name, { ...data, ...more }]),
			);
			const { error } = await parse([item], { binaryPropertyName });
			expect(error?.message).toMatch(says);
			expect(service.requests).toEqual([]);
		},
	);

	it('are not lost where a later one fails', async () => {
		let calls = 0;
		service.fail({
			path: '/v2/parse',
			when: () => ++calls > 1,
			status: 500,
			body: { success: false, error: 'No' },
		});
		const { output } = await parse(
			[several()],
			{ binaryPropertyName: '*' },
			{ onError: 'continueErrorOutput' },
		);
		expect(output.map((items) => items.length)).toEqual([1, 1]);
	});

	it('say that they may have been billed where a later one fails, was not sent, or came back empty', async () => {
		for (const [fault, options] of [
			[{ status: 400, body: { success: false, error: 'No' } }, {}],
			[{ status: 429, body: { error: 'Rate limit' } }, { maxWait: 0 }],
			[{ status: 200, body: { success: true } }, {}],
			[undefined, { creditBudget: 1 }],
		] as const) {
			service.clearFaults();
			let calls = 0;
			if (fault) service.fail({ path: '/v2/parse', when: () => ++calls > 1, times: 9, ...fault });
			const { error } = await parse([several()], { binaryPropertyName: '*', options });
			expect(error?.description).toContain('may have been billed');
		}
	});

	it('are read once over all tries, and each counts in the budget', async () => {
		let calls = 0;
		const fault = { status: 400, body: { success: false, error: 'No' }, times: 1 };
		service.fail({ path: '/v2/parse', when: () => ++calls > 1, ...fault });
		const before = service.ledger.length;
		const { output } = await parse(
			[several()],
			{ binaryPropertyName: '*', options: { creditBudget: 50, includeRunDetails: true } },
			{ onError: 'stopWorkflow', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		);
		const entries = service.ledger.slice(before);
		expect(entries).toHaveLength(2);
		const sum = entries.reduce((all, { credits }) => all + credits, 0);
		expect(output[0].map((item) => detailsOf(item).runCreditsUsed)).toEqual([sum, sum]);
	});

	it.each(['image/heic', 'image/svg+xml'])(
		'leave out images that no service reads: %s',
		async (type) => {
			const item = several();
			item.binary!.other.fileName = `picture.${type.slice(6, 10)}`;
			item.binary!.other.mimeType = type;
			const { output, error } = await parse([item], { binaryPropertyName: '*' });
			expect(error).toBeUndefined();
			expect(output[0][0].json.warning).toContain('Left out');
		},
	);

	it('are all checked before any is sent', async () => {
		const item = several();
		item.binary!.other.fileName = 'b.exe';
		item.binary!.other.mimeType = 'application/x-msdownload';
		expect((await parse([item], { binaryPropertyName: 'data, other' })).error?.message).toContain(
			'"b.exe"',
		);
		expect((await parse([{ json: {} }], { binaryPropertyName: '*' })).error?.message).toContain(
			'finds no file in the item',
		);
		expect(service.requests).toEqual([]);
	});
});

it.each([
	['question', { question: 'What is the total of this invoice?' }],
	['highlights', { highlightsQuery: 'total' }],
])('a file takes the format %s', async (format, more) => {
	const { error } = await parse([itemOf({})], { formats: [format], ...more });
	expect(error).toBeUndefined();
	expect(service.requests[0].body).toMatchObject({ formats: [{ type: format }] });
});

describe('a file of the input', () => {
	it.each([
		['in the item', false],
		['in the storage of n8n', true],
	])('%s is sent as it is, once, with the options', async (_where, isStored) => {
		const storage = isStored ? stored(PDF) : undefined;
		const form = {
			formats: ['markdown', 'links'],
			options: { contentOptions: { parsers: { maxPages: 2 } } },
		};
		const { output, error } = await parse([itemOf(isStored ? kept : {})], form);
		expect(error).toBeUndefined();
		expect(output[0][0].json).toMatchObject({ numPages: 2, totalPages: 3 });
		expect(output[0][0].json.markdown).toEqual(expect.any(String));
		expect(service.requests).toHaveLength(1);
		const [{ path, body, file }] = service.requests;
		expect({ path, file }).toEqual({
			path: '/v2/parse',
			file: {
				name: 'bill-ä "ä".pdf',
				type: 'application/pdf',
				bytes: PDF.length,
				sha256: sha256(PDF),
			},
		});
		expect(body).toEqual({
			formats: ['markdown', 'links'],
			parsers: [{ type: 'pdf', maxPages: 2 }],
		});
		if (storage) expect(storage.reads()).toBe(1);
	});

	it('has a type that adds no part or header of its own', async () => {
		const mimeType = 'application/pdf\r\nX-Odd: 1\r\n\r\nodd';
		const { error } = await parse([itemOf({ mimeType })]);
		expect(error).toBeUndefined();
		const [{ file }] = service.requests;
		expect(file).toMatchObject({ bytes: PDF.length, sha256: sha256(PDF) });
	});

	it('is opened anew where a rate limit kept it from being taken', async () => {
		const storage = stored(PDF);
		service.fail({ times: 1, status: 429, body: { success: false, error: 'Slow down' } });
		const { error } = await parse([itemOf(kept)]);
		expect(error).toBeUndefined();
		expect(storage.reads()).toBe(2);
		expect(service.requests.at(-1)!.file!.sha256).toBe(sha256(PDF));
	});

	it('is not sent again after an answer that may have been billed', async () => {
		service.fail({ status: 500, body: { success: false, error: 'Broken' } });
		const { error } = await parse([itemOf({})], {}, { retryOnFail: true, maxTries: 3 });
		expect(error).toBeDefined();
		expect(service.requests).toHaveLength(1);
	});
});

describe('before anything is sent', () => {
	it.each([
		['a type not taken', { fileName: 'a.mp3', mimeType: 'audio/mpeg' }, /"a\.mp3", a file of/],
		['51 MB', { ...kept, bytes: 61 * 1024 * 1024 }, /is 61\.0 MB, but the limit is 50 MB/],
		['an empty file', { data: '' }, /which is empty$/],
	])('%s is rejected, and stops the other items', async (_name, binary, message) => {
		const { error } = await parse([itemOf({}), itemOf(binary)]);
		expect(error?.message).toMatch(message);
		expect(error?.message).toMatch(/^Input Binary Field holds/);
		expect((error?.context as { itemIndex: number }).itemIndex).toBe(1);
		expect(service.requests).toHaveLength(0);
	});

	it('that is the only one of its item is read, whatever it is called', async () => {
		const item = itemOf({});
		item.binary = { attachment_0: item.binary!.data };
		const { output, error } = await parse([item]);
		expect(error).toBeUndefined();
		expect(output[0][0].json.markdown).toEqual(expect.any(String));
	});

	it('an item without the file is an error that names the field', async () => {
		const { error } = await parse([{ json: {} }]);
		expect(error?.message).toBe('Input Binary Field finds no file in the item');
		expect(error?.description).toContain('Check that the previous node outputs a file.');
		const { error: other } = await parse([itemOf({})], { binaryPropertyName: 'file' });
		expect(other?.description).toContain('The item has the file data; * is all of them.');
		expect(service.requests).toHaveLength(0);
	});
});

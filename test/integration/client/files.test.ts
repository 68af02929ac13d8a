/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import {
	createServer,
	type OutgoingHttpHeaders,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';

import type { Task } from '../../../nodes/shared/run/operation';
import { addFiles } from '../../../nodes/shared/run/downloads/files';
import type { CallSettings } from '../../../nodes/shared/client/types';
import { WebDataSearch } from '../../../nodes/WebDataSearch/WebDataSearch.node';
import { callNode } from '../../support/callNode';
import { type NodeRunOptions, itemsOf, runNode } from '../../support/engine';

const PNG = Buffer.from('89504e470d0a1a0a00000000', 'hex');
const PDF = Buffer.from('%PDF-1.4 some document');
let files: Server;
let root: string;
const keys: Array<string | undefined> = [];
/** What the next requests get instead of their file. */
const faults: Array<(response: ServerResponse) => void> = [];
/** Number of slow files being sent, and the most at once. */
let open = 0;
let mostOpen = 0;

beforeAll(async () => {
	files = createServer((request, response) => {
		keys.push(request.headers.authorization);
		const fault = faults.shift();
		if (fault) fault(response);
		else if (request.url?.startsWith('/slow/')) {
			mostOpen = Math.max(mostOpen, ++open);
			setTimeout(() => {
				open--;
				response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
			}, 30);
		} else if (request.url === '/gone.png') response.writeHead(403).end();
		else if (request.url === '/cut.png') {
			response.writeHead(200, { 'content-length': '100' }).write(PNG);
			setTimeout(() => response.destroy(), 20);
		} else if (request.url === '/zipped.png') {
			const isZipped = /gzip/.test(String(request.headers['accept-encoding']));
			const headers = isZipped ? { 'content-encoding': 'gzip' } : { 'content-length': '5000' };
			const file = randomBytes(5000);
			response.writeHead(200, headers).end((isZipped ? gzipSync(file) : file).subarray(0, 2000));
			if (!isZipped) setTimeout(() => response.destroy(), 20);
		} else if (request.url === '/large.png') {
			response.writeHead(200);
			Readable.from(Array<Buffer>(101).fill(Buffer.alloc(1024 * 1024))).pipe(response);
		} else if (request.url === '/moved') {
			response.writeHead(302, { location: '/shot.png' }).end();
		} else if (request.url?.startsWith('/audio')) {
			response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('mp3');
		} else response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
	});
	await new Promise<void>((done) => files.listen(0, '127.0.0.1', done).unref());
	root = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});

afterEach(() => {
	jest.restoreAllMocks();
});

afterAll(() => {
	files.closeAllConnections();
	files.close();
});

async function download(
	results: IDataObject[],
	settings: CallSettings = {},
	more: Partial<NodeRunOptions> = {},
) {
	return await runNode({
		nodeType: callNode({}, async (caller, _call, callSettings) => {
			const { json } = (caller.context as IExecutePaginationFunctions).getInputData() as never;
			const item = { json };
			const task = { ...caller, settings: { ...callSettings, ...settings } };
			const [failure] = await addFiles(task as unknown as Task, [item], true);
			if (failure) throw failure.error;
			return [item];
		}),
		parameters: {},
		items: itemsOf(...results),
		credentials: { baseUrl: root, apiKey: 'the-key-0123' },
		onError: 'continueErrorOutput',
		...more,
	});
}

function contentOf(binary: { data: string } | undefined): Buffer {
	return Buffer.from(binary?.data ?? '', 'base64');
}

it('all files of a result come into its binary data, and are asked for without the key', async () => {
	const { output } = await download([
		{
			markdown: PDF.toString('base64'),
			html: '<p>x</p>',
			screenshot: `${root}/shot.png`,
			audio: `${root}/audio?sign=1`,
			actions: {
				screenshots: [`data:image/png;base64,${PNG.toString('base64')}`, `${root}/moved`],
				pdfs: [`${root}/page.pdf`],
			},
		},
	]);
	const [{ json, binary }] = output[0];
	expect(Object.keys(binary ?? {}).sort()).toEqual([
		'audio',
		'pdf',
		'pdf_0',
		'screenshot',
		'screenshot_0',
		'screenshot_1',
	]);
	expect(binary?.screenshot).toMatchObject({ fileName: 'shot.png', mimeType: 'image/png' });
	expect(binary?.audio).toMatchObject({ fileName: 'audio.mp3', mimeType: 'audio/mpeg' });
	expect(binary?.pdf).toMatchObject({ fileName: 'pdf.pdf', mimeType: 'application/pdf' });
	expect(contentOf(binary?.screenshot)).toEqual(PNG);
	expect(contentOf(binary?.screenshot_0)).toEqual(PNG);
	expect(contentOf(binary?.screenshot_1)).toEqual(PNG);
	expect(contentOf(binary?.pdf)).toEqual(PDF);
	expect(json).toMatchObject({
		markdown: '(in binary field pdf)',
		html: '<p>x</p>',
		screenshot: `${root}/shot.png`,
		actions: { screenshots: ['(in binary field screenshot_0)', `${root}/moved`] },
	});
	expect(keys.every((key) => key === undefined)).toBe(true);
});

it.each([
	['/gone.png', /status 403.*24 hours/],
	['/cut.png', /\S+ Link:/],
	['/zipped.png', /\S+ Link:/],
	['/large.png', /larger than 100 MB/],
])('a failed download %s is an error of that item only', async (path, description) => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const results = [{ n: 0 }, { screenshot: root + path }, { n: 2 }];
	const { output } = await download(results);
	expect(output[0].map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	const [failed] = output[1];
	expect(failed.pairedItem).toEqual({ item: 1 });
	expect(failed.error?.message).toBe('The file “screenshot” could not be downloaded');
	expect(failed.error?.description).toMatch(description);
	expect(failed.error?.description).toContain(root + path);
});

it('a file whose host resets the connection once is fetched again', async () => {
	faults.push((response) => response.destroy());
	faults.push((response) => response.writeHead(503).end());
	const { output } = await download([{ screenshot: `${root}/shot.png` }]);
	expect(contentOf(output[0][0].binary?.screenshot)).toEqual(PNG);
	expect(faults).toEqual([]);
});

it('a file is dropped if its public name leads into n8n’s own network once it is fetched', async () => {
	const address = '127.0.0.1';
	const lookup = (
		_name: string,
		options: dns.LookupOptions,
		done: (...found: unknown[]) => void,
	) => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4));
	jest.spyOn(dns, 'lookup').mockImplementation(lookup as never);
	// Newer versions of n8n resolve names themselves first.
	const found = ['93.184.216.34', address];
	jest
		.spyOn(dns.promises, 'lookup')
		.mockImplementation((async () => [{ address: found.shift() ?? address, family: 4 }]) as never);
	const link = root.replace(address, 'rebound.example.com');
	const results = [{ screenshot: `${link}/shot.png` }];
	const { error } = await download(results, {}, { onError: undefined });
	expect(error?.description).toContain(', an address inside');
});

describe('downloads at once', () => {
	const links = () => Array.from({ length: 60 }, (_, n) => ({ screenshot: `${root}/slow/${n}` }));

	it.each([
		['as many as Max Concurrent Requests says', { maxConcurrent: 3 }, 3],
		['twenty where it is not set', {}, 20],
	])('are %s', async (_name, settings, most) => {
		mostOpen = 0;
		const { output } = await download(links(), settings);
		expect(output[0]).toHaveLength(60);
		expect(mostOpen).toBe(most);
	});

	/** Searches, and downloads the files of these results, which all belong to one item. */
	const search = async (web: IDataObject[]) => {
		faults.push((response) => response.end(JSON.stringify({ success: true, data: { web } })));
		return await runNode({
			nodeType: new WebDataSearch(),
			parameters: { operation: 'searchAndScrape', query: 'tea', options: { downloadFiles: true } },
			credentials: { baseUrl: root, apiKey: 'the-key-0123' },
		});
	};

	it('of one item end before the node does, and none begins after one has failed', async () => {
		keys.length = 0;
		const { error } = await search([{ screenshot: `${root}/gone.png` }, ...links()]);
		expect(error?.message).toContain('could not be downloaded');
		const sent = keys.length;
		expect(sent).toBeLessThan(25);
		expect(open).toBe(0);
		await new Promise((done) => setTimeout(done, 200));
		expect(keys).toHaveLength(sent);
	});

	it('that wait end with a cancel', async () => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), 200);
		keys.length = 0;
		await download(links(), { maxConcurrent: 1 }, { signal: controller.signal });
		// One that was just sent may still arrive.
		await new Promise((done) => setTimeout(done, 100));
		const sent = keys.length;
		await new Promise((done) => setTimeout(done, 200));
		expect(keys).toHaveLength(sent);
		expect(sent).toBeLessThan(60);
	});
});

it('an error about a file shows no key that its host echoes', async () => {
	const echo = (status: number, headers: OutgoingHttpHeaders) => {
		faults.push((response) => response.writeHead(status, headers).end(PNG));
	};
	const screenshot = `${root}/shot.png`;
	echo(302, { location: '/the-key-0123.png' });
	echo(200, { 'content-type': 'image/the-key-0123' });
	const { output } = await download([{ screenshot }]);
	expect(output[0][0].binary?.screenshot).toMatchObject({ fileName: '[API key].png' });
	expect(JSON.stringify(output)).not.toContain('the-key-0123');
	jest.spyOn(Math, 'random').mockReturnValue(0);
	for (let tries = 0; tries < 4; tries++) echo(302, { location: 'http://the-key-0123.invalid/' });
	const { error } = (await download([{ screenshot }])).output[1][0];
	expect(error?.description).toMatch(/\[API key\]\.invalid/);
	expect(JSON.stringify(error)).not.toContain('the-key-0123');
});

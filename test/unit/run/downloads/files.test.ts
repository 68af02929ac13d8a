/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @typescript-eslint/no-unused-vars */
import { Readable } from 'node:stream';
import type {
	IBinaryData,
	IExecutePaginationFunctions,
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';

import { nodeErrorOf } from '../../../../nodes/shared/client/errors/nodeErrors';
import type { Task } from '../../../../nodes/shared/run/operation';
import { addFiles } from '../../../../nodes/shared/run/downloads/files';
import { readAccount } from '../../../../nodes/shared/client/account';
import type { CallSettings } from '../../../../nodes/shared/client/types';
import { kindOf } from '../../../../nodes/shared/base/hosts';
import { Parts } from '../../../../nodes/shared/run/round';
import { freshLimiters } from '../../../support/limiters';

const ROOT = 'https://files.example.com';
const API = 'https://api.example.com';
const PDF = Buffer.from('%PDF-1.4 some document').toString('base64');
const NO_LINK = 'It is not a valid link that starts with http:// or https://.';

const NODE = { name: 'Search', type: 'webDataSearch', typeVersion: 1, parameters: {} };

interface Response {
	status?: number;
	type?: string;
	chunks?: Iterable<Buffer> | AsyncIterable<Buffer>;
	error?: Error;
	location?: string;
	retryAfter?: string;
	/** Where the connection ends. */
	socket?: { remoteAddress: string; remotePort: number };
}

/** What n8n has beside its usual helpers. */
interface N8n {
	helpers?: object;
	/** The Base URL of the credential. */
	baseUrl?: string;
	signal?: AbortSignal;
}

/** An item's download: what it fetched, and the binary data that n8n created from it. */
class Download {
	readonly fetched: IHttpRequestOptions[] = [];

	readonly bodies: Readable[] = [];

	readonly item: INodeExecutionData;

	constructor(
		json: IDataObject,
		private readonly respond: (url: string) => Response = () => ({ type: 'image/png' }),
		private readonly settings: CallSettings = {},
	) {
		this.item = { json };
	}

	async run({ helpers = {}, baseUrl = API, signal }: N8n = {}): Promise<
		Record<string, IBinaryData>
	> {
		const context = {
			getNode: () => NODE,
			getItemIndex: () => 3,
			getCredentials: async () => ({ baseUrl, apiKey: 'key-0123' }),
			getExecutionCancelSignal: () => signal,
			helpers: {
				httpRequest: async (options: IHttpRequestOptions) => await this.fetch(options),
				prepareBinaryData: async (content: Buffer | Readable, fileName: string, type: string) => {
					const chunks: Buffer[] = [];
					let size = 0;
					for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
						size += (chunk as Buffer).length;
						if (size < 1_000) chunks.push(chunk as Buffer);
					}
					return { data: Buffer.concat(chunks).toString(), fileName, mimeType: type };
				},
				...helpers,
			},
		} as unknown as IExecutePaginationFunctions;
		const { account } = await readAccount(context);
		const stopped = signal ?? new AbortController().signal;
		const run = Object.assign(new Parts(), { cancelled: signal, stopped });
		const task = { run, account, context, settings: this.settings };
		const [failure] = await addFiles(task as unknown as Task, [this.item], true);
		if (failure) throw nodeErrorOf(failure.error, { node: context.getNode(), itemIndex: 3 });
		return this.item.binary ?? {};
	}

	/** Returns the error it ends with. */
	async failure(n8n?: N8n): Promise<NodeApiError> {
		return await this.run(n8n).then(
			() => {
				throw new Error('It did not fail');
			},
			(error: NodeApiError) => error,
		);
	}

	private async fetch(options: IHttpRequestOptions) {
		this.fetched.push(options);
		const { status = 200, type, chunks, error, socket, ...more } = this.respond(options.url);
		const { location, retryAfter } = more;
		if (error !== undefined) throw error;
		const body = Object.assign(Readable.from(chunks ?? [Buffer.from(options.url)]), { socket });
		this.bodies.push(body);
		const headers = { 'content-type': type, location, 'retry-after': retryAfter };
		return { statusCode: status, headers, body };
	}
}

/** Rejects once the request is aborted. */
async function untilAborted({ abortSignal }: IHttpRequestOptions): Promise<never> {
	return await new Promise<never>((_, reject) => {
		const signal = abortSignal as AbortSignal;
		const stop = () => reject(new Error('canceled'));
		if (signal.aborted) stop();
		signal.addEventListener('abort', stop);
	});
}

describe('the files of a result', () => {
	const [shot, audio] = [`${ROOT}/shot.png`, `${ROOT}/audio.mp3`];

	it.each<[string, IDataObject, string[]]>([
		['a page', { screenshot: shot, audio }, ['screenshot', 'audio']],
		['a response about one page', { data: { screenshot: shot } }, ['screenshot']],
		['one list', { data: [{ audio }, { screenshot: shot }] }, ['audio_of_0', 'screenshot_of_1']],
		[
			'a response of several lists',
			{ data: { web: [{ audio }, {}], news: [{ screenshot: shot }] } },
			['audio_of_0', 'screenshot_of_1'],
		],
		['a list of which one has any', { data: [{ title: 'x' }, { audio }, null, 'x'] }, ['audio']],
		[
			'actions',
			{ actions: { screenshots: [shot, shot], pdfs: [`${ROOT}/a.pdf`] } },
			['screenshot_0', 'screenshot_1', 'pdf_0'],
		],
		['nothing in their place', { screenshot: '', audio: null, actions: { pdfs: ['', 7] } }, []],
		['text', { markdown: 'a', html: `<p>${PDF}`, rawHtml: 7, data: 'text' }, []],
		['a PDF instead of text', { markdown: PDF }, ['pdf']],
	])('%s', async (_name, json, names) => {
		expect(Object.keys(await new Download(json).run())).toEqual(names);
	});
});

describe('content embedded in a result', () => {
	it.each<[string, (content: string) => IDataObject, string, content?: string]>([
		['a page', (screenshot) => ({ screenshot }), 'screenshot'],
		['a page that is a PDF', (markdown) => ({ markdown, metadata: {} }), 'pdf', PDF],
		['actions', (pdf) => ({ actions: { pdfs: ['', pdf], scrapes: [{}] } }), 'pdf_1'],
		['a response of one page', (screenshot) => ({ data: { screenshot } }), 'screenshot'],
		['one list', (screenshot) => ({ data: [{}, { screenshot }] }), 'screenshot'],
		['a response of lists', (audio) => ({ data: { web: [{}], news: [{ audio }] } }), 'audio'],
	])(
		'gives way to a note in %s, but not in what a retry or another item may get',
		async (_name, jsonOf, name, content = 'data:image/png;base64,AA==') => {
			const json = jsonOf(content);
			const first = new Download(json);
			const files = await first.run();
			expect(Object.keys(files)).toEqual([name]);
			expect(first.item.json).toEqual(jsonOf(`(in binary field ${name})`));
			expect(json).toEqual(jsonOf(content));
			expect(await new Download(json).run()).toEqual(files);
		},
	);

	const base64 = Buffer.from('content').toString('base64');

	it.each([
		['with its type', `data:image/png;base64,${base64}`, 'image/png', 'screenshot.png'],
		['a JPEG', `data:image/jpeg;base64,${base64}`, 'image/jpeg', 'screenshot.jpg'],
	])('%s', async (_name, screenshot, mimeType, fileName) => {
		const download = new Download({ screenshot });
		const { screenshot: binary } = await download.run();
		expect(binary).toEqual({ data: 'content', fileName, mimeType });
		expect(download.item.json).toEqual({ screenshot: '(in binary field screenshot)' });
		expect(download.fetched).toEqual([]);
	});

	it.each([`xdata:image/png;base64,${base64}`, `ftp://x.example/${PDF}`, 'nonsense'])(
		'is not %s',
		async (screenshot) => {
			const download = new Download({ screenshot });
			expect((await download.failure()).description).toContain(NO_LINK);
			expect(download.fetched).toEqual([]);
			expect(download.item.json).toEqual({ screenshot });
		},
	);
});

describe('a link', () => {
	it('is fetched as Request Options say, without the key', async () => {
		const http = {
			proxy: { host: '127.0.0.1', port: 8_080 },
			skipSslCertificateValidation: true,
			timeout: 5_000,
		};
		const download = new Download({ screenshot: `${ROOT}/a/shot.png?sign=1` }, undefined, { http });
		const { screenshot } = await download.run();
		expect(screenshot).toMatchObject({ data: `${ROOT}/a/shot.png?sign=1` });
		const { abortSignal, ...options } = download.fetched[0];
		expect(abortSignal).toBeInstanceOf(AbortSignal);
		expect(options).toEqual({
			method: 'GET',
			headers: { 'Accept-Encoding': 'identity' },
			disableFollowRedirect: true,
			url: `${ROOT}/a/shot.png?sign=1`,
			proxy: http.proxy,
			skipSslCertificateValidation: true,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
		expect(download.item.json).toEqual({ screenshot: `${ROOT}/a/shot.png?sign=1` });
	});

	it.each<[string, string | undefined, string, string | undefined]>([
		['/a/shot.png', 'image/webp', 'shot.png', 'image/webp'],
		['/shot', 'image/jpeg;q=1', 'screenshot.jpg', 'image/jpeg'],
		['/shot.archive', 'image/png', 'screenshot.png', 'image/png'],
		['/', undefined, 'screenshot.png', undefined],
		['/shot', 'image/png"\'<x>', 'screenshot.png', undefined],
		['/shot', 'application/octet-stream', 'screenshot.png', undefined],
		['/shot', ' IMAGE/PNG ; q=1', 'screenshot.png', 'image/png'],
		['/v1.25', 'image/png', 'screenshot.png', 'image/png'],
		['/shot.mp4', 'image/png', 'shot.mp4', 'image/png'],
		['/my%20shot%20%C3%A9.png', 'image/png', 'my shot é.png', 'image/png'],
		['/..%2f..%2fa.png', 'image/png', '..%2f..%2fa.png', 'image/png'],
		['/a%E2%80%AEgnp.png', 'image/png', 'a%E2%80%AEgnp.png', 'image/png'],
	])('to %s of type %s becomes %s', async (path, type, fileName, mimeType) => {
		const download = new Download({ screenshot: ROOT + path }, () => ({ type }));
		const { screenshot } = await download.run();
		expect([screenshot.fileName, screenshot.mimeType]).toEqual([fileName, mimeType]);
	});

	it('is left where n8n keeps no binary data', async () => {
		const download = new Download({ screenshot: `${ROOT}/shot.png`, audio: PDF });
		expect(await download.run({ helpers: { prepareBinaryData: undefined } })).toEqual({});
		expect(download.item).toEqual({ json: { screenshot: `${ROOT}/shot.png`, audio: PDF } });
	});
});

describe('a download that fails', () => {
	it('names the file, the item, the job and the link', async () => {
		const link = `${ROOT}/${'x'.repeat(1_000)}.png`;
		const settings = { jobId: 'job-7' };
		const download = new Download({ screenshot: link }, () => ({ status: 403 }), settings);
		expect(await download.failure()).toMatchObject({
			message: 'The file “screenshot” could not be downloaded',
			description: [
				'The response has status 403.',
				`Link: ${link.slice(0, 200)}.`,
				'Screenshot links expire after 24 hours.',
				'Turn off Download Files to get the result without its files.',
				'Job: job-7.',
			].join(' '),
			context: { itemIndex: 3 },
			level: 'warning',
		});
		expect(download.bodies[0].destroyed).toBe(true);
	});

	it.each([
		['screenshot', { screenshot: `${ROOT}/x` }, / Screenshot links expire after 24 hours\. Turn/],
		['screenshot_0', { actions: { screenshots: [`${ROOT}/x`] } }, / Screenshot links expire /],
		['audio', { audio: `${ROOT}/x` }, / Audio links expire after 1 hour\. Turn/],
		['pdf_0', { actions: { pdfs: [`${ROOT}/x`] } }, /\/x\. Turn off Download Files .* files\.$/],
	])('says how long links to its kind live: %s', async (name, json, description) => {
		const download = new Download(json as IDataObject, () => ({ status: 404 }));
		const error = await download.failure();
		expect(error.message).toBe(`The file “${name}” could not be downloaded`);
		expect(error.description).toMatch(description);
	});

	it.each([
		['connect ECONNREFUSED', 'connect ECONNREFUSED.'],
		['write EPROTO\nwrong version!\n', 'write EPROTO wrong version!'],
	])('says what n8n says of it as a sentence: %s', async (message, said) => {
		const error = new Error(message);
		const download = new Download({ audio: `${ROOT}/x` }, () => ({ error }));
		const { description } = await download.failure();
		expect(description!.slice(0, description!.indexOf(' Link: '))).toBe(said);
	});

	it('is not the empty response or the web page that came instead', async () => {
		const json = { screenshot: `${ROOT}/x.png` };
		for (const [response, reason] of [
			[{ type: 'image/png', chunks: [] }, /^It is empty\. Link/],
			[{ type: 'text/html; charset=utf-8' }, /^A web page came in its place\. Link/],
		] as const) {
			const download = new Download({ ...json }, () => response);
			expect((await download.failure()).description).toMatch(reason);
			expect(download.fetched).toHaveLength(1);
		}
	});

	it('names an embedded file, which has no link', async () => {
		for (const [screenshot, reason] of [
			['data:image/png;base64,', 'It is empty. Turn'],
			['data:image/png;base64,!!', 'It is empty. Turn'],
			['data:text/html;base64,PGI+', 'A web page came in its place. Turn'],
		]) {
			const { description } = await new Download({ screenshot }).failure();
			expect(description!.startsWith(reason)).toBe(true);
		}
	});

	it('is not tried again if n8n’s disk is full, and says so', async () => {
		const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
		const helpers = { prepareBinaryData: async () => await Promise.reject(full) };
		const download = new Download({ audio: `${ROOT}/a.mp3` });
		const { description } = await download.failure({ helpers });
		expect(description).toContain("n8n's disk is full. Free space where n8n keeps binary data");
		expect(download.fetched).toHaveLength(1);
	});

	it('is one of more than 1,000 of an item', async () => {
		const pdfs = Array.from({ length: 1_001 }, (_, n) => `${ROOT}/${n}.pdf`);
		const download = new Download({ actions: { pdfs } });
		const { message, description } = await download.failure();
		expect(message).toBe('The item has 1001 files');
		expect(description).toContain('The limit is 1000 files per item.');
		expect(download.fetched).toEqual([]);
	});

	it('is beyond 5 GB of a run', async () => {
		const chunk = Buffer.alloc(99 * 1024 * 1024);
		const pdfs = Array.from({ length: 60 }, (_, n) => `${ROOT}/${n}.pdf`);
		const download = new Download({ actions: { pdfs } }, () => ({ chunks: [chunk] }));
		const { description } = await download.failure();
		expect(description).toMatch(/^The files of this run exceed 5 GB\. Send fewer items/);
		expect(download.fetched).toHaveLength(51);
	});

	it('takes no longer than the timeout', async () => {
		const json = { audio: `${ROOT}/x` };
		const helpers = { httpRequest: untilAborted };
		const download = new Download(json, undefined, { http: { timeout: 50 } });
		for (const signal of [undefined, new AbortController().signal]) {
			const { description } = await download.failure({ helpers, signal });
			expect(description).toMatch(/^It did not arrive in time\./);
		}
	});
});

describe('a download is tried again', () => {
	it('after the wait that the host asks for, if that ends within the timeout', async () => {
		const http = { timeout: 20_000 };
		const began = Date.now();
		const after = (...responses: Response[]) =>
			new Download({ audio: `${ROOT}/x` }, () => responses.shift() ?? {}, { http });
		await after({ status: 429, retryAfter: '1' }).run();
		expect(Date.now() - began).toBeGreaterThan(950);
		const { description } = await after({ status: 503, retryAfter: '30' }).failure();
		expect(description).toMatch(/^The response has status 503\./);
		expect(Date.now() - began).toBeLessThan(20_000);
	});

	it('until it is cancelled', async () => {
		const controller = new AbortController();
		const download = new Download({ audio: `${ROOT}/x` }, () => {
			setImmediate(() => controller.abort());
			return { status: 503, retryAfter: '60' };
		});
		const failure = await download.failure({ signal: controller.signal });
		expect(failure.description).toMatch(/^The execution was cancelled\./);
	});
});

describe('links into the network that n8n is in', () => {
	beforeEach(freshLimiters);

	const local = 'http://127.0.0.1:5678/rest/settings';

	it('are neither fetched nor followed to', async () => {
		const moved = { status: 302, location: local };
		for (const screenshot of [local, `${ROOT}/shot`]) {
			const download = new Download({ screenshot }, () => moved);
			const { description } = await download.failure();
			expect(description).toMatch(
				/^It leads to 127\.0\.0\.1:5678, an address inside n8n's own network/,
			);
			expect(description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES');
			expect(download.fetched.map(({ url }) => url)).toEqual(
				screenshot === local ? [] : [screenshot],
			);
			for (const body of download.bodies) expect(body.destroyed).toBe(true);
		}
	});

	it.each([
		['http://firecrawl:3002', 'http://firecrawl:9000/shot.png', true],
		['http://100.64.0.7:3002/v2', 'http://100.64.0.7/shot.png', true],
		['http://firecrawl:3002', local, false],
		['http://10.0.0.7', 'http://10.0.0.8/shot.png', false],
		['http://localhost:3002', 'http://169.254.169.254/latest/meta-data', false],
		['http://169.254.169.254', 'http://169.254.169.254/latest/meta-data', false],
		['http://[::]:3002', 'http://[::]:3002/shot.png', false],
	])('with the Base URL %s, %s is fetched: %s', async (baseUrl, link, isFetched) => {
		const download = new Download({ screenshot: link });
		await download.run({ baseUrl }).catch(() => {});
		expect(download.fetched).toHaveLength(isFetched ? 1 : 0);
	});

	type Found = Array<{ address: string }>;
	const at = (...addresses: string[]): Found => addresses.map((address) => ({ address }));
	const blocked = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });

	/** Creates n8n's filter, which finds these addresses, or fails. */
	const filterOf = (find: (host: string, options: object) => Found | Error) => ({
		getSecureEgressFilter: () => ({
			createSecureLookup:
				() =>
				(host: string, options: object, done: (error: Error | null, found: Found) => void) => {
					const found = find(host, options);
					if (found instanceof Error) done(found, []);
					else done(null, found);
				},
		}),
	});

	const unknown = new Error('getaddrinfo ENOTFOUND');
	it.each<[string, Found | Error, boolean]>([
		['refused.example', blocked, false],
		['10.0.0.1', blocked, false],
		['allowed.internal', at('10.0.0.5'), true],
		['10.9.9.9', at('10.9.9.9'), true],
		['files.example', at('93.184.216.34', '2606:4700::1111'), true],
		// If a proxy resolves names, n8n itself may not be able to.
		['proxied.example', unknown, true],
		['10.0.0.1', unknown, false],
		// n8n's filter doesn't know these ranges.
		['[::]', at('::'), false],
		['100.100.100.200', at('100.100.100.200'), false],
		['[fec0::1]', at('fec0::1'), false],
		['metadata.example', at('93.184.216.34', '100.100.100.200'), false],
		['allowed.example', at('169.254.169.254'), false],
	])(
		'are what n8n’s own filter says: %s, which is at %j, is fetched: %s',
		async (host, found, isFetched) => {
			const download = new Download({ audio: `http://${host}/a.mp3` });
			await download.run({ helpers: filterOf(() => found) }).catch(() => {});
			expect(download.fetched.length > 0).toBe(isFetched);
		},
	);

	it.each([
		['127.0.0.1', blocked],
		['100.100.100.200', at('100.100.100.200')],
	])(
		'are dropped if their name leads to %s by then, where n8n hides the address',
		async (_, later) => {
			const asked: object[] = [];
			const helpers = filterOf((_host, options) => {
				asked.push(options);
				return asked.length === 1 ? at('93.184.216.34') : later;
			});
			const download = new Download({ screenshot: 'http://rebound.example/a.png' });
			const { description } = await download.failure({ helpers });
			expect(description).toContain('It leads to rebound.example, an address');
			expect(download.bodies[0].destroyed).toBe(true);
			// n8n caches the first lookup for a while.
			expect(asked[1]).not.toEqual(asked[0]);
		},
	);

	it.each<[string, string, boolean | undefined, boolean]>([
		['127.0.0.1', 'http://rebound.example/a.png', undefined, false],
		['::ffff:10.0.0.1', 'http://rebound.example/a.png', undefined, false],
		['169.254.169.254', 'http://nas.lan/a.png', true, false],
		['100.64.0.1', 'http://rebound.example/a.png', true, false],
		['192.168.1.5', 'http://files.example/a.png', false, false],
		['192.168.1.5', 'http://files.example/a.png', true, true],
		['192.168.1.5', 'http://api.example.com/a.png', false, true],
		['8.8.8.8', 'http://files.example/a.png', false, true],
		['64:ff9b::808:808', 'http://files.example/a.png', undefined, true],
		['64:ff9b::a00:1', 'http://files.example/a.png', undefined, false],
	])(
		'what came from %s for %s is kept (n8n allows that address: %s): %s',
		async (remoteAddress, link, allowed, isKept) => {
			const socket = { remoteAddress, remotePort: 80 };
			const download = new Download({ screenshot: link }, () => ({ socket }));
			const filter = (host: string) => (/^192/.test(host) && !allowed ? blocked : at(host));
			const n8n = { helpers: allowed === undefined ? {} : filterOf(filter) };
			if (isKept) return expect(await download.run(n8n)).toHaveProperty('screenshot');
			const { description } = await download.failure(n8n);
			expect(description).toContain(
				`It leads to ${new URL(link).host} (${remoteAddress}), an address`,
			);
			expect(download.bodies[0].destroyed).toBe(true);
		},
	);

	it('are not told from the address of a proxy, which has its own port', async () => {
		const socket = { remoteAddress: '10.0.0.1', remotePort: 3128 };
		const download = new Download({ screenshot: 'https://files.example/a.png' }, () => ({
			socket,
		}));
		expect(await download.run()).toHaveProperty('screenshot');
	});

	it('a redirect is followed five times', async () => {
		const hop = (left: number) =>
			new Download({ audio: `${ROOT}/${left}` }, (url) => {
				const n = Number(url.split('/').at(-1));
				return n > 0 ? { status: 301, location: `/${n - 1}` } : { type: 'audio/mpeg' };
			});
		expect((await hop(5).run()).audio.fileName).toBe('audio.mp3');
		expect((await hop(6).failure()).description).toContain('It was redirected more than 5 times.');
	});

	it('a redirect to what is no web address is not followed', async () => {
		for (const location of ['file:///etc/passwd', 'http://']) {
			const download = new Download({ audio: `${ROOT}/a` }, () => ({ status: 302, location }));
			expect((await download.failure()).description).toContain(NO_LINK);
		}
	});

	it.each<[ReturnType<typeof kindOf>, string]>([
		['private', '127.0.0.1 2130706433 10.255.255.255 172.31.255.255 192.168.1.1'],
		['private', '[::1] [::ffff:127.0.0.1] [fd00::1] localhost. intranet. app.localhost n8n'],
		['private', 'printer.local.. kubernetes.default.svc router.home nas.lan 10.0.0.1.internal'],
		['never', '0.0.0.0 169.254.169.254 [fe80::1] [::ffff:169.254.169.254]'],
		['special', '100.64.0.1 224.0.0.1 192.0.2.0 198.51.100.255 203.0.113.0 240.0.0.1'],
		['special', '[64:ff9b::10.0.0.1] [2002:7f00:1::] [fec0::1] [ff02::1] [100::1] [2001:20::1]'],
		['special', '[2001:db8::1] [3fff::1] [4000::1] [::ffff:203.0.113.9] [::ffff:100.100.100.200]'],
		[undefined, '11.0.0.0 100.128.0.1 172.32.0.1 192.169.1.1 8.8.8.8 192.0.3.0 203.0.114.0'],
		[undefined, '[::ffff:8.8.8.8] [2606:4700::1111] [2001:200::1] [2001:db9::1] example.com.'],
		[undefined, 'svc.example.com internal.example.com'],
	])('are of the kind %s: %s', (kind, hosts) => {
		for (const host of hosts.split(' ')) {
			const { hostname } = new URL(`http://${host}/`);
			expect([host, kindOf(hostname.replace(/^\[|\]$|\.+$/g, ''))]).toEqual([host, kind]);
		}
	});
});

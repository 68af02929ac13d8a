/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets, @n8n/community-nodes/no-restricted-imports */
/** Every door through which texts of pages and services come into the nodes; what people enter is tried through the forms. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeParameters,
	INodeType,
	IPollFunctions,
} from 'n8n-workflow';

import { findOperation } from '../../api/contract';
import { exampleResponse } from '../../api/example';
import { allNodes, operationOf } from '../../scripts/lib/nodes';
import { requiredParameters, triggerParameters } from '../contract/controls';
import { cases, nodes } from '../contract/nodes';
import { itemsOf, runNode, toolOf } from './engine';
import { freshLimiters } from './limiters';
import { PolledTrigger } from './polledTrigger';
import { ScriptedTask } from './task';

export type Reads = (text: string) => Promise<unknown>;

const API_KEY = 'fc-0123456789abcdef';

interface Reply {
	status?: number;
	headers?: Record<string, string>;
	body: unknown;
}

/** What the service responds to an operation of the contract; undefined for any other request. */
let replyTo: (operationId?: string) => Reply;
let server: Server;
let baseUrl: string;

export async function openDoors(): Promise<void> {
	server = createServer((request, response) => {
		const operation = findOperation(request.method ?? '', (request.url ?? '').split('?')[0]);
		const { status = 200, headers, body } = replyTo(operation?.operationId);
		request.resume();
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const closeDoors = () => {
	server.closeAllConnections();
	server.close();
};

/** Fields in which another value leads elsewhere. */
const KEPT = /^(success|status|next|cursor|has_more|id|jobId|extractId|threadId|exitCode)$/;

/** Returns a text with the beginning and the end of another, and a part of its length. */
const partOf = (text: string, parts: number) => {
	const half = Math.ceil(text.length / parts / 2);
	return text.length <= 2 * half ? text : text.slice(0, half) + text.slice(-half);
};

/** Returns a value with the text in each field that has a text, with or without what makes it a URL. */
function filled(value: unknown, text: string, isUrl: boolean, name = ''): unknown {
	if (Array.isArray(value)) return value.map((entry) => filled(entry, text, isUrl, name));
	if (typeof value === 'object' && value !== null)
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [key, filled(entry, text, isUrl, key)]),
		);
	if (typeof value !== 'string' || KEPT.test(name)) return value;
	return isUrl && value.startsWith('http') ? `https://a.example/${text}` : text;
}

/** Makes the service respond to all operations with the text in each field. */
const respondWith = (text: string, isUrl = false) => {
	const part = partOf(text, 8);
	replyTo = (id) =>
		id === undefined
			? { status: 404, body: text }
			: { body: filled(exampleResponse(id, { isFilled: true }), part, isUrl) };
};

/** Returns what of a text may stand in a header. */
const headerOf = (text: string) => text.replace(/[^ -~]/g, '').slice(0, 8_000);

/** Time (ms) after which a run is stopped, which may wait for a limit or the end of a job; slow work goes on. */
const STOPPED_MS = 200;

async function run(node: INodeType, parameters: INodeParameters, more: IDataObject = {}) {
	freshLimiters();
	const credentials = { baseUrl, apiKey: API_KEY };
	const signal = AbortSignal.timeout(STOPPED_MS);
	return await runNode({ nodeType: node, parameters, credentials, signal, ...more });
}

const nodeOf = (name: string) =>
	allNodes().find(({ description }) => description.name === name) as INodeType;
const [scrape, crawl, agent] = ['webDataScrape', 'webDataCrawl', 'webDataAgent'].map(nodeOf);
/** A page to scrape, for which no rate limit is waited for. */
const page = { operation: 'scrape', url: 'https://a.example/', options: { maxWait: 0 } };

const operations = cases.flatMap(({ node, operation, name }): Array<[string, Reads]> => {
	const title = `${name}: ${operationOf(node, operation).name}`;
	const parameters = requiredParameters(node, operation);
	const asked = async (nodeType: INodeType, text: string, isUrl: boolean) => {
		respondWith(text, isUrl);
		await run(nodeType, parameters);
	};
	const ofTool: Reads = async (text) => await asked(toolOf(node), text, false);
	return [
		[title, async (text) => await asked(node, text, false)],
		[`${title}, in URLs`, async (text) => await asked(node, text, true)],
		...(operation === 'scrape' ? [[`${title}, as a tool`, ofTool] as [string, Reads]] : []),
	];
});

const failures = [200, 400, 402, 404, 408, 409, 429, 500, 502].flatMap(
	(status): Array<[string, Reads]> => [
		[
			`status ${status}`,
			async (text) => {
				const part = `${partOf(text, 6)} ${API_KEY}`;
				const detail = { message: part, path: [part], code: part };
				const told = { error: part, message: part, code: part, details: [detail, part] };
				const body = { success: false, ...told, requiresAction: { url: part } };
				const header = headerOf(text);
				replyTo = () => ({ status, headers: { 'retry-after': header, location: header }, body });
				await run(scrape, page);
			},
		],
		[
			`status ${status} with a web page`,
			async (text) => {
				replyTo = () => ({ status, headers: { 'content-type': 'text/html' }, body: text });
				await run(scrape, page);
			},
		],
	],
);

const jobs = [
	[agent, 'get'],
	[crawl, 'getPages'],
	[scrape, 'batchGetPages'],
].map(([node, operation]): [string, Reads] => [
	`a failed job: ${String(operation)}`,
	async (text) => {
		const part = partOf(text, 8);
		const metadata = { error: part, statusCode: part, url: part, sourceURL: part };
		const data = [{ markdown: part, metadata, code: part, error: part }];
		const body = { success: true, status: 'failed', error: part, stopReason: part, data };
		replyTo = () => ({ body });
		await run(node as INodeType, requiredParameters(node as INodeType, operation as string));
	},
]);

const files: Array<[string, Reads]> = [
	['a file of this type and address', (text: string) => text],
	['a file with an address elsewhere', (text: string) => `https://127.0.0.2/${text}`],
].map(([name, addressOf]) => [
	name as string,
	async (text) => {
		const address = (addressOf as (text: string) => string)(partOf(text, 4).replace(/#/g, ''));
		const screenshot = address.startsWith('https:') ? address : `${baseUrl}/file/${address}`;
		replyTo = (id) =>
			id === undefined
				? { headers: { 'content-type': `image/${headerOf(text)}` }, body: 'content' }
				: { body: { success: true, data: { screenshot, metadata: { url: page.url } } } };
		await run(scrape, { ...page, formats: ['screenshot'], options: { downloadFiles: true } });
	},
]);

const lists = nodes.flatMap((node) =>
	Object.entries(node.methods?.listSearch ?? {}).map(([name, list]): [string, Reads] => [
		`${node.description.displayName}: ${name}`,
		async (text) => {
			const part = partOf(text, 2);
			const job = { id: 'a', url: part, target: part, created_at: part };
			const { context } = new ScriptedTask([{ crawls: [job], data: [job] }]);
			const more = { getCurrentNodeParameter: () => undefined };
			const loading = { ...context, ...more } as unknown as ILoadOptionsFunctions;
			return await list.call(loading, text.slice(0, 20_000));
		},
	]),
);

type Trigger = INodeType & { poll(this: IPollFunctions): Promise<unknown> };

const POLLS: Array<[name: string, node: string, parameters: INodeParameters]> = [
	['a crawl', 'webDataCrawlTrigger', { options: { urlPattern: '*a*\na*b' } }],
	['a search', 'webDataSearchTrigger', {}],
	['a page', 'webDataPageTrigger', { options: { ignoreLines: 'Updated*ago\nx' } }],
	[
		'a site',
		'webDataPageTrigger',
		{ triggerOn: 'site', url: 'https://a.example', includePaths: '*a*b\n*' },
	],
];

const polls = POLLS.flatMap(([name, node, more]): Array<[string, Reads]> =>
	[false, true].map((isUrl) => [
		`polls for ${name}${isUrl ? ', in URLs' : ''}`,
		async (text) => {
			freshLimiters();
			const nodeType = nodeOf(node) as never as Trigger;
			const parameters = { ...triggerParameters(nodeType), ...more };
			const service = { url: baseUrl, apiKey: API_KEY };
			const trigger = new PolledTrigger(service, parameters, {}, nodeType as never);
			for (const told of ['a', partOf(text, 10), text]) {
				respondWith(told, isUrl);
				await trigger.poll();
			}
		},
	]),
);

/** Each reads a text, or fails. */
export const DOORS: Array<[name: string, reads: Reads]> = [
	...operations,
	...failures,
	...jobs,
	...files,
	...lists,
	...polls,
	[
		'the name of a file',
		async (text) => {
			respondWith('a');
			const data = { data: 'YQ==', mimeType: text, fileName: text };
			const items = [{ ...itemsOf({})[0], binary: { data } }];
			await run(scrape, requiredParameters(scrape, 'parseFile'), { items });
		},
	],
	[
		'a credential',
		async (text) => {
			respondWith('a');
			await run(scrape, page, { credentials: { baseUrl, apiKey: text } });
			const address = `${baseUrl}/${text.slice(0, 8_000)}`;
			await run(scrape, page, { credentials: { baseUrl: address, apiKey: API_KEY } });
		},
	],
];

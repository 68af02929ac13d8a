/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ADDRESS, type GivenResponse, type SentRequest } from './frozen';

/** A server on 127.0.0.1 that responds to each request with what `responseTo` returns for it. */
export interface Wire {
	url: string;
	close(): Promise<void>;
}

/** Returns a body's JSON; of a form, its text, with the same boundary each time. */
function bodyIn(text: string, contentType = ''): unknown {
	const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
	return boundary === undefined ? JSON.parse(text) : text.replaceAll(boundary, 'boundary');
}

/** Starts a server. It closes the connection if `responseTo` throws. */
export async function serve(
	responseTo: (
		request: SentRequest,
		raw: Buffer,
		contentType?: string,
	) => GivenResponse | Promise<GivenResponse>,
): Promise<Wire> {
	let url = '';
	const server = createServer((request, response) => {
		respond(request, response).catch((error: Error) => response.destroy(error));
	});
	const respond = async (request: IncomingMessage, response: ServerResponse) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const raw = Buffer.concat(chunks);
		const contentType = request.headers['content-type'];
		const sent: SentRequest = {
			method: request.method ?? 'GET',
			path: request.url ?? '/',
			...(raw.length > 0
				? { body: bodyIn(raw.toString().replaceAll(url, ADDRESS), contentType) }
				: {}),
		};
		const { status, content, base64, ...given } = await responseTo(sent, raw, contentType);
		response.writeHead(status, { 'content-type': given.contentType });
		response.end(base64 ? Buffer.from(content, 'base64') : content.replaceAll(ADDRESS, url));
	};
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref());
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/**
 * Responds with what is `known`, passes other requests on to the service at `target`, and reports each with its
 * response.
 */
export async function recorder(
	target: string,
	apiKey: string,
	known: (request: SentRequest) => GivenResponse | undefined,
	took: (request: SentRequest, response: GivenResponse) => void,
): Promise<Wire> {
	return await serve(async (request, raw, contentType) => {
		const given = known(request) ?? (await passOn(request, raw, target, { apiKey, contentType }));
		took(request, given);
		return given;
	});
}

async function passOn(
	{ method, path }: SentRequest,
	raw: Buffer,
	target: string,
	{ apiKey, contentType: sent = 'application/json' }: { apiKey: string; contentType?: string },
): Promise<GivenResponse> {
	const response = await fetch(`${target}${path}`, {
		method,
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': sent },
		...(raw.length > 0 ? { body: new Uint8Array(raw) } : {}),
	});
	const bytes = Buffer.from(await response.arrayBuffer());
	const contentType = response.headers.get('content-type') ?? '';
	const content = /json|text/.test(contentType)
		? { content: bytes.toString().replaceAll(target, ADDRESS) }
		: { content: bytes.toString('base64'), base64: true as const };
	return { status: response.status, contentType, ...content };
}

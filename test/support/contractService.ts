/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { findOperation } from '../../api/contract';

/** Returns the body for a call of an operation of the contract, as an object or as a text. */
export type BodyFor = (operationId: string, sent: string) => unknown;

/** A service that responds with 200 and whatever a test wants, to each operation of the contract. */
export class ContractService {
	bodyFor: BodyFor = () => ({});
	/** Method, path with query, and body of each request. */
	readonly requests: string[] = [];
	url = '';
	readonly apiKey = 'key-of-the-contract';
	private server?: Server;

	async start(): Promise<this> {
		this.server = createServer((request, response) => {
			void text(request).then((sent) => {
				const { method = '', url = '' } = request;
				this.requests.push(`${method} ${url} ${sent}`);
				const operation = findOperation(method, url.split('?')[0]);
				const body = operation && this.bodyFor(operation.operationId, sent);
				response.writeHead(operation ? 200 : 404, { 'content-type': 'application/json' });
				response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
			});
		});
		await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
		return this;
	}

	async stop(): Promise<void> {
		this.server!.closeAllConnections();
		await new Promise((resolve) => this.server!.close(resolve));
	}
}

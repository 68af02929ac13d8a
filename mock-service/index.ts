import Fastify, { type FastifyRequest } from 'fastify';
import { Core, type RecordedRequest } from './core';
import type { controlsOf } from './drive';
import { serve } from './routes/api';
import type { ServiceOptions } from './settings';
import { uploadIn } from './upload';

export type { Fault } from './faults';
export type { ServiceOptions } from './settings';

declare module 'fastify' {
	interface FastifyRequest {
		record: RecordedRequest;
	}
}

/** A running service: what it received, and the controls for tests. */
export type LocalService = Core & ReturnType<typeof controlsOf> & { close: () => Promise<void> };

/** Starts the local service on 127.0.0.1. Throws if the port is already in use. */
export async function startService(options: ServiceOptions = {}): Promise<LocalService> {
	const core = new Core(options) as LocalService;
	const app = Fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	const asBytes = { parseAs: 'buffer' } as const;
	app.addContentTypeParser(
		'multipart/form-data',
		asBytes,
		async (request: FastifyRequest, body: Buffer) =>
			await uploadIn(body, request.headers['content-type']),
	);
	app.decorateRequest('record');
	let inFlight = 0;
	app.addHook('onRequest', async (request, { raw }) => {
		if (request.url.startsWith('/_service/')) return;
		request.record = recordOf(request, core.apiKey);
		core.requests.push(request.record);
		inFlight++;
		core.maxInFlight = Math.max(core.maxInFlight, inFlight);
		raw.once('finish', () => (request.record.responded = true));
		raw.once('close', () => inFlight--);
	});
	app.all('/*', async (request, reply) => await serve(core, request, reply));
	// its state, for those who run it as a process
	app.get('/_service/state', () => ({
		requests: core.requests.length,
		maxInFlight: core.maxInFlight,
		credits: core.state.remaining,
		ledger: core.ledger,
		violations: core.violations,
		crawls: core.crawls.list(),
		jobs: core.jobs.list(),
		monitors: core.monitors.list(),
	}));
	core.close = async () => {
		core.webhooks.close();
		await app.close();
	};
	const address = await app.listen({ host: '127.0.0.1', port: core.settings.port ?? 0 });
	core.url = `${address}${core.basePath}`;
	return core;
}

function recordOf(
	{ method, url, query, headers: { authorization, ...headers } }: FastifyRequest,
	apiKey: string,
): RecordedRequest {
	const isRight = authorization === `Bearer ${apiKey}`;
	return {
		at: Date.now(),
		method,
		path: url.split('?')[0],
		query: { ...(query as object) },
		headers: { ...headers, ...(authorization && { authorization: isRight ? 'right' : 'wrong' }) },
		body: undefined,
		status: 0,
		responded: false,
	};
}

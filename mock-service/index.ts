import Fastify, { type FastifyRequest } from 'fastify';
import { Core } from './core';
import { serveApi } from './routes/api';
import { serveFiles } from './routes/files';
import { serveState } from './routes/state';
import { serviceOf, type LocalService } from './service';
import type { ServiceOptions } from './settings';
import { uploadIn } from './upload';

export type { Fault } from './faults';
export type { LocalService } from './service';
export type { ServiceOptions } from './settings';

/** Starts the local service on 127.0.0.1. Throws if the port is already in use. */
export async function startService(options: ServiceOptions = {}): Promise<LocalService> {
	const core = new Core(options);
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
	const service = serviceOf(core, async () => {
		core.webhooks.close();
		await app.close();
	});

	core.log.listenTo(app);
	serveFiles(app, core);
	serveState(app, core, service);
	serveApi(app, core);

	const address = await app.listen({ host: '127.0.0.1', port: core.settings.port ?? 0 });
	core.url = `${address}${core.basePath}`;
	return service;
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../core';
import { kindOf, sample } from '../data/files';
import { deliver } from '../deliver';

/** Serves the service's own files, which pages and search results link to. */
export function serveFiles(app: FastifyInstance, core: Core): void {
	app.get(
		`${core.basePath}/files/:name`,
		async (request, reply) => await serve(core, request, reply),
	);
}

async function serve(
	{ faults, log }: Core,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const record = log.of(request);
	const { name } = request.params as { name: string };
	if (record.headers.authorization !== undefined) {
		log.violations.push(`GET /files/${name}: a file link was fetched with Authorization`);
	}
	const path = `/files/${name}`;
	const fault = faults.take({ method: 'GET', path, query: record.query, body: undefined });
	await deliver(reply, record, fault, () => {
		const { type, content } = sample(kindOf(name));
		return { status: 200, body: content, headers: { 'content-type': type } };
	});
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../core';
import { mp3, pdf, png } from '../data/files';
import { hash } from '../data/hash';
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
		const [type, body] = fileOf(name);
		return { status: 200, body, headers: { 'content-type': type } };
	});
}

/** Returns the media type and the bytes of a file, by its name. */
function fileOf(name: string): [string, Buffer] {
	if (name.endsWith('.mp3')) return ['audio/mpeg', mp3()];
	if (name.endsWith('.pdf')) return ['application/pdf', pdf(name)];
	return ['image/png', png(hash(name))];
}

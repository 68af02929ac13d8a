import type { FastifyInstance } from 'fastify';
import type { Core } from '../core';
import type { LocalService } from '../service';
import type { ServiceOptions } from '../settings';
import type { SetHit, SetPage } from '../web';

/** Body of POST /_service/control: a command, the id it is about, and its arguments. */
interface Control {
	do: string;
	id?: string;
	with?: Record<string, unknown> & { pathPattern?: string };
}

/** Serves /_service/…, for tests that run the service as a process. */
export function serveControl(app: FastifyInstance, core: Core, service: LocalService): void {
	app.get('/_service/state', () => ({
		requests: service.requests.length,
		maxInFlight: service.maxInFlight,
		credits: core.state.remaining,
		ledger: service.ledger,
		violations: service.violations,
		crawls: service.crawls.list(),
		jobs: service.jobs.list(),
	}));
	app.get('/_service/requests', () => service.requests);
	app.post('/_service/control', (request, reply) => {
		const control = JSON.parse(String(request.body)) as Control;
		const commands = commandsOf(service, control);
		const isKnown = control.do in commands;
		const done = isKnown
			? (commands[control.do]() ?? {})
			: { error: `Unknown command ${control.do}` };
		return reply.code(isKnown ? 200 : 400).send(done);
	});
}

function commandsOf(
	service: LocalService,
	{ id = '', with: given = {} }: Control,
): Record<string, () => unknown> {
	const { pathPattern, ...rule } = given;
	return {
		'crawl.add': () => service.crawls.add(given as Parameters<LocalService['crawls']['add']>[0]),
		'crawl.progress': () => service.crawls.progress(id, given.pages as number),
		'crawl.end': () => service.crawls.end(id, given.status as string | undefined),
		'crawl.remove': () => service.crawls.remove(id),
		'web.page': () => service.web.setPage(id, given as SetPage),
		'web.hit': () => service.web.addHits(given as unknown as SetHit),
		'job.finish': () => service.jobs.finish(id, given.data),
		'job.fail': () => service.jobs.fail(id, given.error as string | undefined),
		set: () => service.set(given as Partial<ServiceOptions>),
		fail: () => service.fail(pathPattern ? { ...rule, path: new RegExp(pathPattern) } : rule),
		clearFaults: () => service.clearFaults(),
	};
}

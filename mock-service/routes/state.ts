import type { FastifyInstance } from 'fastify';
import type { Core } from '../core';
import type { LocalService } from '../service';

/** Serves GET /_service/state: the service's state, for those who run it as a process. */
export function serveState(app: FastifyInstance, core: Core, service: LocalService): void {
	app.get('/_service/state', () => ({
		requests: service.requests.length,
		maxInFlight: service.maxInFlight,
		credits: core.state.remaining,
		ledger: service.ledger,
		violations: service.violations,
		crawls: service.crawls.list(),
		jobs: service.jobs.list(),
		monitors: service.monitors.list(),
	}));
}

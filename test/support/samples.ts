import type { LocalService } from '../../mock-service';
import { SAMPLE_ID } from '../contract/controls';

/**
 * Gives a service what is behind the ID that the forms suggest, and a running crawl. Returns whether an operation can be
 * done only once with that.
 */
export function addSamples(service: LocalService, operation: string): boolean {
	const isOnce = /cancel$|^stop|^delete|^run$/i.test(operation);
	service.crawls.progress(service.crawls.add().id, 1);
	service.set({ jobMs: isOnce ? 0 : 1, crawlMs: isOnce ? 0 : 1 });
	const status = isOnce ? 'scraping' : 'completed';
	service.crawls.add({ id: SAMPLE_ID, url: 'https://robots.example', status, pages: 2 });
	for (const kind of ['agent', 'extract'] as const) service.jobs.add({ kind, id: SAMPLE_ID });
	service.batches.add({ id: SAMPLE_ID });
	service.scrapes.add({ id: SAMPLE_ID, isOpen: isOnce });
	service.monitors.remove(SAMPLE_ID);
	service.monitors.add({ id: SAMPLE_ID });
	const check = { id: SAMPLE_ID, status: 'completed' };
	const pages = [{ id: SAMPLE_ID, url: 'https://a.example/', status: 'same' }];
	const answer = { method: 'GET', status: 200 };
	service.fail({ ...answer, path: /checks$/, body: { success: true, data: [check] } });
	service.fail({ ...answer, path: /checks\//, body: { success: true, data: { ...check, pages } } });
	return isOnce;
}

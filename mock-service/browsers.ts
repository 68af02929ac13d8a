/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { setTimeout as wait } from 'node:timers/promises';

import { failure, type ServiceResponse } from './response';

/** How many pages are scraped at once, and how long each takes; others queue, but for no longer than `queueMs`. */
export interface BrowserLimit {
	browsers: number;
	scrapeMs: number;
	queueMs: number;
}

/** The browsers of the account. Times in ms. */
export class Browsers {
	private readonly freeAt: number[] = [];

	/** Scrapes a page with the first free browser; returns a 408 if none is free in time. */
	async scrape(
		{ browsers, scrapeMs, queueMs }: BrowserLimit,
		scraped: () => ServiceResponse,
	): Promise<ServiceResponse> {
		const now = Date.now();
		const free = Array.from({ length: browsers }, (_, index) => this.freeAt[index] ?? now);
		const begins = Math.max(now, Math.min(...free));
		if (begins > now + queueMs) {
			await wait(queueMs, undefined, { ref: false });
			const error = 'The operation timed out while waiting for a concurrency slot.';
			return failure(408, error, { code: 'CONCURRENCY_QUEUE_TIMEOUT' });
		}
		const ends = begins + scrapeMs;
		this.freeAt[free.indexOf(Math.min(...free))] = ends;
		await wait(ends - now, undefined, { ref: false });
		return scraped();
	}
}

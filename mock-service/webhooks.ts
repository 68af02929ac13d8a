/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Entry } from './entry';

/** What a request says of its webhook. */
export interface Webhook {
	url: string;
	headers?: Record<string, string>;
	metadata?: Entry;
	events?: string[];
}

/** What the names of its events begin with, as in batch_scrape.page. */
export type ReportedKind = 'crawl' | 'batch_scrape' | 'agent' | 'extract';

/** How far a job is. */
export interface Reported {
	status: string;
	/** How many pages are done, where it has pages. */
	done?: number;
	/** What is told of one, by its position from 0. */
	pageAt?: (index: number) => Entry;
	/** What is told at its end; nothing where left out. */
	data?: Entry[];
	error?: string;
}

/** How long the service waits before it sends a report again, in its minutes as ms. */
const RETRY_MS = [60, 300, 900];
const RESPOND_WITHIN_MS = 10_000;
/** How often it looks at a job. */
const EVERY_MS = 10;
const UNDER_WAY = ['scraping', 'processing'];

/** Whether the local service sends to an address: to this machine alone, so that trying it out calls nobody. */
const isHere = (url: string) => /^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname);

/** Reports of jobs, sent where their requests asked for them. */
export class Webhooks {
	private readonly closed = new AbortController();

	/** Ends all reports. */
	close(): void {
		this.closed.abort();
	}

	/** Reports the beginning of a job, then each page, then its end; what the webhook's events name, or everything. */
	watch(
		webhook: Webhook | undefined,
		secret: string | undefined,
		id: string,
		kind: ReportedKind,
		now: () => Reported,
	): void {
		if (!webhook || !isHere(webhook.url)) return;
		const send = (event: string, told: Entry) => {
			const type = `${kind}.${event}`;
			const { events = [] } = webhook;
			if (events.length > 0 && !events.includes(event) && !events.includes(type)) return;
			const body = {
				type,
				id,
				webhookId: randomUUID(),
				data: [],
				metadata: webhook.metadata,
				...told,
			};
			void this.deliver(webhook, secret, JSON.stringify(body));
		};
		void this.follow(now, send).catch(() => undefined); // closed
	}

	private async follow(
		now: () => Reported,
		send: (event: string, told: Entry) => void,
	): Promise<void> {
		send('started', { success: true });
		for (let told = 0; ; await this.wait(EVERY_MS)) {
			const { status, done = 0, pageAt, data, error } = now();
			while (told < done) send('page', pageAt!(told++));
			if (UNDER_WAY.includes(status)) continue;
			const success = status === 'completed';
			send(status, { success, data: data ?? [], ...(!success && { error: error ?? status }) });
			return;
		}
	}

	/** Sends a report until it is taken, at most as often as the service does. */
	private async deliver(
		{ url, headers }: Webhook,
		secret: string | undefined,
		body: string,
	): Promise<void> {
		const signature = secret && createHmac('sha256', secret).update(body).digest('hex');
		const sent = {
			'content-type': 'application/json',
			...headers,
			...(signature && { 'x-firecrawl-signature': `sha256=${signature}` }),
		};
		for (const waitMs of [0, ...RETRY_MS]) {
			try {
				await this.wait(waitMs);
				const signal = AbortSignal.any([
					this.closed.signal,
					AbortSignal.timeout(RESPOND_WITHIN_MS),
				]);
				const { ok } = await fetch(url, { method: 'POST', headers: sent, body, signal });
				if (ok) return;
			} catch {
				if (this.closed.signal.aborted) return;
			}
		}
	}

	private async wait(ms: number): Promise<void> {
		await wait(ms, undefined, { ref: false, signal: this.closed.signal });
	}
}

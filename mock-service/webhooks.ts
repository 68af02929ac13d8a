/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Entry } from './entry';

/** What a request says about its webhook. */
export interface Webhook {
	url: string;
	headers?: Record<string, string>;
	metadata?: Entry;
	events?: string[];
}

/** The beginning of its events' names, as in batch_scrape.page. */
export type ReportedKind = 'crawl' | 'batch_scrape' | 'agent' | 'monitor';

/** Progress of a job. */
export interface Reported {
	status: string;
	/** Number of pages done, if it has pages. */
	done?: number;
	/** Returns what is reported about a page, by its position from 0. */
	pageAt?: (index: number) => Entry;
	/** What is reported at the job's end; nothing by default. */
	data?: Entry[];
	error?: string;
}

/** Delays before an event is sent again; the real service waits for as many seconds. */
const RETRY_MS = [60, 300, 900];
const RESPOND_WITHIN_MS = 10_000;
/** Interval (ms) between checks of a job. */
const EVERY_MS = 10;
const UNDER_WAY = ['scraping', 'processing'];

/** Whether the local service may send to an address: only on this machine, so that trying it out contacts nobody. */
const isHere = (url: string) => /^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname);

/** What is the same in all events of a job. */
interface Subject {
	webhook: Webhook | null | undefined;
	id: string;
	kind: ReportedKind;
}

/** The events of jobs, sent to the webhooks that their requests name. */
export class Webhooks {
	private readonly closed = new AbortController();

	constructor(private readonly settings: () => { reportTimes: number }) {}

	/** Stops all events. */
	close(): void {
		this.closed.abort();
	}

	/** Sends the start of a job, each page, and the end. */
	watch(webhook: Webhook | undefined, id: string, kind: ReportedKind, now: () => Reported): void {
		if (!webhook) return;
		const send = (event: string, told: Entry) => this.send({ webhook, id, kind }, event, told);
		send('started', { success: true });
		let sent = 0;
		this.every(() => {
			const { status, done = 0, pageAt, data, error } = now();
			while (sent < done) send('page', pageAt!(sent++));
			if (UNDER_WAY.includes(status)) return true;
			const success = status === 'completed';
			send(status, { success, data: data ?? [], ...(!success && { error: error ?? status }) });
			return false;
		});
	}

	/** Does some work now and then until it returns false, or all events are stopped. */
	every(work: () => boolean): void {
		const follow = async () => {
			while (work()) await this.wait(EVERY_MS);
		};
		void follow().catch(() => undefined); // closed
	}

	/** Sends an event, if the webhook asks for it and is on this machine. */
	send({ webhook, id, kind }: Subject, event: string, told: Entry): void {
		const type = `${kind}.${event}`;
		const { events = [], metadata, url } = webhook ?? { url: '' };
		if (!webhook || !isHere(url)) return;
		if (events.length > 0 && !events.includes(event) && !events.includes(type)) return;
		const body = { type, id, webhookId: randomUUID(), data: [], metadata, ...told };
		for (let times = this.settings().reportTimes; times > 0; times--)
			void this.deliver(webhook, JSON.stringify(body));
	}

	/** Sends an event until it is accepted, making at most as many attempts as the service does. */
	private async deliver({ url, headers }: Webhook, body: string): Promise<void> {
		const sent = { 'content-type': 'application/json', ...headers };
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

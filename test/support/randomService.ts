/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * A service of a test's own, whose ledger shares no code with the nodes: it bills what it processes, whatever becomes of
 * the response, and loses, breaks and rejects what a random number says.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Json = Record<string, unknown>;

/** A paid request as it arrived. */
export interface Entry {
	/** The numbers of the items that it is for. */
	items: number[];
	key: string;
	credits: number;
	/** What the service did: `lost` is processed and billed, but its response never arrived whole. */
	kind: 'done' | 'lost' | 'refused' | 'limited';
	/** The job that it started. */
	job?: string;
	/** When it was answered (ms since 1970), and the status of an answer that names the job of a failed start. */
	answeredAt?: number;
	status?: number;
}

export interface Plan {
	/** Share of requests that meet a fault. */
	faults: number;
	/** Share of jobs that never end while a run lasts. */
	endless: number;
	/** Returns the price of a page, by how many were billed before. */
	price: (billed: number) => number;
	/** Whether responses name what they cost. */
	namesCredits: boolean;
	/** What jobs say about their cost before and after their end, and their pages beside it. */
	jobsSay?: 'all' | 'somePages' | 'lessAtFirst' | 'nothingAtStart';
	/** Whether the account's rate limit is exhausted, whatever is asked for. */
	exhausted?: boolean;
}

const FREE = ['400', '402', '403', '404', 'page', 'overloaded'] as const;
const COSTLY = ['500', '504', '304', 'reset', 'cut', 'empty', 'named'] as const;

/** A job: its pages, and what each cost. */
interface RandomJob {
	polls: number;
	pages: Json[];
	endless: boolean;
}

export class RandomService {
	readonly ledger: Entry[] = [];
	readonly keys = new Set<string>();
	plan: Plan = { faults: 0, endless: 0, price: () => 1, namesCredits: true };
	random: () => number = Math.random;
	private readonly jobs = new Map<string, RandomJob>();
	private count = 0;
	url = '';
	/** Number of all requests so far. */
	requests = 0;
	private server?: Server;

	async start(): Promise<void> {
		this.server = createServer((request, response) => void this.respond(request, response));
		await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server!.closeAllConnections();
		await new Promise((resolve) => this.server!.close(resolve));
	}

	begin(plan: Plan, random: () => number): void {
		Object.assign(this, { plan, random });
		this.ledger.length = 0;
		this.keys.clear();
		this.jobs.clear();
	}

	get billed(): number {
		return this.ledger.reduce((sum, { credits }) => sum + credits, 0);
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		this.requests++;
		const key = (request.headers.authorization ?? '').replace('Bearer ', '');
		this.keys.add(key);
		const body = await text(request).catch(() => '');
		const send = (status: number, json: Json) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(json));
		};
		if (request.method !== 'POST') return this.tell(request.url ?? '', send);
		const items = [...new Set([...body.matchAll(/item-(\d+)x/g)].map(([, n]) => Number(n)))];
		const entry: Entry = { items, key, credits: 0, kind: 'done' };
		this.ledger.push(entry);
		if (this.plan.exhausted) {
			entry.kind = 'limited';
			response.setHeader('retry-after', '100');
			return send(429, { error: 'Rate limit exceeded' });
		}
		const isFault = this.random() < this.plan.faults;
		if (isFault && this.random() < 0.15) {
			entry.kind = 'limited';
			response.setHeader('retry-after', '1');
			return send(429, { error: 'Rate limit exceeded' });
		}
		if (isFault && this.random() < 0.5) {
			entry.kind = 'refused';
			return refuse(FREE[Math.floor(this.random() * FREE.length)], send);
		}
		const allowed = Number(/"maxCredits":(\d+)/.exec(body)?.[1] ?? Infinity);
		const costs = items.map(() => {
			const cost = Math.min(this.plan.price(this.billed), allowed);
			entry.credits += cost;
			return cost;
		});
		const result = this.resultOf(request.url ?? '', entry, costs, body.includes('scrapeOptions'));
		entry.answeredAt = Date.now();
		if (!isFault) return send(200, result);
		entry.kind = 'lost';
		const fault = COSTLY[Math.floor(this.random() * COSTLY.length)];
		if (fault === 'reset') return void request.socket.destroy();
		if (fault === 'empty') return send(200, { success: true });
		if (fault === '304') return void response.writeHead(304).end();
		if (fault === 'named') {
			entry.status = entry.job === undefined ? 500 : 409;
			return send(entry.status, { success: false, error: 'Begun already', id: entry.job });
		}
		if (fault === 'cut') {
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': 999 });
			response.write('{"success":true,"data":{"mark');
			return void setTimeout(() => request.socket.destroy(), 2);
		}
		return send(Number(fault), { success: false, error: 'Something broke' });
	}

	private resultOf(path: string, entry: Entry, costs: number[], isScraped: boolean): Json {
		const { namesCredits, jobsSay } = this.plan;
		const { items } = entry;
		const used = namesCredits ? { creditsUsed: entry.credits } : {};
		const page = (n: number): Json => ({
			markdown: `About item-${n}x`,
			metadata: {
				sourceURL: urlOf(n),
				url: urlOf(n),
				statusCode: 200,
				...(namesCredits && { creditsUsed: costs[items.indexOf(n)] }),
			},
		});
		const [first] = items;
		if ((path.endsWith('/scrape') && !path.includes('batch')) || path.endsWith('/parse')) {
			return { success: true, data: page(first) };
		}
		if (path.endsWith('/interact')) {
			return { success: true, output: `Did item-${first}x`, exitCode: 0, ...used };
		}
		if (path.endsWith('/map')) {
			return { success: true, links: [{ url: `${urlOf(first)}/page` }], ...used };
		}
		if (path.endsWith('/search')) {
			const result = { url: urlOf(first), ...(isScraped && page(first)) };
			return { success: true, data: { web: [result] }, ...used };
		}
		const id = `0190a8a0-0000-7000-8000-${String(++this.count).padStart(12, '0')}`;
		entry.job = id;
		const endless = this.random() < this.plan.endless;
		const pages = items.map(page);
		if (jobsSay === 'somePages') delete (pages[pages.length - 1]?.metadata as Json).creditsUsed;
		this.jobs.set(id, { polls: 0, pages, endless });
		return { success: true, id, ...(jobsSay === 'nothingAtStart' && { creditsUsed: 0 }) };
	}

	/** Responds to a poll, now and then with an error that passes. */
	private tell(path: string, send: (status: number, json: Json) => void): void {
		const job = this.jobs.get(/[\da-f]{8}-[\da-f-]{27}/.exec(path)?.[0] ?? '');
		if (job === undefined) return send(404, { error: 'Not found' });
		if (this.random() < this.plan.faults / 2) return send(502, { error: 'Passing' });
		if (path.endsWith('/errors')) return send(200, { errors: [], robotsBlocked: [] });
		const { pages, endless } = job;
		if (endless || job.polls++ < 1)
			return send(200, {
				success: true,
				status: 'scraping',
				completed: 0,
				total: pages.length,
				data: [],
			});
		const entry = this.ledger.find((one) => path.includes(one.job ?? 'none'));
		const isPaged = /crawl|batch/.test(path);
		const { namesCredits, jobsSay } = this.plan;
		const isFirst = jobsSay === 'lessAtFirst' && isPaged && job.polls === 2;
		const isNamed = namesCredits && !(jobsSay === 'somePages' && isPaged);
		const used = isNamed ? { creditsUsed: isFirst ? 0 : entry?.credits } : {};
		send(200, {
			success: true,
			status: 'completed',
			...(isPaged
				? { completed: pages.length, total: pages.length, data: pages }
				: { data: { found: pages[0]?.markdown } }),
			...used,
		});
	}
}

const urlOf = (n: number) => `https://a.example/item-${n}x`;

function refuse(kind: (typeof FREE)[number], send: (status: number, json: Json) => void): void {
	const failed = { success: false, error: 'No' };
	if (kind === 'page') return send(500, { ...failed, code: 'SCRAPE_ALL_ENGINES_FAILED' });
	if (kind === 'overloaded') return send(503, failed);
	send(Number(kind), kind === '404' ? { ...failed, code: 'SCRAPE_NO_CACHED_DATA' } : failed);
}

import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { findOperation, validateRequest } from '../api/contract';
import { batchHandlers } from './batch';
import { hash } from './data';
import { answersInstead, Faults, sendFaulty, type Fault } from './faults';
import { mp3, pdf, png } from './files';
import { exampleHandler, handlers, type Answer } from './operations';
import { badRequest, BROKEN_JSON, INVALID_JSON, noSuchEndpoint } from './rejections';
import { RateLimiter, type RateLimit } from './rateLimit';
import { State, type Job, type LedgerEntry } from './state';
import type { SetHit, SetPage, Web } from './web';
import { tolerated } from './tolerance';
import type { IssueStyle } from './issues';

export type { Fault } from './faults';

export interface ServiceOptions {
	port?: number; // 0 = any free
	apiKey?: string; // default 'test-key-0123456789'
	basePath?: string; // e.g. '/prefix' before /v1 and /v2
	credits?: number; // the team's remaining credits, default 100_000; a POST beyond them is a 402
	rateLimit?: RateLimit;
	latencyMs?: number; // each answer takes this long
	seed?: number; // deterministic data
	crawlMs?: number; // from scraping to its end by itself, default 2000 (0: only driven by tests)
	jobMs?: number; // the same for agent and extract jobs, default 1000
	chunkBytes?: number; // crawl data per response, default 10 MB
	activity?: boolean; // false: the service has no /v2/team/activity
	issues?: IssueStyle; // how a 400 writes its details, default zod4
	extractAtOnce?: boolean; // /v1/extract answers with the result, without an id
	knowsCredits?: boolean; // false: creditsUsed of a crawl is -1
	beyond?: boolean; // false: only the documented endpoints exist
	mangleNext?: (next: string) => string; // what the service does to `next` URLs
}

/** One request as it came. `path` is with prefix, without query. */
export interface RecordedRequest {
	at: number; // ms since 1970
	method: string;
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, unknown>; // authorization: 'right' or 'wrong', absent when there was none
	body: unknown;
	status: number; // 0 until answered
	answered: boolean; // the whole answer was sent
}

export interface LocalService {
	url: string; // with the prefix, without a slash at the end
	apiKey: string;
	requests: RecordedRequest[];
	/** Every paid POST really processed. */
	ledger: LedgerEntry[];
	maxInFlight: number;
	/** Requests that broke the contract. */
	violations: string[];
	/** Adds a rule; rules apply in order, the first that matches and has times left. */
	fail(rule: Fault): void;
	clearFaults(): void;
	crawls: {
		/** Default: 12 small pages, scraping, expires in a day. An id must be a UUID. */
		add(options?: {
			id?: string;
			url?: string;
			pages?: number;
			pageBytes?: number;
			status?: string;
			expiresInMs?: number;
		}): { id: string };
		/** Adds pages to those crawled so far; from now on only tests move this crawl. */
		progress(id: string, pages: number): void;
		/** Ends it (default completed, then with all its pages). */
		end(id: string, status?: string): void;
		remove(id: string): void;
		list(): unknown[];
	};
	batches: {
		/** Default: three pages of one site, under way. An id must be a UUID. */
		add(options?: { id?: string; urls?: string[] }): { id: string };
	};
	jobs: {
		/** A job that was started a moment ago, as by a POST that costs nothing. */
		add(options: { kind: Job['kind']; id?: string; request?: Record<string, unknown> }): {
			id: string;
		};
		finish(id: string, data?: unknown): void;
		fail(id: string, error?: string): void;
		list(): unknown[];
	};
	/** Pages that change and results that come up, see there. */
	web: Web;
	/** Changes options of the running service; not port, apiKey, basePath and seed. */
	set(options: Partial<ServiceOptions>): void;
	close(): Promise<void>;
}

/** Body of POST /_service/control: a command, the id it is about, and its arguments. */
interface Control {
	do: string;
	id?: string;
	with?: Record<string, unknown> & { pathPattern?: string };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** A number from 0 to 1, the same row for the same seed (mulberry32). */
function seeded(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), state | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Starts the local service on 127.0.0.1. Throws when the port is in use. */
export async function startService(options: ServiceOptions = {}): Promise<LocalService> {
	const settings = {
		apiKey: 'test-key-0123456789',
		basePath: '',
		credits: 100_000,
		latencyMs: 0,
		seed: 1,
		crawlMs: 2000,
		jobMs: 1000,
		chunkBytes: 10 * 1024 * 1024,
		activity: true,
		beyond: true,
		issues: 'zod4' as IssueStyle,
		extractAtOnce: false,
		knowsCredits: true,
		...options,
	};
	const basePath = settings.basePath.replace(/\/+$/, '');
	const state = new State(settings.credits, settings.seed, () => settings);
	const faults = new Faults(seeded(settings.seed));
	const keyDigest = createHash('sha256').update(`Bearer ${settings.apiKey}`).digest();
	const isRightKey = (header: string) =>
		timingSafeEqual(createHash('sha256').update(header).digest(), keyDigest);
	let inFlight = 0;
	const limiter = new RateLimiter();

	const app = Fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

	const records = new WeakMap<FastifyRequest, RecordedRequest>();
	app.addHook('onRequest', (request, reply, done) => {
		const [path] = request.raw.url!.split('?');
		if (path.startsWith('/_service/')) {
			done();
			return;
		}
		const { authorization, ...headers } = request.headers;
		const record: RecordedRequest = {
			at: Date.now(),
			method: request.method,
			path,
			query: { ...(request.query as object) },
			headers,
			body: undefined,
			status: 0,
			answered: false,
		};
		if (authorization !== undefined) {
			record.headers.authorization = isRightKey(authorization) ? 'right' : 'wrong';
		}
		records.set(request, record);
		service.requests.push(record);
		inFlight++;
		service.maxInFlight = Math.max(service.maxInFlight, inFlight);
		reply.raw.once('finish', () => {
			record.answered = true;
		});
		reply.raw.once('close', () => inFlight--);
		done();
	});

	/** What the service does with a request of the API. */
	async function serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
		const record = records.get(request)!;
		const { method, query } = record;
		const within = record.path.startsWith(`${basePath}/`);
		const path = within ? record.path.slice(basePath.length) : `outside${record.path}`;
		let broken = false;
		if (typeof request.body === 'string' && request.body !== '') {
			try {
				record.body = JSON.parse(request.body);
			} catch {
				record.body = request.body;
				broken = true;
			}
		}
		const { body } = record;
		// Strict about what is sent, and judged by all that is known: what a switched-off endpoint answers is no breach.
		const breaches = broken ? [BROKEN_JSON] : validateRequest(method, path, query, body);
		for (const { path: at, message } of breaches) {
			service.violations.push(`${method} ${path}: ${at.join('.') || '(request)'}: ${message}`);
		}
		const fault = faults.take({ method, path, query, body });
		if (settings.latencyMs > 0) await wait(settings.latencyMs, undefined, { ref: false });
		if (fault?.delayMs) await wait(fault.delayMs, undefined, { ref: false });

		const answer = fault && answersInstead(fault) ? answerOf(fault) : answerNow();
		const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
		const headers = { ...JSON_HEADERS, ...answer.headers };
		const silent = fault?.hang || fault?.reset === 'before';
		if (!silent) record.status = answer.status;
		if (fault && (fault.reset || fault.truncate || fault.drip || fault.hang || fault.endless)) {
			reply.hijack();
			sendFaulty(reply.raw, fault, answer.status, Buffer.from(text), headers);
			return;
		}
		await reply.code(answer.status).headers(headers).send(text);

		function answerNow(): Answer {
			const operation = findOperation(method, path, { beyond: settings.beyond });
			const isMissing = operation?.operationId === 'usageActivity' && !settings.activity;
			if (!operation || isMissing) return noSuchEndpoint(method, record.path);
			if (record.headers.authorization !== 'right') {
				return { status: 401, body: { success: false, error: 'Unauthorized: Invalid token' } };
			}
			const limited = limiter.take(settings.rateLimit);
			if (limited) return limited;
			if (broken) return { status: 400, body: { ...INVALID_JSON } };
			const { operationId } = operation;
			const accepted = tolerated(operationId, body);
			const { beyond } = settings;
			const found = validateRequest(method, path, query, accepted, { beyond });
			if (found.length > 0) return badRequest(operationId, accepted, found, settings.issues);
			const handler = { ...handlers, ...batchHandlers }[operationId] ?? exampleHandler(operationId);
			return handler({
				state,
				body: (accepted ?? {}) as Record<string, unknown>,
				query,
				id: decodeURIComponent(
					/\/(?:agent|extract|crawl|batch\/scrape)\/([^/]+)/.exec(path)?.[1] ?? '',
				),
				settings,
				fileUrl: (name) => `${service.url}/files/${name}`,
				nextUrl: (next) => {
					const url = `${service.url}${next}`;
					return settings.mangleNext?.(url) ?? url;
				},
			});
		}
	}

	function answerOf(fault: Fault): Answer {
		if (fault.raw) {
			const { status = 200, type = 'text/html; charset=utf-8', text } = fault.raw;
			return { status, body: text, headers: { 'content-type': type, ...fault.headers } };
		}
		const status = fault.status ?? 200;
		const body = fault.body ?? { success: false, error: `Failure with status ${status}` };
		return {
			status,
			body: status === 204 ? '' : JSON.stringify(body),
			headers: fault.headers,
		};
	}

	app.get(`${basePath}/files/:name`, async (request, reply) => {
		const record = records.get(request)!;
		const { name } = request.params as { name: string };
		if (record.headers.authorization !== undefined) {
			service.violations.push(`GET /files/${name}: a file link was fetched with Authorization`);
		}
		const fault = faults.take({
			method: 'GET',
			path: `/files/${name}`,
			query: record.query,
			body: undefined,
		});
		const [type, bytes] = name.endsWith('.mp3')
			? ['audio/mpeg', mp3()]
			: name.endsWith('.pdf')
				? ['application/pdf', pdf(name)]
				: ['image/png', png(hash(name))];
		if (fault?.delayMs) await wait(fault.delayMs, undefined, { ref: false });
		const instead = fault && answersInstead(fault) ? answerOf(fault) : undefined;
		record.status = instead?.status ?? 200;
		const headers = { 'content-type': type, ...instead?.headers };
		if (fault && !fault.delayMs && !fault.status && !fault.raw) {
			reply.hijack();
			sendFaulty(reply.raw, fault, 200, bytes, headers);
			return reply;
		}
		return reply
			.code(record.status)
			.headers(headers)
			.send(instead ? instead.body : bytes);
	});

	// For tests that run the service as a process.
	app.get('/_service/state', () => ({
		requests: service.requests.length,
		maxInFlight: service.maxInFlight,
		credits: state.remaining,
		ledger: service.ledger,
		violations: service.violations,
		crawls: service.crawls.list(),
		jobs: service.jobs.list(),
	}));
	app.get('/_service/requests', () => service.requests);
	app.post('/_service/control', (request, reply) => {
		const { do: what, id = '', with: given = {} } = JSON.parse(String(request.body)) as Control;
		const { pathPattern, ...rule } = given;
		const commands: Record<string, () => unknown> = {
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
		const known = what in commands;
		const done = known ? (commands[what]() ?? {}) : { error: `Unknown command ${what}` };
		return reply.code(known ? 200 : 400).send(done);
	});
	app.all('/*', serve);

	const service: LocalService = {
		url: '',
		apiKey: settings.apiKey,
		requests: [],
		ledger: state.ledger,
		maxInFlight: 0,
		violations: [],
		fail: (rule) => faults.add(rule),
		clearFaults: () => faults.clear(),
		crawls: {
			add({ pages, ...rest } = {}) {
				if (rest.id !== undefined && !UUID.test(rest.id)) throw new Error('A crawl id is a UUID');
				const crawl = state.addCrawl({ ...rest, ...(pages !== undefined && { total: pages }) });
				state.note(crawl.id, 'crawl', 'v2', crawl.url);
				return { id: crawl.id };
			},
			progress(id, pages) {
				const crawl = state.drive(id);
				crawl.done += pages;
				crawl.total = Math.max(crawl.total, crawl.done);
			},
			end(id, status = 'completed') {
				const crawl = state.drive(id);
				if (status === 'completed') crawl.done = crawl.total;
				crawl.end = { status, at: Date.now() };
			},
			remove: (id) => void state.crawls.delete(id),
			list: () =>
				[...state.crawls.values()].map((crawl) => ({
					id: crawl.id,
					url: crawl.url,
					total: crawl.total,
					...state.crawlNow(crawl),
				})),
		},
		batches: {
			add: ({ id = state.newId(), urls = [1, 2, 3].map((n) => `https://a.example/${n}`) } = {}) => {
				const options = { formats: [{ type: 'markdown' }] };
				state.batches.set(id, { id, urls, options, createdAt: Date.now() });
				return { id };
			},
		},
		jobs: {
			add: ({ kind, id, request = {} }) => ({ id: state.addJob(kind, request, 0, id).id }),
			finish(id, data) {
				endJob(id, { status: 'completed', at: Date.now(), data });
			},
			fail(id, error = 'The job failed') {
				endJob(id, { status: 'failed', at: Date.now(), error });
			},
			list: () =>
				[...state.jobs.values()].map((job) => ({
					id: job.id,
					kind: job.kind,
					request: job.request,
					...state.jobNow(job),
				})),
		},
		web: state.web,
		set(changed) {
			Object.assign(settings, changed);
			if (changed.credits !== undefined) state.remaining = changed.credits;
			if ('rateLimit' in changed) limiter.reset();
		},
		close: () => app.close(),
	};

	function endJob(id: string, end: { status: string; at: number; data?: unknown; error?: string }) {
		const job = [...state.jobs.values()].find((one) => one.id === id);
		if (!job) throw new Error(`No job ${id}`);
		job.end = end;
	}

	const address = await app.listen({ host: '127.0.0.1', port: settings.port ?? 0 });
	service.url = `${address}${basePath}`;
	return service;
}

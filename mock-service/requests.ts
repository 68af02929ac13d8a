import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UploadedFile } from './upload';

/** A request as received. `path` includes the prefix but not the query. */
export interface RecordedRequest {
	at: number; // ms since 1970
	method: string;
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, unknown>; // authorization: 'right' or 'wrong', absent if there was none
	body: unknown;
	file?: UploadedFile;
	status: number; // 0 until the response is sent
	responded: boolean; // whether the whole response was sent
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** The requests received, except those for the service's own state (/_service/state). */
export class RequestLog {
	readonly requests: RecordedRequest[] = [];
	/** Breaches of the contract by requests. */
	readonly violations: string[] = [];
	maxInFlight = 0;
	private inFlight = 0;
	private readonly records = new WeakMap<FastifyRequest, RecordedRequest>();
	private readonly rightKey: Buffer;

	constructor(apiKey: string) {
		this.rightKey = sha256(`Bearer ${apiKey}`);
	}

	/** Records every request from now on. */
	listenTo(app: FastifyInstance): void {
		app.addHook('onRequest', (request, reply, done) => {
			const [path] = request.raw.url!.split('?');
			if (!path.startsWith('/_service/')) this.add(path, request, reply);
			done();
		});
	}

	/** Returns the record of a request. */
	of(request: FastifyRequest): RecordedRequest {
		return this.records.get(request)!;
	}

	private add(path: string, request: FastifyRequest, reply: FastifyReply): void {
		const { authorization, ...headers } = request.headers;
		const record: RecordedRequest = {
			at: Date.now(),
			method: request.method,
			path,
			query: { ...(request.query as object) },
			headers,
			body: undefined,
			status: 0,
			responded: false,
		};
		if (authorization !== undefined) {
			const isRight = timingSafeEqual(sha256(authorization), this.rightKey);
			record.headers.authorization = isRight ? 'right' : 'wrong';
		}
		this.records.set(request, record);
		this.requests.push(record);
		this.inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
		reply.raw.once('finish', () => {
			record.responded = true;
		});
		reply.raw.once('close', () => this.inFlight--);
	}
}

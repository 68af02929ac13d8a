/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findOperation, validateAddress, validateRequest } from '../../api/contract';
import type { Core, RecordedRequest } from '../core';
import { kindOf, sample } from '../data/files';
import { deliver } from '../deliver';
import type { Entry } from '../entry';
import { exampleHandler, handlers } from '../operations';
import type { Context } from '../operations/context';
import { refusedUpload } from '../operations/parse';
import { concurrency } from '../operations/usage';
import { badRequest, INVALID_JSON, noSuchEndpoint } from '../rejections';
import { failure, type ServiceResponse } from '../response';
import { judged } from '../rules';
import type { Upload, UploadedFile } from '../upload';
import type { Webhook } from '../webhooks';

/** A request. `path` doesn't include the prefix. */
interface Call {
	method: string;
	path: string;
	query: Entry;
	body: unknown; // parsed; text if invalid
	isBroken: boolean; // not JSON
	record: RecordedRequest;
}

/** Serves the API and the service's own files. */
export async function serve(core: Core, request: FastifyRequest, reply: FastifyReply) {
	const call = callOf(core.basePath, request);
	noteViolations(core, call);
	const fault = core.faultOf(call);
	const { latencyMs } = core.settings;
	if (latencyMs > 0) await wait(latencyMs, undefined, { ref: false });
	await deliver(reply, call.record, fault, () => respond(core, call));
}

/** Returns a request as a call, and records its body. */
function callOf(basePath: string, { record, headers, body: sent }: FastifyRequest): Call {
	const isWithin = record.path.startsWith(`${basePath}/`);
	const ownPath = isWithin ? record.path.slice(basePath.length) : `outside${record.path}`;
	const path = ownPath.replace(/^(\/v[12]\/crawl)\/ongoing$/, '$1/active');
	let isBroken = false;
	// Like a service's web framework, it does not see a body of another type.
	const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
	if (isJson && typeof sent === 'string' && sent !== '') {
		record.body = jsonOr(sent);
		isBroken = typeof record.body !== 'object' || record.body === null;
	}
	if (typeof sent === 'object') {
		const { options, file } = (sent ?? {}) as Upload;
		Object.assign(record, { body: jsonOr(options ?? '{}'), file });
	}
	const { method, query, body } = record;
	return { method, path, query, body, isBroken, record };
}

/** Returns a string parsed as JSON, or unchanged if it isn't JSON. */
function jsonOr(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

const EXTRACT_ENDED =
	'The extract endpoint was removed. Use /v2/scrape with a JSON format, or /v2/agent.';

/** What the official command line asks for; the contract doesn't have it. */
const CONCURRENCY = /^\/v[12]\/concurrency-check$/;

/** Where the service's own files are, to which pages and search results link. */
const FILES = '/files/';

const NO_JSON = { path: [], message: 'The body is not valid JSON' };

/** Records how a call breaks the contract; calling a switched-off endpoint is no breach. */
function noteViolations(
	{ violations }: Core,
	{ method, path, query, body, isBroken, record }: Call,
): void {
	if (path.startsWith(FILES)) {
		if (record.headers.authorization !== undefined)
			violations.push(`${method} ${path}: a file link was fetched with Authorization`);
		return;
	}
	const breaches = isBroken ? [NO_JSON] : validateRequest(method, path, query, body);
	for (const { path: at, message } of breaches) {
		violations.push(`${method} ${path}: ${at.join('.') || '(request)'}: ${message}`);
	}
}

/** Returns the response to a call, unless a fault prevents it from being processed. */
function respond(
	core: Core,
	{ method, path, query, body, isBroken, record }: Call,
): ServiceResponse {
	const { settings, limiter } = core;
	if (path.startsWith(FILES)) {
		const { type, content } = sample(kindOf(path));
		return { status: 200, body: content, headers: { 'content-type': type } };
	}
	if (isBroken) return { status: 400, body: { ...INVALID_JSON } };
	const ownPath = path.replace(CONCURRENCY, '/v2/team/queue-status');
	const operation = findOperation(method, ownPath);
	const isMissing =
		(operation?.operationId === 'usageActivity' && !settings.activity) ||
		(operation?.operationId.startsWith('monitor') && !settings.monitors);
	if (!operation || isMissing) return noSuchEndpoint(method, record.path);
	if (record.headers.authorization !== 'right') {
		const isGiven = record.headers.authorization !== undefined;
		return failure(401, isGiven ? 'Unauthorized: Invalid token' : 'Unauthorized');
	}
	if (!settings.extract && path.startsWith('/v1/extract')) return failure(410, EXTRACT_ENDED);
	const limited = limiter.take(settings.rateLimit);
	if (limited) return limited;
	const { operationId } = operation;
	const unread = operationId === 'parseFile' && refusedUpload(record);
	if (unread) return unread;
	const early = validateAddress(operation, ownPath, query);
	if (early.length > 0) return badRequest(operationId, early);
	const judgment = judged(operationId, body ?? {});
	if (judgment.issues.length > 0) return badRequest(operationId, judgment.issues);
	const context = contextOf(core, path, query, judgment.body as Entry, record.file);
	const handler = CONCURRENCY.test(path)
		? concurrency
		: (handlers[operationId.replace(/V\d$/, '')] ?? exampleHandler(operationId));
	return handler(context);
}

function contextOf(
	{ state, settings, url, webhooks }: Core,
	path: string,
	query: Entry,
	body: Entry,
	file: UploadedFile | undefined,
): Context {
	const [, id = '', checkId = ''] =
		/\/(?:agent|extract|crawl|scrape|monitor)\/([^/]+)(?:\/checks\/([^/]+))?/.exec(path) ?? [];
	return {
		state,
		body,
		file,
		query,
		id: decodeURIComponent(id),
		checkId,
		version: path.startsWith('/v1/') ? 'v1' : 'v2',
		settings,
		fileUrl: (name) => `${url}${FILES}${name}`,
		nextUrl: (next) => settings.mangleNext?.(`${url}${next}`) ?? `${url}${next}`,
		webhooks,
		report: (job, kind, now) => webhooks.watch(body.webhook as Webhook | undefined, job, kind, now),
	};
}

/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Fault } from './faults';
import type { RecordedRequest } from './core';
import type { ServiceResponse } from './response';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Responds to a request with what `usual` returns, or as a fault rule demands, and records the status. If the rule
 * prevents the request from being processed, `usual` isn't called.
 */
export async function deliver(
	reply: FastifyReply,
	record: RecordedRequest,
	fault: Fault | undefined,
	usual: () => ServiceResponse,
): Promise<void> {
	if (fault?.delayMs) await wait(fault.delayMs, undefined, { ref: false });
	const response = fault && respondsInstead(fault) ? responseOf(fault) : usual();
	const { status, body } = response;
	const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
	const headers = { ...JSON_HEADERS, ...response.headers };
	const isSilent = fault?.hang || fault?.reset === 'before';
	if (!isSilent) record.status = status;
	if (fault && isSentOddly(fault)) {
		reply.hijack();
		sendFaulty(reply.raw, fault, status, Buffer.from(bytes), headers);
		return;
	}
	await reply.code(status).headers(headers).send(bytes);
}

/** Whether a rule prevents the request from being processed. */
const respondsInstead = (fault: Fault) =>
	fault.status !== undefined ||
	fault.raw !== undefined ||
	fault.reset === 'before' ||
	fault.hang === true ||
	fault.endless === true;

/** Returns the response that a rule sends in place of the usual one. */
function responseOf(fault: Fault): ServiceResponse {
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

/** Whether a rule sends a response in an abnormal way. */
const isSentOddly = (fault: Fault) =>
	fault.reset !== undefined ||
	fault.truncate ||
	fault.drip !== undefined ||
	fault.hang ||
	fault.endless;

/** Sends a body as the rule demands. Stops early if the client disconnects. */
function sendFaulty(
	raw: ServerResponse,
	fault: Fault,
	status: number,
	body: Buffer,
	headers: Record<string, string>,
): void {
	if (fault.hang) return;
	if (fault.reset) {
		raw.socket?.resetAndDestroy();
		return;
	}
	if (fault.endless) {
		raw.writeHead(status, headers);
		const spaces = Buffer.alloc(64 * 1024, ' ');
		const more = () => {
			while (!raw.destroyed && raw.write(spaces));
		};
		raw.on('drain', more);
		more();
		return;
	}
	if (fault.truncate === 'length') {
		raw.writeHead(status, headers).end(body.subarray(0, Math.floor(body.length / 2)));
		return;
	}
	if (fault.truncate) {
		raw.writeHead(status, { ...headers, 'content-length': String(body.length) });
		raw.write(body.subarray(0, Math.floor(body.length / 2)), () => raw.socket?.destroy());
		return;
	}
	const { bytes, everyMs } = fault.drip ?? { bytes: body.length, everyMs: 0 };
	raw.writeHead(status, { ...headers, 'content-length': String(body.length) });
	let sent = 0;
	const timer = setInterval(() => {
		if (raw.destroyed) clearInterval(timer);
		else if (sent >= body.length) {
			clearInterval(timer);
			raw.end();
		} else raw.write(body.subarray(sent, (sent += bytes)));
	}, everyMs);
	raw.on('close', () => clearInterval(timer));
}

/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { RecordedRequest } from './core';
import type { Fault } from './faults';
import type { ServiceResponse } from './response';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const SPACES = Buffer.alloc(64 * 1024, ' ');

const pause = async (ms: number) => await wait(ms, undefined, { ref: false });

/**
 * Responds to a request with what `usual` returns, or as a fault rule demands, and records the status. If the rule
 * prevents the request from being processed, `usual` isn't called.
 */
export async function deliver(
	reply: FastifyReply,
	record: RecordedRequest,
	fault: Fault = {},
	usual: () => ServiceResponse,
): Promise<void> {
	if (fault.delayMs) await pause(fault.delayMs);
	const { status, body, headers } = respondsInstead(fault) ? responseOf(fault) : usual();
	const isSilent = fault.hang || fault.reset === 'before';
	if (!isSilent) record.status = status;
	if (fault.hang || fault.reset) {
		reply.hijack();
		if (fault.reset) reply.raw.socket?.resetAndDestroy();
		return;
	}
	const isSent = typeof body === 'string' || Buffer.isBuffer(body);
	const bytes = Buffer.from(isSent ? body : JSON.stringify(body));
	void reply.code(status).headers({ ...JSON_HEADERS, ...headers });
	if (fault.truncate || fault.drip || fault.endless) {
		const isWhole = fault.truncate === 'length' || fault.endless;
		if (!isWhole) void reply.header('content-length', bytes.length);
		await reply.send(Readable.from(oddly(reply, fault, bytes)));
	} else {
		await reply.send(bytes);
	}
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
	const { status = 200, headers } = fault;
	const body = fault.body ?? { success: false, error: `Failure with status ${status}` };
	return { status, body: status === 204 ? '' : JSON.stringify(body), headers };
}

/** Returns a body as the rule demands, in the pieces in which it is sent. */
async function* oddly(reply: FastifyReply, fault: Fault, body: Buffer) {
	while (fault.endless) yield SPACES;
	if (fault.truncate) {
		yield body.subarray(0, body.length / 2);
		if (fault.truncate === 'length') return;
		await pause(10);
		reply.raw.socket?.destroy();
	}
	const { bytes = body.length, everyMs = 0 } = fault.drip ?? {};
	for (let sent = 0; sent < body.length; sent += bytes) {
		await pause(everyMs);
		yield body.subarray(sent, sent + bytes);
	}
}

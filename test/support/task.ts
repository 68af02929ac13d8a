/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { Readable } from 'node:stream';
import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { nodeErrorOf } from '../../nodes/shared/client/errors/nodeErrors';
import type { Field } from '../../nodes/shared/form/field';
import type { Form } from '../../nodes/shared/form/form';
import type { Task } from '../../nodes/shared/run/operation';
import { type NodeRun, nodeRunOf } from '../../nodes/shared/run/nodeRun';
import { Round } from '../../nodes/shared/run/round';
import type { Account } from '../../nodes/shared/client/account';
import type { ServiceCall } from '../../nodes/shared/client/types';
import { AccountLimiter } from '../../nodes/shared/limiter/accountLimiter';
import { redactor } from '../../nodes/shared/client/redact';
import { node } from './form';

/**
 * A response after `ms`: a body with status 200 unless `statusCode` says otherwise; a web page if it has `html`. Or a
 * connection that `fails` with a code.
 */
export type Script = IDataObject & {
	statusCode?: number;
	retryAfter?: string;
	html?: string;
	fails?: string;
	ms?: number;
};

interface TaskOptions {
	/** The form's values, by the names of its fields. */
	values?: IDataObject;
	call?: ServiceCall;
	continueOnFail?: boolean;
	/** When its workflow times out (ms since 1970). */
	timesOutAt?: number;
	/** Index of another item of the same run. */
	itemIndex?: number;
	of?: ScriptedTask;
}

const KEY = 'key-0123456789';

/** An item's work as an operation receives it, against a service that sends these responses, one after the other. */
export class ScriptedTask implements Task {
	/** Method, path and time of each request. */
	readonly requests: Array<{ method: string; path: string; at: number }> = [];

	readonly logged: Array<[string, IDataObject]> = [];

	readonly debugged: string[] = [];

	readonly warned: string[] = [];

	/** Name, type and text of each file. */
	readonly files: Array<{ name: string; type: string; text: string }> = [];

	/** What n8n keeps with the execution. */
	readonly kept: IDataObject;

	readonly controller = new AbortController();

	readonly context: IExecutePaginationFunctions;

	readonly run: NodeRun;

	readonly round = new Round();

	readonly account: Account = {
		credential: { baseUrl: 'https://api.example.com', apiKey: KEY },
		root: 'https://api.example.com',
		redact: redactor(KEY),
		limiter: new AccountLimiter(),
		lacks: new Set(),
	};

	readonly once: Task['once'];

	readonly form: Form;

	readonly call: ServiceCall;

	readonly settings: Task['settings'] = {};

	constructor(
		private readonly responses: Script[],
		{
			values = {},
			call = { method: 'POST', path: '/v2/agent', body: {} },
			continueOnFail = false,
			timesOutAt,
			itemIndex = 2,
			of,
		}: TaskOptions = {},
	) {
		this.kept = of?.kept ?? {};
		const ownNode = { ...node, typeVersion: 1, retryOnFail: true };
		const item: INodeExecutionData = { json: {} };
		const data = { data: { main: [[item]] }, node: ownNode };
		this.context = {
			getNode: () => ownNode,
			getExecutionId: () => 'execution-1',
			getContext: () => this.kept,
			getNodeParameter: (_name: string, otherwise: unknown) => otherwise,
			getItemIndex: () => itemIndex,
			getInputData: () => item,
			getExecuteData: () => data,
			getExecutionCancelSignal: () => this.controller.signal,
			getCredentials: async () => this.account.credential,
			continueOnFail: () => continueOnFail,
			additionalData: { executionTimeoutTimestamp: timesOutAt },
			logger: {
				info: (text: string, more: IDataObject) => this.logged.push([text, more]),
				warn: (text: string) => this.warned.push(text),
				debug: (text: string) => this.debugged.push(text),
			},
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await this.respond(options),
				prepareBinaryData: async (content: Buffer, name: string, mimeType: string) => {
					this.files.push({ name, type: mimeType, text: content.toString() });
					return { data: '', mimeType, fileName: name };
				},
			},
		} as unknown as IExecutePaginationFunctions;
		this.run = of?.run ?? nodeRunOf(this.context);
		this.once = async (...call) => await (await this.run.callerFor(this.context)).once(...call);
		this.call = call;
		const get = ({ name }: Field) => values[name];
		this.form = {
			get: get as Form['get'],
			value: get as Form['value'],
			body: (call.body as IDataObject | undefined) ?? {},
			settings: {},
			place: { node: ownNode, itemIndex, timezone: 'UTC', labels: [] },
		} as unknown as Form;
	}

	private async respond({ method, url }: IHttpRequestOptions) {
		const { pathname, search } = new URL(url);
		this.requests.push({ method: method ?? '', path: pathname + search, at: Date.now() });
		const { statusCode = 200, retryAfter, html, fails, ms, ...body } = this.responses.shift() ?? {};
		if (ms) await new Promise((done) => setTimeout(done, ms));
		if (fails) throw Object.assign(new Error(`connect ${fails}`), { code: fails });
		const type = html === undefined ? {} : { 'content-type': 'text/html' };
		return {
			statusCode,
			headers: { ...type, ...(retryAfter && { 'retry-after': retryAfter }) },
			body: Readable.from([Buffer.from(html ?? JSON.stringify(body))]),
		};
	}
}

/**
 * Advances faked time until the work is done, and returns its result; an error is returned as n8n shows it, not thrown.
 */
export async function untilDone<Result>(work: Promise<Result>): Promise<Result | Error> {
	let isDone = false;
	const ended = work
		.catch((error: Error) => nodeErrorOf(error, { node, itemIndex: 2 }))
		.finally(() => {
			isDone = true;
		});
	while (!isDone) {
		for (let turns = 0; turns < 5; turns++) await new Promise((done) => setImmediate(done));
		if (!isDone) await jest.advanceTimersByTimeAsync(250);
	}
	return await ended;
}

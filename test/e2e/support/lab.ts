/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { endProgramsWithThis } from '../../../scripts/lib/programs.mjs';
import { freePort } from '../../../scripts/lib/machine.mjs';
import { N8nClient, itemsOf } from '../../../scripts/lib/n8n-client.mjs';
import {
	TESTER,
	WITHOUT_EDITOR,
	beginEmpty,
	launchN8n,
	n8nLog,
	startN8n,
	startWebhooks,
	startWorker,
} from '../../../scripts/lib/n8n.mjs';
import { PACKED_PACKAGE, installPackage } from '../../../scripts/lib/package.mjs';
import { PACKAGE_NAME } from '../../../scripts/lib/paths.mjs';
import { ensureRuntime } from '../../../scripts/lib/runtime.mjs';
import { type LocalService, type ServiceOptions, startService } from '../../../mock-service';
import { type Flow, type FlowNode, branch, chain, node, ours } from './flow';

endProgramsWithThis();

/**
 * Variables of n8n 1.x. Without a pool, its SQLite runs all statements on one connection: transactions of the same
 * moment end each other, and executions are lost with them.
 */
const OLDEST_ENV = { DB_SQLITE_POOL_SIZE: '4' };

export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface LabOptions {
	/** Which n8n, see `runtime/`. */
	line?: 'latest' | 'oldest';
	service?: ServiceOptions;
	/** More variables for n8n, e.g. those of queue mode. */
	env?: Record<string, string>;
	/** Installs the package in the running n8n, which otherwise has it from the start. */
	install?: (client: N8nClient) => Promise<void>;
	/** Whether it has an n8n of its own, with the editor, also where the areas share one. */
	hasEditor?: boolean;
}

/** The n8n that areas share, if `npm run test:e2e` has started one. */
const shared = (): { port: number; userFolder: string; cookie: string } | undefined =>
	process.env.E2E_N8N === undefined ? undefined : (JSON.parse(process.env.E2E_N8N) as never);

/** A workflow that n8n has saved. */
export interface SavedWorkflow {
	id: string;
	name: string;
	nodes: FlowNode[];
}

/** An item as stored in an execution. */
export interface ExecutionItem {
	json: IDataObject;
	binary?: Record<string, { id?: string; data: string; mimeType: string; fileName?: string }>;
	pairedItem?: { item: number; input?: number } | Array<{ item: number }> | number;
	error?: { message: string; description?: string };
}

export interface Execution {
	id: string;
	status: string;
	data: { resultData: { runData: IDataObject; error?: IDataObject; lastNodeExecuted?: string } };
	/** Returns the items that a node output in its last run; output 1 is the error output. */
	items: (node: string, output?: number) => ExecutionItem[];
	/** The error that ended the execution, or that a node kept. */
	error?: { message: string; description?: string; httpCode?: string; context?: IDataObject };
}

/**
 * A real n8n with the packed package, and a local service. `close()` ends what isn't shared with other areas.
 * The package must have been packed before (`npm run test:e2e` does).
 */
export class Lab {
	private constructor(
		readonly service: LocalService,
		readonly userFolder: string,
		private readonly options: LabOptions,
		readonly port: number,
	) {}

	/** Its process; none if it is shared. */
	n8n!: Awaited<ReturnType<typeof startN8n>>;

	client!: N8nClient;

	private workerFolders = 0;

	private readonly workers: Array<Awaited<ReturnType<typeof startWorker>>> = [];

	/** The credential of the local service. */
	credential!: Credential;

	static async open(options: LabOptions = {}): Promise<Lab> {
		const service = await startService(options.service);
		const { env, line, install, hasEditor } = options;
		const others = env || line || install || hasEditor ? undefined : shared();
		if (others) {
			const joined = new Lab(service, others.userFolder, options, others.port);
			joined.client = new N8nClient(`http://127.0.0.1:${others.port}`);
			joined.client.cookie = others.cookie;
			// n8n has one credential of a name and type, and each area its own service
			joined.credential = await joined.addCredential(service.url, service.url, service.apiKey);
			return joined;
		}
		const userFolder = mkdtempSync(join(tmpdir(), 'n8n-e2e-'));
		const lab = new Lab(service, userFolder, options, await freePort());
		try {
			// A key that several n8n share is none of a kept database.
			if (options.env?.N8N_ENCRYPTION_KEY === undefined) {
				beginEmpty(await lab.runtime(), userFolder);
			}
			if (!options.install) installPackage(PACKED_PACKAGE, userFolder);
			await lab.startN8n();
			await lab.client.enter(TESTER);
			await options.install?.(lab.client);
			lab.credential = await lab.addCredential('Web Data Service', service.url, service.apiKey);
		} catch (error) {
			await lab.close();
			throw error;
		}
		return lab;
	}

	/** Starts n8n on the lab's folder and port; after `n8n.kill()` or `n8n.stop()`, this is the restart. */
	async startN8n(): Promise<void> {
		const cookie = this.client?.cookie;
		this.n8n = await startN8n(await this.runtime(), this.n8nOptions);
		this.client = this.n8n.client;
		if (cookie) this.client.cookie = cookie;
	}

	/** Starts n8n, and kills it at a moment, whether it responds by then or not. */
	async startAndKill(moment: () => Promise<void>): Promise<void> {
		const n8n = await launchN8n(await this.runtime(), this.n8nOptions);
		try {
			await moment();
		} finally {
			await n8n.kill();
		}
	}

	private async runtime() {
		return await ensureRuntime(this.options.line ?? 'latest');
	}

	private get n8nOptions() {
		const { line, env, hasEditor } = this.options;
		return {
			userFolder: this.userFolder,
			port: this.port,
			log: n8nLog(this.userFolder),
			env: {
				...(line === 'oldest' && OLDEST_ENV),
				...(!hasEditor && WITHOUT_EDITOR),
				...env,
			},
		};
	}

	async addCredential(name: string, baseUrl: string, apiKey: string): Promise<Credential> {
		return await this.client.saveCredential({
			name,
			type: 'webDataServiceApi',
			data: { baseUrl, apiKey },
		});
	}

	/** Saves a flow as a workflow; the package's nodes get the lab's credential unless they have one. */
	async save(flow: Flow): Promise<SavedWorkflow> {
		const { id, name } = this.credential;
		const nodes = flow.nodes.map((node) =>
			node.type.startsWith(`${PACKAGE_NAME}.`) && node.credentials === undefined
				? { ...node, credentials: { webDataServiceApi: { id, name } } }
				: node,
		);
		return await this.client.saveWorkflow({ ...flow, nodes });
	}

	/** Publishes a saved workflow as it is. */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.client.getWorkflow(id);
		await this.client.request('POST', `/workflows/${id}/activate`, { versionId });
	}

	/** Saves a flow, runs it from its trigger as the editor does, and waits for the end. */
	async run(flow: Flow, timeoutMs = 60_000): Promise<Execution> {
		const workflow = await this.save(flow);
		return toExecution(await this.client.run(workflow, flow.nodes[0].name, timeoutMs));
	}

	/** Returns the items of one of our nodes that runs alone and succeeds. */
	async outputOf(
		type: string,
		parameters: IDataObject,
		items?: IDataObject[],
	): Promise<ExecutionItem[]> {
		const { status, error, ...execution } = await this.run(
			chain([ours(type, parameters)], { items }),
		);
		assert.equal(status, 'success', error?.message);
		return execution.items(type);
	}

	/** Returns the IDs of a workflow's executions, or of those with a status, oldest first. */
	async executionsOf(workflowId: string, status?: string[]): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const path = `/executions?filter=${filter}&limit=100`;
		const { results } = await this.client.request('GET', path);
		const ids = (results as Array<{ id: string }>).map(({ id }) => id);
		return ids.sort((a, b) => Number(a) - Number(b));
	}

	/** Starts a worker of queue mode with its own folders; it ends with the lab unless stopped before. */
	async addWorker(concurrency: number): Promise<Awaited<ReturnType<typeof startWorker>>> {
		this.workerFolders += 1;
		const userFolder = join(this.userFolder, `worker-${this.workerFolders}`);
		installPackage(PACKED_PACKAGE, userFolder);
		const worker = await startWorker(await this.runtime(), concurrency, {
			userFolder,
			port: await freePort(),
			log: n8nLog(userFolder),
			env: this.options.env,
		});
		this.workers.push(worker);
		return worker;
	}

	/** Starts a process of queue mode that takes webhooks at this port; it ends with the lab. */
	async addWebhooks(port: number): Promise<void> {
		this.workerFolders += 1;
		const userFolder = join(this.userFolder, `webhooks-${this.workerFolders}`);
		installPackage(PACKED_PACKAGE, userFolder);
		const { env } = this.options;
		const options = { userFolder, port, log: n8nLog(userFolder), env };
		this.workers.push(await startWebhooks(await this.runtime(), options));
	}

	/** Returns the file of a binary property. */
	async download(binary: { id?: string; data: string }): Promise<Buffer> {
		if (binary.id === undefined) return Buffer.from(binary.data, 'base64');
		const query = new URLSearchParams({ id: binary.id, action: 'download' });
		const response = await fetch(`${this.client.url}/rest/binary-data?${query}`, {
			headers: { cookie: this.client.cookie },
		});
		if (!response.ok) throw new Error(`n8n answered ${response.status} to a binary's download`);
		return Buffer.from(await response.arrayBuffer());
	}

	async close(): Promise<void> {
		await Promise.all(this.workers.map(async (worker) => await worker.stop()));
		await this.n8n?.stop();
		await this.service.close();
		if (this.n8n && !process.env.E2E_KEEP)
			rmSync(this.userFolder, { recursive: true, force: true });
	}
}

/** Returns an execution from the client, with its helpers. */
export function toExecution(raw: Awaited<ReturnType<N8nClient['finished']>>): Execution {
	return {
		...raw,
		items: (node, output) => itemsOf(raw, node, output) as ExecutionItem[],
		error: raw.data.resultData.error,
	};
}

/**
 * Runs a search of three items, the second of which fails, with an error output. Nodes on both branches must find the
 * item that each result comes from. Returns the failed one.
 */
export async function searchWithFailure(lab: Lab): Promise<ExecutionItem> {
	lab.service.fail({
		path: '/v2/search',
		when: ({ body }) => (body as IDataObject).query === 'two',
		status: 500,
		body: { success: false, code: 'UNKNOWN_ERROR', error: 'Something broke' },
	});
	const set = (name: string, jsonOutput: string) =>
		node(
			'n8n-nodes-base.set',
			{ mode: 'raw', jsonOutput, options: {} },
			{ name, typeVersion: 3.4 },
		);
	const look = (name: string) => set(name, "={{ { from: $('before').item.json.topic } }}");
	const search = ours(
		'webDataSearch',
		{ operation: 'search', query: '={{ $json.topic }}', limit: 1 },
		{ onError: 'continueErrorOutput' },
	);
	const items = ['one', 'two', 'three'].map((topic) => ({ topic }));
	const flow = chain([set('before', '={{ $json }}'), search], { items });
	const execution = await lab.run(
		branch(flow, search.name, { 0: [look('good')], 1: [look('bad')] }),
	);
	assert.equal(execution.status, 'success', execution.error?.message);
	const froms = (name: string) => execution.items(name).map(({ json }) => json.from);
	assert.deepEqual([froms('good'), froms('bad')], [['one', 'three'], ['two']]);
	return execution.items(search.name, 1)[0];
}

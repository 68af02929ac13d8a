/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error */
import 'reflect-metadata';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { HookContext, TriggerContext, WebhookContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { WebDataMonitorTrigger } from '../../nodes/WebDataMonitorTrigger/WebDataMonitorTrigger.node';
import { forget } from '../../nodes/WebDataMonitorTrigger/news';
import { type KeptMonitor, SECRET_HEADER } from '../../nodes/WebDataMonitorTrigger/service';
import { engine, nodeOf } from './engine';

type Method = 'checkExists' | 'create' | 'delete';

const nodeType = new WebDataMonitorTrigger();
let workflows = 0;

/** When n8n dies during a report: before its memory is saved, or after that, but before the execution exists. */
export type Death = 'beforeSaving' | 'beforeExecution';

/**
 * A webhook trigger in n8n-core's contexts, in an n8n that receives its reports over real HTTP, and does with its memory
 * what n8n 2.41 does: each report has a copy of what was saved last, and saves all of it. If an execution starts, it does so
 * only where the node responds by itself, and before.
 */
export class WebhookTrigger {
	/** The items of each execution. */
	readonly started: IDataObject[][] = [];
	/** Statuses of the responses to reports. */
	readonly statuses: number[] = [];
	/** The memory of the workflow, as saved. */
	saved: IDataObject = {};
	isDown = false;
	dies?: Death;
	/** The host that n8n believes in. */
	host?: string;
	parameters: INodeParameters;
	name = 'Prices';
	private test?: Workflow;
	private server?: Server;
	/** Ends with the work on all reports so far. */
	private received: Promise<unknown> = Promise.resolve();
	private readonly additionalData: IWorkflowExecuteAdditionalData;
	private readonly nodeTypes;

	constructor(
		readonly service: Pick<LocalService, 'url' | 'apiKey'>,
		parameters: INodeParameters = {},
		readonly id = `workflow-${++workflows}`,
	) {
		this.parameters = { urls: 'https://a.example/page', ...parameters };
		const { additionalData, nodeTypes } = engine(nodeType, this.credentials);
		Object.assign(this, { additionalData, nodeTypes });
		this.additionalData = additionalData;
		this.nodeTypes = nodeTypes;
	}

	get credentials() {
		return { baseUrl: this.service.url, apiKey: this.service.apiKey };
	}

	get address() {
		return `${this.host ?? this.url}/webhook/${this.id}/monitor`;
	}

	private get url() {
		return `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}`;
	}

	async listen(): Promise<this> {
		this.server = createServer((request, response) => {
			if (this.isDown) return void response.destroy();
			const isTest = request.url!.startsWith('/webhook-test/');
			const received = json(request).then(
				async (body) => await this.receive({ headers: request.headers, body }, response, isTest),
			);
			this.received = Promise.all([this.received, received]);
		});
		await new Promise<void>((done) => this.server!.listen(0, '127.0.0.1', done));
		return this;
	}

	async close(): Promise<void> {
		await this.received;
		this.server?.closeAllConnections();
		await new Promise((done) => this.server?.close(done));
	}

	private workflow(staticData: IDataObject): Workflow {
		const { id, parameters, credentials } = this;
		const node = { ...nodeOf({ nodeType, parameters, credentials }), webhookId: id };
		const copy = JSON.parse(JSON.stringify(staticData)) as IDataObject;
		return new Workflow({
			...{ id, name: this.name, nodes: [node], connections: {}, active: true },
			...{ nodeTypes: this.nodeTypes, staticData: copy },
		});
	}

	private nodeIn = (workflow: Workflow) => workflow.getNode(nodeType.description.displayName)!;

	private data(isTest: boolean): IWebhookData {
		Object.assign(this.additionalData, {
			webhookBaseUrl: `${this.host ?? this.url}/webhook`,
			webhookTestBaseUrl: `${this.host ?? this.url}/webhook-test`,
		});
		return { isTest, webhookDescription: nodeType.description.webhooks![0] } as never;
	}

	private async hook(
		method: Method,
		workflow: Workflow,
		mode: WorkflowExecuteMode = 'trigger',
		activation: WorkflowActivateMode = 'activate',
		isTest = false,
	): Promise<boolean> {
		const { additionalData } = this;
		const data = this.data(isTest);
		const node = this.nodeIn(workflow);
		const context = new HookContext(workflow, node, additionalData, mode, activation, data);
		return await nodeType.webhookMethods.default[method].call(context as never);
	}

	private save({ staticData }: Workflow): void {
		this.saved = JSON.parse(JSON.stringify(staticData)) as IDataObject;
	}

	/** What the node has in the saved memory. */
	get kept(): { monitor?: KeptMonitor } {
		return (this.saved[`node:${nodeType.description.displayName}`] ?? {}) as never;
	}

	/** Sends a report as the service does, and returns the status of the response; undefined if none came. */
	async report(headers: Record<string, string> = {}, isTest = false): Promise<number | undefined> {
		const { id, secret } = this.kept.monitor ?? { id: '', secret: '' };
		const address = isTest ? this.address.replace('/webhook/', '/webhook-test/') : this.address;
		const body = JSON.stringify({ type: 'monitor.check.completed', data: [{ monitorId: id }] });
		const all = { 'content-type': 'application/json', [SECRET_HEADER]: secret, ...headers };
		return await fetch(address, { method: 'POST', headers: all, body }).then(
			({ status }) => status,
			() => undefined,
		);
	}

	/** What n8n does at publishing; a failure undoes it. */
	async publish(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		const workflow = this.workflow(this.saved);
		try {
			if (!(await this.hook('checkExists', workflow, 'trigger', activation)))
				await this.hook('create', workflow, 'trigger', activation);
		} catch (error) {
			await this.hook('delete', workflow, 'internal', 'update').catch(() => undefined);
			throw error;
		} finally {
			this.save(workflow);
		}
	}

	/** Starts n8n again: a new process, which only knows what was saved. */
	async start(): Promise<void> {
		this.isDown = false;
		const { monitor } = this.kept;
		if (monitor) forget(monitor.id);
		await this.publish('init');
		const workflow = this.workflow(this.saved);
		const emit = ([items]: INodeExecutionData[][]) => {
			this.save(workflow);
			this.started.push(items.map((item) => item.json));
		};
		const { additionalData } = this;
		const node = this.nodeIn(workflow);
		const context = new TriggerContext(workflow, node, additionalData, 'trigger', 'init', emit);
		await nodeType.trigger.call(context as never);
	}

	async unpublish(): Promise<void> {
		const workflow = this.workflow(this.saved);
		try {
			await this.hook('delete', workflow, 'internal', 'update');
		} finally {
			this.save(workflow);
		}
	}

	/** "Listen for test event"; `stopTest` is what n8n does when an event came, after two minutes, or when it is stopped. */
	async listenForTest(): Promise<void> {
		const workflow = this.workflow({});
		this.test = workflow;
		await this.hook('create', workflow, 'manual', 'manual', true);
	}

	async stopTest(): Promise<void> {
		const { test } = this;
		this.test = undefined;
		await this.hook('delete', test!, 'manual', 'update', true);
	}

	private async receive(
		request: { headers: unknown; body: unknown },
		raw: ServerResponse,
		isTest: boolean,
	): Promise<void> {
		const workflow = isTest ? this.test : this.workflow(this.saved);
		if (workflow === undefined) return void raw.writeHead(404).end();
		const respond = (status: number, body: unknown) => {
			this.statuses.push(status);
			raw.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		};
		let status = 200;
		const httpResponse = {
			status(code: number) {
				status = code;
				return this;
			},
			json: (body: unknown) => respond(status, body),
		};
		const additionalData = { ...this.additionalData, httpRequest: request, httpResponse };
		const context = new WebhookContext(
			workflow,
			this.nodeIn(workflow),
			additionalData as never,
			isTest ? 'manual' : 'webhook',
			this.data(isTest),
			[],
			null,
		);
		const result = await nodeType.webhook.call(context as never);
		const { dies } = this;
		if (dies) this.isDown = true;
		this.dies = undefined;
		if (dies === 'beforeSaving') return void raw.destroy();
		const [items] = result.workflowData ?? [];
		if (!isTest && (result.noWebhookResponse === true || !items)) this.save(workflow);
		if (dies === 'beforeExecution') return void raw.destroy();
		if (items) this.started.push(items.map((item) => item.json));
		if (isTest && items) await this.stopTest();
		if (result.noWebhookResponse !== true) respond(200, { message: 'Webhook call received' });
	}
}

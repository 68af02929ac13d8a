import 'reflect-metadata';
import { PollContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { WebDataCrawlTrigger } from '../../nodes/WebDataCrawlTrigger/WebDataCrawlTrigger.node';
import type { LocalService } from '../../mock-service';
import { engine, nodeOf } from './engine';

/** The crawl trigger in n8n-core's poll context, in an n8n that lives as long as its static data. */
export class PolledTrigger {
	readonly nodeType = new WebDataCrawlTrigger();
	readonly credentials: { baseUrl: string; apiKey: string };
	private readonly workflow: Workflow;
	private readonly additionalData: IWorkflowExecuteAdditionalData;

	constructor(
		service: Pick<LocalService, 'url' | 'apiKey'>,
		parameters: INodeParameters = {},
		staticData: IDataObject = {},
		typeVersion?: number,
	) {
		this.credentials = { baseUrl: service.url, apiKey: service.apiKey };
		const { additionalData, nodeTypes } = engine(this.nodeType, this.credentials);
		this.additionalData = additionalData;
		const { nodeType, credentials } = this;
		const node = nodeOf({ nodeType, parameters, typeVersion, credentials });
		this.workflow = new Workflow({
			id: 'test-workflow',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			staticData,
		});
	}

	private get node() {
		return this.workflow.getNode('Web Data Crawl Trigger')!;
	}

	/** The static data as n8n would save it. */
	get saved(): IDataObject {
		return JSON.parse(JSON.stringify(this.workflow.staticData));
	}

	get isChanged(): boolean {
		return (this.workflow.staticData as unknown as { __dataChanged: boolean }).__dataChanged;
	}

	context(mode: WorkflowExecuteMode = 'trigger', activation: WorkflowActivateMode = 'init') {
		return new PollContext(this.workflow, this.node, this.additionalData, mode, activation);
	}

	async poll(mode?: WorkflowExecuteMode): Promise<INodeExecutionData[] | null> {
		const output = await this.nodeType.poll.call(this.context(mode));
		if (output && output.length !== 1) throw new Error(`The poll gave ${output.length} outputs`);
		return output && output[0];
	}

	/** The JSON of what a poll emits. */
	async emitted(): Promise<IDataObject[]> {
		return ((await this.poll()) ?? []).map(({ json }) => json);
	}
}

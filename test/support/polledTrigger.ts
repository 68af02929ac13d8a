import 'reflect-metadata';
import { PollContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { WebDataCrawlTrigger } from '../../nodes/WebDataCrawlTrigger/WebDataCrawlTrigger.node';
import type { LocalService } from '../../mock-service';
import { engine, nodeOf } from './engine';

type Trigger = INodeType & Required<Pick<INodeType, 'poll'>>;

let workflows = 0;

/** A polling trigger in n8n-core's poll context, in an n8n that lives as long as its static data. */
export class PolledTrigger {
	readonly credentials: { baseUrl: string; apiKey: string; [more: string]: string };
	/** How long (ms) n8n lets a poll take; undefined if it doesn't say. */
	budgetMs?: number;
	private readonly workflow: Workflow;
	private readonly additionalData: IWorkflowExecuteAdditionalData;

	constructor(
		service: Pick<LocalService, 'url' | 'apiKey'>,
		parameters: INodeParameters = {},
		staticData: IDataObject = {},
		readonly nodeType: Trigger = new WebDataCrawlTrigger(),
		private readonly id = `workflow-${++workflows}`,
		typeVersion?: number,
	) {
		this.credentials = { baseUrl: service.url, apiKey: service.apiKey };
		const { additionalData, nodeTypes } = engine(nodeType, this.credentials);
		this.additionalData = additionalData;
		const { credentials } = this;
		const node = nodeOf({ nodeType, parameters, typeVersion, credentials });
		this.workflow = new Workflow({
			id,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			staticData,
		});
	}

	private get node() {
		return this.workflow.getNode(this.nodeType.description.displayName)!;
	}

	/** The static data as n8n would save it. */
	get saved(): IDataObject {
		return JSON.parse(JSON.stringify(this.workflow.staticData));
	}

	/** The workflow's time zone. */
	set timezone(timezone: string) {
		Object.assign(this.workflow, { timezone });
	}

	/** What expressions read as `$vars`. */
	set variables(variables: IDataObject) {
		this.additionalData.variables = variables;
	}

	get isChanged(): boolean {
		return (this.workflow.staticData as unknown as { __dataChanged: boolean }).__dataChanged;
	}

	context(mode: WorkflowExecuteMode = 'trigger', activation: WorkflowActivateMode = 'init') {
		const context = new PollContext(
			this.workflow,
			this.node,
			this.additionalData,
			mode,
			activation,
		);
		const { budgetMs } = this;
		return budgetMs === undefined
			? context
			: Object.assign(context, { getPollBudgetMs: () => budgetMs });
	}

	/**
	 * Returns the same trigger with a copy of the static data, as durable mode creates one for each poll, and optionally
	 * with changed settings.
	 */
	copy(changed: INodeParameters = {}): PolledTrigger {
		const { baseUrl: url, apiKey } = this.credentials;
		const { parameters, typeVersion } = this.node;
		const given = { ...parameters, ...changed };
		const { saved, nodeType, id } = this;
		return new PolledTrigger({ url, apiKey }, given, saved, nodeType, id, typeVersion);
	}

	async poll(mode?: WorkflowExecuteMode): Promise<INodeExecutionData[] | null> {
		const output = await this.nodeType.poll.call(this.context(mode));
		if (output && output.length !== 1) throw new Error(`The poll gave ${output.length} outputs`);
		return output && output[0];
	}

	/** Returns the JSON of what a poll emits. */
	async emitted(): Promise<IDataObject[]> {
		return ((await this.poll()) ?? []).map(({ json }) => json);
	}
}

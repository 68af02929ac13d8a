import 'reflect-metadata';
import { Container } from '@n8n/di';
import { DirectoryLoader, ExecutionLifecycleHooks, RoutingNode, WorkflowExecute } from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import {
	ICredentialsHelper,
	NodeConnectionTypes,
	Workflow,
	sleep,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type OnError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { WebDataServiceApi } from '../../credentials/WebDataServiceApi.credentials';

/** Newer versions of n8n build URLs from it. */
const N8N = 'http://127.0.0.1:5678';

// n8n's real one keeps a timer running that would keep the tests from ending.
Container.set(SSHClientsManager, {} as SSHClientsManager);

export interface NodeRunOptions {
	nodeType: INodeType;
	/** Returns the node as n8n has loaded it by now, if that changes. */
	loaded?: () => INodeType;
	parameters: INodeParameters;
	/** The node's version in the workflow; the latest by default. */
	typeVersion?: number;
	/** Input items; by default one item with just a file. */
	items?: INodeExecutionData[];
	credentials: { baseUrl: string; apiKey: string };
	/** How long n8n takes (ms) for each read of the credential. */
	credentialMs?: () => number;
	onError?: OnError;
	executeOnce?: boolean;
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	/** Cancels the execution as n8n's Stop button does. */
	signal?: AbortSignal;
	/** When the workflow times out (ms since 1970), as nodes are told; without n8n's timer that cancels it. */
	timesOutAt?: number;
}

/** The file of the default input item. */
const FILE = {
	data: Buffer.from('a,b\n1,2\n').toString('base64'),
	mimeType: 'text/csv',
	fileName: 'table.csv',
};

/** The result of a run. */
export interface RunResult {
	/** Items per output of the node; with onError 'continueErrorOutput', the last one is the error output. */
	output: INodeExecutionData[][];
	/** The error of the execution: a NodeApiError's own properties, as n8n stores them. */
	error?: IDataObject & { message: string };
	/** 'success', 'error' or 'canceled'. */
	status: string;
	/** The whole run as n8n keeps it. */
	run: IRun;
}

/** Returns the run details of an item; empty if it has none. */
export const detailsOf = ({ json }: INodeExecutionData) => (json.run ?? {}) as IDataObject;

/** Returns items from their JSON. */
export function itemsOf(...json: IDataObject[]): INodeExecutionData[] {
	return json.map((entry) => ({ json: entry }));
}

/**
 * Runs one node in n8n-core's engine, in a workflow "Before" (which outputs the items) → node. Declarative nodes get
 * their execute method as in n8n's own NodeTypes class; requests go over real HTTP through n8n-core's helpers.
 */
export async function runNode(options: NodeRunOptions): Promise<RunResult> {
	const { nodeType, loaded, credentials } = options;
	const { additionalData, nodeTypes } = engine(nodeType, credentials, loaded, options.credentialMs);
	additionalData.executionTimeoutTimestamp = options.timesOutAt;
	const node = nodeOf(options);
	const items = options.items ?? [{ json: {}, binary: { data: FILE, dat1: FILE } }];
	const workflow = new Workflow({
		id: 'test-workflow',
		nodes: [before, node],
		connections: connect(before.name, node.name),
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	const execute = new WorkflowExecute(additionalData, 'manual', undefined);
	const running = execute.run({
		workflow,
		startNode: workflow.getNode(before.name) as INode,
		pinData: { [before.name]: items },
	});
	const stop = () => running.cancel();
	options.signal?.addEventListener('abort', stop);
	// The engine resolves a cancelled execution's promise only through its last hook.
	const run = await Promise.race([running, lastHook(additionalData)]);
	options.signal?.removeEventListener('abort', stop);
	const { runData, error } = run.data.resultData;
	const task = runData[node.name]?.at(-1);
	return {
		output: (task?.data?.main ?? []).map((output) => output ?? []),
		error: (error ?? task?.error) as unknown as RunResult['error'],
		status: run.status,
		run,
	};
}

/** Returns n8n's additional data and node types for a node of the given type. */
export function engine(
	nodeType: INodeType,
	credentials: { baseUrl: string; apiKey: string },
	loaded = () => nodeType,
	credentialMs = () => 0,
): { additionalData: IWorkflowExecuteAdditionalData; nodeTypes: INodeTypes } {
	const start = new Start();
	const prepared = new Map<INodeType, INodeType>();
	const tested = () => {
		const known = prepared.get(loaded()) ?? asLoaded(loaded());
		prepared.set(loaded(), known);
		return known;
	};
	const nodeTypes: INodeTypes = {
		getByName: (name) => (name === start.description.name ? start : tested()),
		getByNameAndVersion: (name) => (name === start.description.name ? start : tested()),
		getKnownTypes: () => ({}),
	};
	const hooks = new ExecutionLifecycleHooks('manual', 'test-execution', {
		id: 'test-workflow',
	} as never);
	const additionalData = {
		credentialsHelper: new Credentials(credentials, credentialMs),
		currentNodeExecutionIndex: 0,
		executionId: 'test-execution',
		restApiUrl: N8N,
		instanceBaseUrl: N8N,
		formWaitingBaseUrl: N8N,
		webhookBaseUrl: N8N,
		webhookWaitingBaseUrl: N8N,
		webhookTestBaseUrl: N8N,
		variables: {},
		hooks,
	} as unknown as IWorkflowExecuteAdditionalData;
	return { additionalData, nodeTypes };
}

/** Returns the node as the tool that n8n makes of it. */
export function toolOf(node: INodeType): INodeType {
	const tool = Object.create(node) as INodeType;
	tool.description = { ...node.description, name: `${node.description.name}Tool` };
	return tool;
}

/** Returns the workflow's node that the options describe. */
export function nodeOf(options: Omit<NodeRunOptions, 'items' | 'signal' | 'timesOutAt'>): INode {
	const { description } = options.nodeType;
	return {
		id: 'tested-node',
		name: description.displayName,
		type: description.name,
		typeVersion:
			options.typeVersion ??
			(Array.isArray(description.version)
				? (description.version.at(-1) as number)
				: description.version),
		position: [0, 0],
		parameters: options.parameters,
		credentials: { webDataServiceApi: { id: 'test-credential', name: 'Test credential' } },
		onError: options.onError,
		executeOnce: options.executeOnce,
		retryOnFail: options.retryOnFail,
		maxTries: options.maxTries,
		waitBetweenTries: options.waitBetweenTries,
	};
}

const before: INode = {
	id: 'before-node',
	name: 'before',
	type: 'start',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function connect(from: string, to: string): IConnections {
	return { [from]: { main: [[{ node: to, type: NodeConnectionTypes.Main, index: 0 }]] } };
}

/** A trigger-like first node; its output is pinned. */
class Start implements INodeType {
	description = {
		displayName: 'Before',
		name: 'start',
		group: ['input'],
		version: 1,
		description: 'Gives the items',
		defaults: { name: 'before' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	} as INodeType['description'];

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

/** Returns the node type as n8n has it after loading: with Request Options and, if declarative, an execute method. */
function asLoaded(nodeType: INodeType): INodeType {
	const loaded = Object.create(nodeType) as INodeType;
	loaded.description = {
		...nodeType.description,
		properties: [...nodeType.description.properties],
	};
	DirectoryLoader.applyDeclarativeNodeOptionParameters(loaded);
	if (!loaded.execute && !loaded.poll && !loaded.trigger) {
		loaded.execute = async function (this: IExecuteFunctions) {
			return (await new RoutingNode(this as never, loaded).runNode()) ?? [];
		};
	}
	return loaded;
}

async function lastHook(additionalData: IWorkflowExecuteAdditionalData): Promise<IRun> {
	const { hooks } = additionalData as unknown as { hooks: ExecutionLifecycleHooks };
	return await new Promise((resolve) =>
		hooks.addHandler('workflowExecuteAfter', async (run) => resolve(run)),
	);
}

/** Provides the one credential of the test and adds the bearer header as the credential type declares it. */
class Credentials extends ICredentialsHelper {
	private readonly type = new WebDataServiceApi();

	constructor(
		private readonly data: { baseUrl: string; apiKey: string },
		private readonly takesMs: () => number,
	) {
		super();
	}

	override getParentTypes() {
		return [];
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, requestOptions);
	}

	override async preAuthentication() {
		return undefined;
	}

	/** Called by newer versions of n8n. */
	isCredentialUsableByNode() {
		return true;
	}

	override async getCredentials(): Promise<never> {
		throw new Error('The tests keep no stored credentials');
	}

	/** Resolves expressions as n8n does, so that items may have different accounts. */
	override async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_credentials: INodeCredentialsDetails,
		_type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		of?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const ms = this.takesMs();
		if (ms > 0) await sleep(ms);
		if (of === undefined) return { ...this.data };
		return of.workflow.expression.getParameterValue(
			{ ...this.data },
			of.runExecutionData,
			of.runIndex,
			of.itemIndex,
			of.node.name,
			of.connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	override async updateCredentials() {}

	override async updateCredentialsOauthTokenData() {}

	override getCredentialsProperties(): INodeProperties[] {
		return this.type.properties;
	}
}

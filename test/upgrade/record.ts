import type { INodeParameters, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { SAMPLE_ID, controlSamples, operationsOf, requiredParameters } from '../contract/controls';
import type { Fault, LocalService } from '../../mock-service';
import { nodeOf } from '../support/engine';
import type { ActionCase, GivenResponse, Result, SentRequest, Shared } from './frozen';
import { runCase } from './run';
import { recorder } from './wire';

/** Returns the parameters as n8n saves them: what is left at its default is not part of a saved workflow. */
function asSaved(nodeType: INodeType, parameters: INodeParameters): INodeParameters {
	const { description } = nodeType;
	const credentials = { baseUrl: '', apiKey: '' };
	const node = nodeOf({ nodeType, parameters, credentials });
	const { properties } = description;
	return NodeHelpers.getNodeParameters(properties, parameters, false, false, node, description)!;
}

const latestVersion = ({ description: { version } }: INodeType): number =>
	Array.isArray(version) ? Math.max(...version) : version;

type Draft = Omit<ActionCase, 'exchanges' | keyof Result>;

/** Runs what workflows may contain of a node's operation, and keeps the requests and items. */
export class Recorder {
	readonly cases: ActionCase[] = [];
	private readonly seen = new Set<string>();
	private rejection?: Fault;
	private readonly known = new Map<string, GivenResponse>();

	constructor(
		private readonly nodeType: INodeType,
		private readonly service: LocalService,
		private readonly shared: Shared,
	) {}

	async record(): Promise<ActionCase[]> {
		for (const operation of operationsOf(this.nodeType)) await this.recordOperation(operation);
		return this.cases;
	}

	/** Records each operation with its required fields only. */
	async recordLeast(): Promise<ActionCase[]> {
		for (const operation of operationsOf(this.nodeType)) await this.recordRequired(operation);
		return this.cases;
	}

	private async recordRequired(operation: string): Promise<INodeParameters> {
		const parameters = requiredParameters(this.nodeType, operation);
		await this.keep({ name: `${operation}, required fields only`, parameters });
		return parameters;
	}

	private async recordOperation(operation: string): Promise<void> {
		const required = await this.recordRequired(operation);
		const samples = controlSamples(this.nodeType, operation);
		for (const { control, entered, parameters, isSetting } of samples) {
			const name = `${operation}, ${control} = ${JSON.stringify(entered)}`.slice(0, 160);
			// A control of the request changes only the request, so the responses may be those of the first case.
			await this.keep({ name, parameters }, !isSetting);
		}
		await this.recordFullForm(operation, required);
		await this.recordTwoItems(operation, required);
		await this.recordRejection(operation, required);
	}

	/** Records a case with as much filled in at once as is compatible. */
	private async recordFullForm(operation: string, required: INodeParameters): Promise<void> {
		let full = required;
		for (const { control, parameters } of controlSamples(this.nodeType, operation)) {
			// fields that only a later service knows
			if (control.endsWith('additionalBodyFields')) continue;
			const more = merged(full, parameters);
			this.known.clear();
			const { failed } = await this.run({ name: '', ...this.saved(more) });
			if (!failed) full = more;
		}
		await this.keep({ name: `${operation}, everything that goes together`, parameters: full });
	}

	/** Records a text that comes from the item, for two items; the second is sent even if the first fails. */
	private async recordTwoItems(operation: string, required: INodeParameters): Promise<void> {
		const text = Object.entries(required).find(
			([name, value]) => name !== 'operation' && typeof value === 'string' && value !== '',
		);
		if (text === undefined) return;
		await this.keep({
			name: `${operation}, two items`,
			parameters: { ...required, [text[0]]: '={{ $json.value }}' },
			onError: 'continueErrorOutput',
			input: [{ value: text[1] as string }, { value: `${(text[1] as string).slice(0, -1)}2` }],
		});
	}

	/** Records a lack of credits, with On Error = Continue (using error output). */
	private async recordRejection(operation: string, required: INodeParameters): Promise<void> {
		this.rejection = { status: 402, body: { success: false, error: 'Insufficient credits' } };
		await this.keep({
			// The name under which it was frozen: cases that a release froze are not frozen again.
			name: `${operation}, refused with 402`,
			parameters: required,
			onError: 'continueErrorOutput',
		});
		this.rejection = undefined;
	}

	private saved(parameters: INodeParameters) {
		return {
			parameters: asSaved(this.nodeType, parameters),
			typeVersion: latestVersion(this.nodeType),
		};
	}

	private async keep(
		{ parameters, ...rest }: Omit<Draft, 'typeVersion'>,
		isAsBefore = false,
	): Promise<void> {
		const draft = { ...rest, ...this.saved(parameters) };
		const key = JSON.stringify([draft.parameters, draft.onError, draft.input]);
		if (this.seen.has(key)) return;
		this.seen.add(key);
		if (!isAsBefore) this.known.clear();
		this.cases.push(await this.run(draft));
	}

	private async run(draft: Draft): Promise<ActionCase> {
		const exchanges: ActionCase['exchanges'] = [];
		this.prepare();
		const known = ({ method, path }: SentRequest) =>
			this.known.get(`${method} ${path}`) ?? this.known.get(`${method} ${plain(path)}`);
		const took = (request: SentRequest, response: GivenResponse) => {
			this.known.set(`${request.method} ${request.path}`, response);
			this.known.set(`${request.method} ${plain(request.path)}`, response);
			exchanges.push({ ...request, response: this.shared.add(response) });
		};
		const { apiKey } = this.service;
		const wire = await recorder(this.service.url, apiKey, known, took);
		try {
			const { output, failed } = await runCase(this.nodeType, draft, { url: wire.url, apiKey });
			const result = failed ? { failed } : { output: this.shared.add(output) };
			return { ...draft, exchanges, ...result };
		} finally {
			await wire.close();
		}
	}

	/** Creates the jobs that the samples name: crawls that have ended and results of an agent and an extraction. */
	private prepare(): void {
		this.service.clearFaults();
		if (this.rejection) this.service.fail(this.rejection);
		for (const id of [SAMPLE_ID, SAMPLE_ID.replace('5', '6')]) {
			this.service.crawls.remove(id);
			this.service.crawls.add({ id, pages: 3, status: 'completed' });
		}
		this.service.fail({
			path: /\/(agent|extract)\/[56]f3b2c1a-[^/]+$/,
			status: 200,
			body: { success: true, status: 'completed', data: { name: 'Northwind' }, creditsUsed: 12 },
		});
	}
}

const plain = (path: string): string => path.split('?')[0];

/** Returns the values of both forms, with collections and lists of entries joined. */
function merged(one: INodeParameters, other: INodeParameters): INodeParameters {
	const result: Record<string, unknown> = { ...one };
	for (const [name, value] of Object.entries(other)) {
		const before = result[name];
		const areObjects = [before, value].every(
			(entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry),
		);
		result[name] = areObjects ? merged(before as INodeParameters, value as INodeParameters) : value;
	}
	return result as INodeParameters;
}

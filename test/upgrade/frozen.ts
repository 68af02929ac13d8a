/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { operations } from '../../api/contract';
import { exampleResponse } from '../../api/example';
import { allNodes } from '../../scripts/lib/nodes';
import { SAMPLE_ID, controlSamples, operationsOf, requiredParameters } from '../contract/controls';
import type { ContractService } from '../support/contractService';
import { nodeOf, runNode } from '../support/engine';
import { PolledTrigger } from '../support/polledTrigger';

/** Bodies of responses, by the operation of the contract. */
type Responses = Record<string, unknown>;

/** A node as n8n saves it: without what is left at its default. */
interface Saved {
	name: string;
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
	/** Whether the service refuses the request, and the workflow goes on with the error. */
	isRefused?: boolean;
	/** What a trigger has remembered, and when it polls next (ms since 1970). */
	memory?: IDataObject;
	now?: number;
}

/** A saved node, what it sent, and what it gave. */
interface Frozen extends Saved {
	sent: string[];
	gave: unknown;
}

export interface Release {
	responses: Responses;
	frozen: Frozen[];
}

const REFUSAL = { success: false, error: 'Insufficient credits', code: 'NO_CREDITS' };

const SITE = 'https://docs.northwind.example';
const hit = (name: string) => ({ url: `${SITE}/${name}`, title: name, description: 'Text' });
const page = (markdown: string) => ({ success: true, data: { markdown, metadata: { url: SITE } } });

/** What the service has at the first poll of a trigger, and at the second one; releases rely on it. */
const POLLS: Responses[] = [
	{
		crawlListActive: { success: true, crawls: [{ id: SAMPLE_ID, url: SITE }] },
		usageActivity: { success: true, data: [] },
		search: { success: true, data: { web: [hit('a')] } },
		map: { success: true, links: [hit('a')] },
		scrape: page('Basic: 10'),
	},
	{
		crawlListActive: { success: true, crawls: [] },
		search: { success: true, data: { web: [hit('a'), hit('b')] } },
		map: { success: true, links: [hit('a'), hit('b')] },
		scrape: page('Basic: 12'),
	},
];

const TRIGGERS: Array<[name: string, type: string, parameters: INodeParameters]> = [
	['crawls', 'webDataCrawlTrigger', {}],
	['one crawl', 'webDataCrawlTrigger', { watch: 'specific', crawls: SAMPLE_ID }],
	['pages of crawls', 'webDataCrawlTrigger', { output: 'pages' }],
	['files of pages', 'webDataCrawlTrigger', { output: 'pages', options: { pagesAs: 'files' } }],
	['new results', 'webDataSearchTrigger', { query: 'solar power' }],
	['a page', 'webDataPageTrigger', { urls: SITE }],
	['new pages', 'webDataPageTrigger', { triggerOn: 'site', url: SITE }],
];

/** Controls that n8n reads itself, and one for which files would be fetched. */
const LEFT_OUT = /(creditBudget|downloadFiles)$/;

function examples(): Responses {
	return Object.fromEntries(
		operations.map(({ operationId }) => [
			operationId,
			exampleResponse(operationId, { isFilled: true }),
		]),
	);
}

const known = new Map(allNodes().map((node) => [node.description.name, node]));

function nodeTypeOf({ type }: Saved): INodeType {
	const node = known.get(type);
	if (node === undefined) throw new Error(`The node ${type} is gone`);
	return node;
}

/** Returns what a workflow can rely on: the texts of errors may improve. */
function lasting({ json, pairedItem, binary }: INodeExecutionData): IDataObject {
	const files = Object.keys(binary ?? {});
	if (typeof json.error !== 'object') return { json, pairedItem, files } as IDataObject;
	const { httpStatus, code, serviceError } = json.error as IDataObject;
	return { keys: Object.keys(json), httpStatus, code, serviceError, pairedItem } as IDataObject;
}

/** Runs a saved node, or its next poll; returns what it sends and gives. */
export async function replay(
	service: ContractService,
	saved: Saved,
	responses: Responses,
): Promise<Frozen> {
	const nodeType = nodeTypeOf(saved);
	const { isRefused, memory, now, typeVersion, parameters } = saved;
	service.requests.length = 0;
	service.bodyFor = (operationId) => (isRefused ? REFUSAL : responses[operationId]);
	const { url, apiKey } = service;
	let gave: unknown;
	if (memory) {
		const second = { ...responses, ...POLLS[1] };
		service.bodyFor = (operationId) => second[operationId];
		jest.spyOn(Date, 'now').mockReturnValue(now!);
		const copy = structuredClone(memory);
		const trigger = new PolledTrigger(
			service,
			parameters,
			copy,
			nodeType as never,
			undefined,
			typeVersion,
		);
		gave = (await trigger.poll())?.map(lasting);
		jest.restoreAllMocks();
	} else {
		const { output, error } = await runNode({
			nodeType,
			parameters,
			typeVersion,
			credentials: { baseUrl: url, apiKey },
			...(isRefused && { onError: 'continueErrorOutput' }),
		});
		gave = error ? { httpCode: error.httpCode } : output.map((items) => items.map(lasting));
	}
	const { name, type } = saved;
	const about = { name, type, typeVersion, parameters, isRefused, memory, now };
	// The parts of a form have another boundary each time.
	const sent = service.requests.map((request) => request.replace(/-+n8n\w+/g, 'boundary'));
	return JSON.parse(JSON.stringify({ ...about, sent, gave })) as Frozen;
}

/** Returns a node as n8n would save it now. */
function asSaved(nodeType: INodeType, name: string, parameters: INodeParameters): Saved {
	const { description } = nodeType;
	const node = nodeOf({ nodeType, parameters, credentials: { baseUrl: '', apiKey: '' } });
	const { type, typeVersion } = node;
	const { properties } = description;
	const own = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		false,
		false,
		node,
		description,
	);
	return { name, type, typeVersion, parameters: own! };
}

/**
 * Returns what workflows may contain of a node's actions: only what is required, and each value of each control, once
 * for all operations that share it, if `isWhole`.
 */
function* savedActions(node: INodeType, isWhole: boolean): Generator<Saved> {
	const entries = new Set<string>();
	for (const operation of operationsOf(node)) {
		const required = requiredParameters(node, operation);
		yield asSaved(node, `${operation}, required fields only`, required);
		yield { ...asSaved(node, `${operation}, refused`, required), isRefused: true };
		if (!isWhole) continue;
		for (const { control, entered, parameters } of controlSamples(node, operation)) {
			const entry = `${control} = ${JSON.stringify(entered)}`.slice(0, 160);
			if (LEFT_OUT.test(control) || entries.has(entry)) continue;
			entries.add(entry);
			yield asSaved(node, `${operation}, ${entry}`, parameters);
		}
	}
}

/** Returns what each trigger remembers of its first poll. */
async function* savedTriggers(
	service: ContractService,
	responses: Responses,
): AsyncGenerator<Saved> {
	const first = { ...responses, ...POLLS[0] };
	for (const [name, type, parameters] of TRIGGERS) {
		service.bodyFor = (operationId) => first[operationId];
		const node = known.get(type)!;
		const trigger = new PolledTrigger(service, parameters, {}, node as never);
		await trigger.poll();
		yield { ...asSaved(node, name, parameters), memory: trigger.saved, now: Date.now() };
	}
}

/** Records what workflows saved with this version send and get: all that a form offers, or only the least. */
export async function record(service: ContractService, isWhole = true): Promise<Release> {
	const responses = examples();
	const frozen: Frozen[] = [];
	for (const node of known.values())
		for (const saved of savedActions(node, isWhole))
			frozen.push(await replay(service, saved, responses));
	for await (const saved of savedTriggers(service, responses))
		frozen.push(await replay(service, saved, responses));
	return { responses, frozen };
}

const fileOf = (version: string) => join(__dirname, version, 'frozen.json');

/** Returns the frozen releases, e.g. `0.1.0`. */
export const releases = (): string[] =>
	readdirSync(__dirname).filter((name) => existsSync(fileOf(name)));

export const releaseOf = (version: string) =>
	JSON.parse(readFileSync(fileOf(version), 'utf8')) as Release;

/** Writes a release, a node on each line, so that a change shows as changed lines. */
export function save(version: string, { responses, frozen }: Release): void {
	mkdirSync(join(__dirname, version));
	const lines = frozen.map((one) => JSON.stringify(one)).join(',\n');
	const text = `{"responses":${JSON.stringify(responses)},"frozen":[\n${lines}\n]}\n`;
	writeFileSync(fileOf(version), text);
}

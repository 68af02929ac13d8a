/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** A request as the service received it; the body as parsed JSON. */
export interface SentRequest {
	method: string;
	/** With the query. */
	path: string;
	body?: unknown;
}

/** What the service responded with; its own address is replaced by ADDRESS. */
export interface GivenResponse {
	status: number;
	contentType: string;
	/** Text, or base64 if `base64` is set. */
	content: string;
	base64?: true;
}

/** What a node returned: the items of each output, or that it failed. */
export interface Result {
	output?: FrozenItem[][];
	/** HTTP status of the failure, null if the request was never sent. Its texts may improve and are left out. */
	failed?: { httpCode: string | null };
}

export interface FrozenItem {
	json: IDataObject;
	pairedItem?: unknown;
	/** Per binary property: name, type and a hash of the content. */
	binary?: Record<string, IDataObject>;
}

/** A node as stored in a saved workflow. */
export interface SavedNode {
	/** As saved by n8n: without what is left at its default. */
	parameters: INodeParameters;
	typeVersion: number;
	onError?: 'continueErrorOutput';
	/** JSON of the input items; one empty item by default. */
	input?: IDataObject[];
}

/**
 * A saved node, the requests it sent and what it returned. Responses and items are replaced by hashes, because many
 * cases share them.
 */
export interface ActionCase extends SavedNode {
	name: string;
	exchanges: Array<SentRequest & { response: string }>;
	output?: string;
	failed?: Result['failed'];
}

/** A trigger with the state saved by an earlier poll, the service at the next poll, and what that poll emitted. */
export interface TriggerCase {
	name: string;
	parameters: INodeParameters;
	typeVersion: number;
	/** The workflow's static data. */
	state: IDataObject;
	/** Time of the poll, in ms since 1970. */
	now: number;
	/** Path with query → hash of the response. */
	responses: Record<string, string>;
	emitted: FrozenItem[] | null;
}

/** Placeholder in frozen texts for the address that the service had. */
export const ADDRESS = 'http://service.invalid';

const FOLDER = __dirname;
const SHARED = 'shared.json';
const isRelease = (name: string) => /^\d+\.\d+\.\d+/.test(name);

/** Returns the frozen releases, e.g. `0.1.0`. */
export const releases = (): string[] => readdirSync(FOLDER).filter(isRelease).sort();

/** The values that the cases of a release share, by their hash. */
export class Shared {
	private readonly byHash: Record<string, unknown>;

	constructor(private readonly release: string) {
		const { file } = this;
		this.byHash = existsSync(file)
			? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)
			: {};
	}

	private get file(): string {
		return join(FOLDER, this.release, SHARED);
	}

	get<Value>(hash: string): Value {
		return this.byHash[hash] as Value;
	}

	add(value: unknown): string {
		const hash = hashOf(JSON.stringify(value)).slice(0, 16);
		this.byHash[hash] = value;
		return hash;
	}

	/** Writes those mentioned in the texts of the cases. */
	save(cases: string): void {
		const lines = Object.entries(this.byHash)
			.filter(([hash]) => cases.includes(hash))
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([hash, value]) => `${JSON.stringify(hash)}:${JSON.stringify(value)}`);
		writeFileSync(this.file, `{\n${lines.join(',\n')}\n}\n`);
	}
}

export const hashOf = (content: string | Buffer): string =>
	createHash('sha256').update(content).digest('hex');

/** Returns the frozen cases of a node in a release; empty if it had no such node. */
export function frozenCases<Case>(release: string, node: string): Case[] {
	const file = join(FOLDER, release, `${node}.json`);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Case[]) : [];
}

/** Returns the nodes that have frozen cases in a release. */
export const frozenNodes = (release: string): string[] =>
	readdirSync(join(FOLDER, release))
		.filter((name) => name !== SHARED)
		.map((name) => name.replace(/\.json$/, ''));

/** Writes the cases, one per line, so that a change shows as changed lines. Returns what was written. */
export function saveCases(release: string, node: string, cases: unknown[]): string {
	const lines = cases.map((one) => JSON.stringify(one));
	const text = `[\n${lines.join(',\n')}\n]\n`;
	mkdirSync(join(FOLDER, release), { recursive: true });
	writeFileSync(join(FOLDER, release, `${node}.json`), text);
	return text;
}

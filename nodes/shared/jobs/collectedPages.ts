import type { IDataObject } from 'n8n-workflow';

import { sizeOf } from '../base/json';
import { breathing } from '../base/time';
import { fingerprintOf, plural, textOf } from '../base/text';
import type { Caller } from '../client/account';
import { creditsIn } from '../client/response';
import type { ServiceCall, ServiceResponse } from '../client/types';
import { type PagingSettings, followPages } from './followPages';
import { MAX_HELD_BYTES, MB } from '../base/limits';

/** Bytes that the items of a node run take up. */
export interface Held {
	bytes: number;
}

/** Collects the pages of a job, each only once, and keeps track of irregularities. */
export class CollectedPages {
	/** Empty if pages go to files. */
	readonly pages: IDataObject[] = [];

	count = 0;

	/** Sum of the credits that pages report. */
	credits = 0;

	/** Whether each page reports them. */
	areAllPriced = true;

	private readonly known = new Set<string>();

	private repeated = 0;

	/** Pages are kept in memory, and their size is added to `held`; without it, they go to files. */
	constructor(private readonly held?: Held) {}

	/** Why no more pages can be kept as items, without a full stop; undefined if more can be. */
	get overflow(): string | undefined {
		if (this.held === undefined || this.held.bytes <= MAX_HELD_BYTES) return undefined;
		return `The pages of this run exceed ${MAX_HELD_BYTES / MB} MB`;
	}

	/** Number of pages received, including repeated ones. */
	get received(): number {
		return this.count + this.repeated;
	}

	/** Adds the new pages of a chunk, or what is kept of each, and returns them. */
	add(chunk: IDataObject[], kept = (page: IDataObject) => page): IDataObject[] {
		const fresh = chunk.filter((page) => !this.isKnown(page)).map(kept);
		this.repeated += chunk.length - fresh.length;
		this.count += fresh.length;
		for (const page of fresh) {
			const used = creditsIn({ data: page });
			this.credits += used ?? 0;
			this.areAllPriced &&= used !== undefined;
			if (this.held === undefined) continue;
			this.pages.push(page);
			this.held.bytes += sizeOf(page);
		}
		return fresh;
	}

	/** Warning about irregularities, as a sentence; undefined if all is well. */
	get warning(): string | undefined {
		if (this.repeated === 0) return undefined;
		return `The service sent ${this.repeated} ${plural(this.repeated, 'page')} twice; each is included once.`;
	}

	/**
	 * Whether the page was received before. A URL requested twice has two pages, so pages without an ID only count as
	 * the same if they are identical.
	 */
	private isKnown(page: IDataObject): boolean {
		const { scrapeId, sourceURL } = (page.metadata ?? {}) as IDataObject;
		const hasId = isNonEmptyText(scrapeId);
		if (!hasId && !isNonEmptyText(sourceURL)) return false;
		const key = `${hasId ? scrapeId : fingerprintOf(JSON.stringify(page))} ${textOf(sourceURL)}`;
		const isKnown = this.known.has(key);
		this.known.add(key);
		return isKnown;
	}
}

interface Collecting extends PagingSettings {
	collected: CollectedPages;
	/** Returns the part of a page to keep. */
	kept?: (page: IDataObject) => IDataObject;
	/** Receives the new pages of a chunk. */
	take: (fresh: IDataObject[]) => Promise<void> | void;
}

/**
 * Collects the pages of a job, chunk by chunk, until all are read or the limit is reached. Throws like `followPages`.
 */
export async function collectPages(
	caller: Caller,
	call: ServiceCall,
	first: ServiceResponse,
	settings: Collecting,
): Promise<void> {
	const { collected, kept, limit = Infinity, take } = settings;
	for await (const chunk of followPages(caller, call, first, settings)) {
		const fresh: IDataObject[] = [];
		for await (const page of breathing(chunk)) {
			if (collected.count < limit) fresh.push(...collected.add([page], kept));
		}
		await take(fresh);
		if (collected.overflow !== undefined) return;
	}
}

function isNonEmptyText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

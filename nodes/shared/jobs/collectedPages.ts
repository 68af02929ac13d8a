import type { IDataObject } from 'n8n-workflow';

import { creditsIn } from '../run/creditBudget';
import { sizeOf } from '../base/json';
import { fingerprintOf, plural, textOf } from '../base/text';

const MB = 1024 * 1024;

/** Limits the pages that a run of a node holds as items, in bytes: n8n needs several times as much to hand them on. */
export const MAX_HELD_BYTES = 100 * MB;

/** Counts what the items of a run of a node hold, in bytes. */
export interface Held {
	bytes: number;
}

/** Collects the pages of a job, each once, and notes oddities. */
export class CollectedPages {
	/** Empty if pages are not kept. */
	readonly pages: IDataObject[] = [];

	count = 0;

	/** Adds up the credits of the pages that say theirs; undefined if none does. */
	credits?: number;

	private readonly known = new Set<string>();

	private repeated = 0;

	/**
	 * Holds no page in memory if `isKept` is off. `held` counts the pages, unless they go to files.
	 */
	constructor(
		private readonly isKept = true,
		private readonly held?: Held,
	) {}

	/** Says, without a full stop, why no more pages may be held as items; undefined if they may. */
	get overflow(): string | undefined {
		if (this.held === undefined) return undefined;
		const isTooLarge = this.held.bytes > MAX_HELD_BYTES;
		return isTooLarge ? `The pages have more than ${MAX_HELD_BYTES / MB} MB` : undefined;
	}

	/** Counts all pages that came, including repeated ones. */
	get received(): number {
		return this.count + this.repeated;
	}

	/** Adds the new pages of a chunk and returns them. */
	add(chunk: IDataObject[]): IDataObject[] {
		const fresh = chunk.filter((page) => !this.isKnown(page));
		this.repeated += chunk.length - fresh.length;
		this.count += fresh.length;
		for (const page of fresh) {
			const used = creditsIn({ data: page });
			if (used !== undefined) this.credits = (this.credits ?? 0) + used;
			if (this.isKept) this.pages.push(page);
			if (this.held) this.held.bytes += sizeOf(page);
		}
		return fresh;
	}

	/** Warns the user of what is odd, in sentences, given the job's own count; empty if all is well. */
	warnings(counted: unknown): string[] {
		const warnings: string[] = [];
		if (this.repeated > 0) {
			warnings.push(
				`The service sent ${this.repeated} ${plural(this.repeated, 'page')} twice; each is here once.`,
			);
		}
		const shortfall = this.shortfall(counted);
		if (shortfall !== undefined) warnings.push(`${shortfall}.`);
		return warnings;
	}

	/** Says that a job counted more pages than there are, without a full stop; undefined if it didn't. */
	shortfall(counted: unknown): string | undefined {
		if (typeof counted !== 'number' || counted <= this.count) return undefined;
		return `The service counted ${counted} ${plural(counted, 'page')}, but sent ${this.count}`;
	}

	/**
	 * Returns whether a page came before. A URL that was asked for twice has two pages, so pages without an id only count as
	 * the same if they are identical.
	 */
	private isKnown(page: IDataObject): boolean {
		const { scrapeId, sourceURL } = (page.metadata ?? {}) as IDataObject;
		const hasId = isText(scrapeId);
		if (!hasId && !isText(sourceURL)) return false;
		const key = `${hasId ? scrapeId : fingerprintOf(JSON.stringify(page))} ${textOf(sourceURL)}`;
		const isKnown = this.known.has(key);
		this.known.add(key);
		return isKnown;
	}
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

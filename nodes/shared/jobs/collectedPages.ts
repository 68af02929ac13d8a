import type { IDataObject } from 'n8n-workflow';

import { plural, textOf } from '../text';

/** The pages of a job, each once, and what is odd about them. */
export class CollectedPages {
	/** Empty where they are not kept. */
	readonly pages: IDataObject[] = [];

	/** How many there are. */
	count = 0;

	private readonly known = new Map<string, IDataObject | undefined>();

	private repeated = 0;

	/** With `isKept` off no page is held in memory; then only those with an id of their own are told apart. */
	constructor(private readonly isKept = true) {}

	/** How many came, with those that came twice. */
	get received(): number {
		return this.count + this.repeated;
	}

	/** Adds the pages of a chunk that are not there yet, and gives these. */
	add(chunk: IDataObject[]): IDataObject[] {
		const fresh = chunk.filter((page) => !this.isKnown(page));
		this.repeated += chunk.length - fresh.length;
		this.count += fresh.length;
		if (this.isKept) for (const page of fresh) this.pages.push(page);
		return fresh;
	}

	/** What to tell the user of a job that counted so many pages, in sentences; empty where all is well. */
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

	/** That a job counted more pages than there are, without a full stop; undefined where it didn't. */
	shortfall(counted: unknown): string | undefined {
		if (typeof counted !== 'number' || counted <= this.count) return undefined;
		return `The service counted ${counted} ${plural(counted, 'page')}, but sent ${this.count}`;
	}

	/**
	 * Whether a page came before. A job has a page of the same URL twice where it was asked for twice, so without an
	 * id of its own a page is only taken for the same when all of it is.
	 */
	private isKnown(page: IDataObject): boolean {
		const { scrapeId, sourceURL } = (page.metadata ?? {}) as IDataObject;
		const hasId = isText(scrapeId);
		if (!hasId && !isText(sourceURL)) return false;
		const key = `${hasId ? scrapeId : ''} ${textOf(sourceURL)}`;
		if (!this.known.has(key)) {
			this.known.set(key, this.isKept ? page : undefined);
			return false;
		}
		if (hasId) return true;
		return this.isKept && JSON.stringify(this.known.get(key)) === JSON.stringify(page);
	}
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

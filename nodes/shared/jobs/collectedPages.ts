import type { IDataObject } from 'n8n-workflow';

/** The pages of a job, each once, and what is odd about them. */
export class CollectedPages {
	readonly pages: IDataObject[] = [];

	private readonly known = new Map<string, IDataObject>();

	private repeated = 0;

	/** Adds the pages of a chunk that are not there yet. */
	add(chunk: IDataObject[]): void {
		for (const page of chunk) {
			if (this.isKnown(page)) this.repeated++;
			else this.pages.push(page);
		}
	}

	/** What to tell the user of a job that counted so many pages, in sentences; empty where all is well. */
	warnings(counted: unknown): string[] {
		const count = this.pages.length;
		const warnings: string[] = [];
		if (this.repeated > 0) {
			warnings.push(`The service sent ${this.repeated} pages twice; each is here once.`);
		}
		if (typeof counted === 'number' && count < counted) {
			warnings.push(`The service counted ${counted} pages, but sent ${count}.`);
		}
		return warnings;
	}

	/**
	 * Whether a page came before. A job has a page of the same URL twice where it was asked for twice, so without an
	 * id of its own a page is only taken for the same when all of it is.
	 */
	private isKnown(page: IDataObject): boolean {
		const { scrapeId, sourceURL } = (page.metadata ?? {}) as IDataObject;
		if (scrapeId === undefined && sourceURL === undefined) return false;
		const key = `${String(scrapeId)} ${String(sourceURL)}`;
		const before = this.known.get(key);
		if (before === undefined) {
			this.known.set(key, page);
			return false;
		}
		return scrapeId !== undefined || JSON.stringify(before) === JSON.stringify(page);
	}
}

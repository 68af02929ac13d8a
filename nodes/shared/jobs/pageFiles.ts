import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { FileRoom } from '../run/downloads/fileRoom';
import { keepBinary } from '../run/downloads/keep';
import { MAX_PAGES_LENGTH } from '../base/limits';
import { breathing } from '../base/time';

/** The binary field that n8n's file nodes use by default. */
const BINARY_FIELD = 'data';

/**
 * Writes pages to files as they arrive, so that a job of any size needs only the memory of a few chunks. Each file is a
 * JSON list in an item's binary data; the item says how many pages the file contains, and which.
 */
export class PageFiles {
	readonly items: INodeExecutionData[] = [];

	private pages = 0;

	/**
	 * The files' names begin with `prefix` and the job's ID. They share `room` with the run's other files; `about`
	 * becomes part of each item.
	 */
	constructor(
		private readonly helpers: object,
		private readonly room: FileRoom,
		private readonly prefix: string,
		private readonly jobId: string,
		private readonly about: IDataObject,
	) {}

	/**
	 * Writes pages to as many files as needed. Throws ServiceError with the job's ID if n8n's disk or the run's room is
	 * full.
	 */
	async add(pages: IDataObject[]): Promise<void> {
		let texts: string[] = [];
		let length = 0;
		for await (const page of breathing(pages)) {
			const text = JSON.stringify(page);
			if (texts.length > 0 && length + text.length > MAX_PAGES_LENGTH) {
				await this.write(texts);
				texts = [];
				length = 0;
			}
			texts.push(text);
			length += text.length + 1;
		}
		if (texts.length > 0) await this.write(texts);
	}

	private async write(texts: string[]): Promise<void> {
		const file = this.items.length + 1;
		const content = Buffer.from(`[${texts.join(',')}]`);
		this.room.takeForPages(content.length, this.pages, this.jobId);
		const fileName = `${this.prefix}-${this.jobId}-${file}.json`;
		const kept = { content, fileName, type: 'application/json' };
		const binary = (await keepBinary(this.helpers, kept, this.jobId))!;
		this.items.push({
			json: { ...this.about, file, pages: texts.length, firstPage: this.pages + 1 },
			binary: { [BINARY_FIELD]: binary },
		});
		this.pages += texts.length;
	}
}

import { ServiceError } from '../../client/errors/serviceError';
import { sentences } from '../../base/text';
import { MAX_FILES_GB } from '../../base/limits';

const GB = 1_000 * 1024 * 1024;

/** Why no more files of a run may be kept, as an error message. */
const FULL = `The files of this run exceed ${MAX_FILES_GB} GB`;

const FEWER_ITEMS = 'Send fewer items at a time, e.g. with Loop Over Items.';

/** The disk space for all files of a run: downloaded ones and files of pages. */
export class FileRoom {
	private bytes = 0;

	/** Reserves room for a part of a download. If it doesn't fit, returns a sentence for the user. */
	fullBy(bytes: number): string | undefined {
		return this.take(bytes) ? undefined : `${FULL}. ${FEWER_ITEMS}`;
	}

	/**
	 * Reserves room for a file of a job's pages, of which `pages` are already written. Throws ServiceError if it
	 * doesn't fit.
	 */
	takeForPages(bytes: number, pages: number, jobId: string): void {
		if (this.take(bytes)) return;
		const description = sentences([
			`${pages} pages of this job were written before.`,
			pages > 0 &&
				'To get only its first pages, turn Return All off where you get the pages and enter a Limit.',
			FEWER_ITEMS,
		]);
		throw new ServiceError(FULL, { description, jobId, lacksJob: true });
	}

	private take(bytes: number): boolean {
		this.bytes += bytes;
		return this.bytes <= MAX_FILES_GB * GB;
	}
}

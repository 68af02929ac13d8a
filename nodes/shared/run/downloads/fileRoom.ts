import { ServiceError } from '../../client/errors/serviceError';
import { sentences } from '../../base/text';

const GB = 1_000 * 1024 * 1024;

/** Most GB that the files of a run of the node have: links or pages without end would fill n8n's disk. */
const MAX_GB = 5;

/** Why no more files of a run may be kept, as a message. */
const FULL = `The files of this run have more than ${MAX_GB} GB`;

const FEWER_ITEMS = 'Send fewer items at a time, e.g. with Loop Over Items.';

/** The room on n8n's disk that all files of a run share: downloaded ones and files of pages. */
export class FileRoom {
	private bytes = 0;

	/** Takes room for a part of a download. Returns a sentence that says so if it is too much. */
	fullBy(bytes: number): string | undefined {
		return this.take(bytes) ? undefined : `${FULL}. ${FEWER_ITEMS}`;
	}

	/** Takes room for a file of a job's pages, after so many pages. Throws ServiceError if it is too much. */
	takeForPages(bytes: number, pages: number, jobId: string): void {
		if (this.take(bytes)) return;
		const description = sentences([
			`${pages} pages of this job were written before.`,
			pages > 0 &&
				'To get only its first pages, turn Return All off in Get Pages and enter a Limit.',
			FEWER_ITEMS,
			`Job: ${jobId}.`,
		]);
		throw new ServiceError(FULL, { description, jobId });
	}

	private take(bytes: number): boolean {
		this.bytes += bytes;
		return this.bytes <= MAX_GB * GB;
	}
}

const rooms = new WeakMap<object, FileRoom>();

/** Returns the room of a run, the same one to all its items. */
export function fileRoomOf(run: object): FileRoom {
	const room = rooms.get(run) ?? new FileRoom();
	rooms.set(run, room);
	return room;
}

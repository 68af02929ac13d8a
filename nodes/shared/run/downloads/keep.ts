import type { IBinaryData } from 'n8n-workflow';

import { ServiceError } from '../../client/errors/serviceError';

interface Helpers {
	prepareBinaryData?(content: never, fileName: string, type?: string): Promise<IBinaryData>;
}

interface File {
	/** A Buffer or a stream. */
	content: unknown;
	fileName: string;
	type?: string;
}

/**
 * Stores a file in n8n; returns undefined if n8n doesn't store files. If n8n's disk is full, throws ServiceError, with
 * the job's ID if there is one; otherwise throws n8n's error.
 */
export async function keepBinary(
	helpers: object,
	{ content, fileName, type }: File,
	jobId?: string,
): Promise<IBinaryData | undefined> {
	const keeping = (helpers as Helpers).prepareBinaryData?.(content as never, fileName, type);
	return await keeping?.catch((error: { code?: string }) => {
		throw ['ENOSPC', 'EDQUOT'].includes(error.code ?? '') ? fullDisk(jobId) : error;
	});
}

/** The error message for when n8n can't store any more files; changing settings wouldn't help. */
export const FULL_DISK = "n8n's disk is full";

function fullDisk(jobId: string | undefined): ServiceError {
	const free = 'Free space where n8n keeps binary data, or delete old executions.';
	const get = ' Then get the results with the job ID; that costs nothing.';
	const description = jobId === undefined ? free : free + get;
	return new ServiceError(FULL_DISK, { description, jobId, lacksJob: true });
}

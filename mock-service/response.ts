import type { Entry } from './entry';

/** A response of the service; its body is an object to be serialized, or text or bytes sent unchanged. */
export interface ServiceResponse {
	status: number;
	body: Entry | string | Buffer;
	headers?: Record<string, string>;
}

export const ok = (body: Entry | string): ServiceResponse => ({ status: 200, body });

export const failure = (status: number, error: string, more: Entry = {}): ServiceResponse => ({
	status,
	body: { success: false, error, ...more },
});

/** Returns a 400 whose details name the fields that lack a valid URL. */
export const invalidUrls = (paths: Array<Array<string | number>>) =>
	failure(400, 'Bad Request', {
		code: 'BAD_REQUEST',
		details: paths.map((path) => ({ code: 'custom', path, message: 'Invalid URL' })),
	});

export const notFound = (what: string) => failure(404, `${what} not found`);

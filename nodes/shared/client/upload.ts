import type { IDataObject } from 'n8n-workflow';

import type { Upload, UploadContent } from './types';

/**
 * Returns the multipart form for a file and its options. A stream stays a stream: the file is never in memory as a
 * whole.
 */
export async function uploadForm(file: Upload, options: IDataObject = {}) {
	const random = () => Math.random().toString(36).slice(2);
	const boundary = `----n8n${random()}${random()}`;
	const part = (name: string, type: string) =>
		`--${boundary}\r\nContent-Disposition: form-data; name=${name}\r\nContent-Type: ${type}\r\n\r\n`;
	const own = `${part('"options"', 'application/json')}${JSON.stringify(options)}\r\n`;
	const name = `"file"; filename="${quotable(file.name)}"`;
	const head = Buffer.from(own + part(name, quotable(file.type)));
	const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
	const content = await file.open();
	const body: UploadContent =
		content instanceof Uint8Array
			? Buffer.concat([head, content, tail])
			: content.compose(async function* (chunks) {
					yield head;
					yield* chunks;
					yield tail;
				});
	const headers = {
		'Content-Type': `multipart/form-data; boundary=${boundary}`,
		'Content-Length': String(head.length + file.bytes + tail.length),
	};
	return { body, headers };
}

/** Escapes characters that would end a file's name or type in the header, as browsers do. */
function quotable(name: string): string {
	return name.replace(/["\r\n]/g, encodeURIComponent);
}

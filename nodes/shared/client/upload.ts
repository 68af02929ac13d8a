import type { IDataObject } from 'n8n-workflow';

import type { Upload, UploadContent } from './types';

/** Holds a form with a file as it is sent. */
export interface UploadForm {
	body: UploadContent;
	headers: Record<string, string>;
}

/** Makes the form of a file and its options. A stream stays one: the file is never held as a whole. */
export async function uploadForm(file: Upload, options: IDataObject = {}): Promise<UploadForm> {
	const random = () => Math.random().toString(36).slice(2);
	const boundary = `----n8n${random()}${random()}`;
	const head = Buffer.from(
		[
			`--${boundary}`,
			'Content-Disposition: form-data; name="options"',
			'Content-Type: application/json',
			'',
			JSON.stringify(options),
			`--${boundary}`,
			`Content-Disposition: form-data; name="file"; filename="${quotable(file.name)}"`,
			`Content-Type: ${quotable(file.type)}`,
			'',
			'',
		].join('\r\n'),
	);
	const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
	const content = await file.open();
	const body =
		content instanceof Uint8Array
			? Buffer.concat([head, content, tail])
			: content.compose(async function* (chunks) {
					yield head;
					yield* chunks;
					yield tail;
				});
	return {
		body,
		headers: {
			'Content-Type': `multipart/form-data; boundary=${boundary}`,
			'Content-Length': String(head.length + file.bytes + tail.length),
		},
	};
}

/** Escapes in a file's name or type what would end it, as browsers do. */
function quotable(name: string): string {
	return name.replace(/["\r\n]/g, encodeURIComponent);
}

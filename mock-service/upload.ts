import { createHash } from 'node:crypto';

/** What a request says about its file, and a hash of its content. */
export interface UploadedFile {
	name: string;
	type: string;
	bytes: number;
	sha256: string;
}

/** Returns the parts of a form: its options, as text, and its file. */
export function uploadIn(
	form: Buffer,
	contentType: string,
): { options?: string; file?: UploadedFile } {
	const boundary = /boundary=([^;]+)/.exec(contentType)?.[1] ?? '';
	const parts = partsOf(form, `--${boundary}`);
	const options = parts.find(({ head }) => head.includes('name="options"'));
	const file = parts.find(({ head }) => head.includes('name="file"'));
	return {
		options: options?.content.toString(),
		file: file && {
			name: /filename="([^"]*)"/.exec(file.head)?.[1] ?? '',
			type: /content-type: (\S+)/i.exec(file.head)?.[1] ?? '',
			bytes: file.content.length,
			sha256: createHash('sha256').update(file.content).digest('hex'),
		},
	};
}

function partsOf(form: Buffer, delimiter: string): Array<{ head: string; content: Buffer }> {
	const parts = [];
	for (let at = form.indexOf(delimiter); at >= 0;) {
		const from = at + delimiter.length + 2;
		at = form.indexOf(delimiter, from);
		if (at < 0) break;
		const split = form.indexOf('\r\n\r\n', from);
		parts.push({
			head: form.toString('utf8', from, split),
			content: form.subarray(split + 4, at - 2),
		});
	}
	return parts;
}

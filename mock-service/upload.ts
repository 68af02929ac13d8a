import { createHash } from 'node:crypto';

/** What a request says about its file, and a hash of its content. */
export interface UploadedFile {
	name: string;
	type: string;
	bytes: number;
	sha256: string;
}

/** The parts of a form: its options, as text, and its file. */
export interface Upload {
	options?: string;
	file?: UploadedFile;
}

/** Returns the parts of a form; none of one that can't be read. */
export async function uploadIn(body: Buffer, contentType = ''): Promise<Upload> {
	const response = new Response(body, { headers: { 'content-type': contentType } });
	const form = await response.formData().catch(() => new FormData());
	const [options, file] = [form.get('options'), form.get('file')];
	const upload: Upload = typeof options === 'string' ? { options } : {};
	if (file === null || typeof file === 'string') return upload;
	const content = await file.bytes();
	const sha256 = createHash('sha256').update(content).digest('hex');
	return { ...upload, file: { name: file.name, type: file.type, bytes: content.length, sha256 } };
}

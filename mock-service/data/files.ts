/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TYPES = { mp3: 'audio/mpeg', pdf: 'application/pdf', png: 'image/png' };

/** Returns the media type and the content of a sample: a second of silence, a page, an image. */
export const sample = (kind: keyof typeof TYPES) => ({
	type: TYPES[kind],
	content: readFileSync(join(__dirname, 'files', `sample.${kind}`)),
});

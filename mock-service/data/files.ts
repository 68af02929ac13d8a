/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TYPES = { mp3: 'audio/mpeg', mp4: 'video/mp4', pdf: 'application/pdf', png: 'image/png' };

type Kind = keyof typeof TYPES;

/** Returns the kind of a file by its name; an image where the name tells none. */
export const kindOf = (name: string): Kind => {
	const ending = name.slice(name.lastIndexOf('.') + 1);
	return ending in TYPES ? (ending as Kind) : 'png';
};

/** Returns the media type and the content of a sample: a second of silence, a video without a track, a page, an image. */
export const sample = (kind: Kind) => ({
	type: TYPES[kind],
	content: readFileSync(join(__dirname, 'files', `sample.${kind}`)),
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const out = Buffer.alloc(body.length + 8);
	out.writeUInt32BE(data.length, 0);
	body.copy(out, 4);
	out.writeUInt32BE(crc32(body), body.length + 4);
	return out;
}

/** Returns a PNG of 320 by 180 pixels: a page-like layout in a colour derived from `tint` (0 to 2^32-1). */
export function png(tint: number): Buffer {
	const [width, height] = [320, 180];
	const colour = [tint & 127, (tint >> 8) & 127, (tint >> 16) & 127].map((part) => part + 64);
	const rows = Buffer.alloc((width * 3 + 1) * height, 0xff);
	for (let y = 0; y < height; y++) {
		const row = y * (width * 3 + 1);
		rows[row] = 0; // no filter
		const isText = y > 48 && y % 12 < 5;
		const from = y < 32 ? 0 : 20;
		const to = y < 32 ? width : isText ? 140 + ((tint >> (y % 16)) & 127) : from;
		for (let x = from; x < to; x++) rows.set(colour, row + 1 + x * 3);
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2, 0, 0, 0], 8); // 8 bits, RGB
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(rows)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

/** Returns one second of silence as MP3: 38 frames of MPEG-1 Layer III, 128 kbit/s, 44.1 kHz. */
export function mp3(): Buffer {
	const frame = Buffer.alloc(417);
	frame.set([0xff, 0xfb, 0x90, 0x00]);
	return Buffer.concat(Array.from({ length: 38 }, () => frame));
}

/** Returns a one-page PDF that shows `text` (its Latin letters, digits and spaces). */
export function pdf(text: string): Buffer {
	const stream = `BT /F1 24 Tf 72 700 Td (${text.replace(/[^\w .,:-]/g, ' ')}) Tj ET`;
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
		`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
	];
	let document = '%PDF-1.4\n';
	const offsets: number[] = [];
	objects.forEach((object, index) => {
		offsets.push(document.length);
		document += `${index + 1} 0 obj\n${object}\nendobj\n`;
	});
	const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
	const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`;
	const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n`;
	return Buffer.from(
		`${document}${xref}${trailer}startxref\n${document.length}\n%%EOF\n`,
		'latin1',
	);
}

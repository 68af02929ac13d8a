/** Returns a number from 0 to 2^32-1 that depends only on its arguments (FNV-1a, then mixed). */
export function hash(...parts: Array<string | number>): number {
	let h = 0x811c9dc5;
	const text = parts.join('\u0000');
	for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
	h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
	return (h ^ (h >>> 13)) >>> 0;
}

/** Returns the entry of a list that a number of any size selects. */
export const pick = <T>(list: readonly T[], n: number): T => list[n % list.length];

/** Returns a version 4 UUID derived from its arguments. */
export function uuid(...parts: Array<string | number>): string {
	const hex = [0, 1, 2, 3]
		.map((i) =>
			hash(...parts, i)
				.toString(16)
				.padStart(8, '0'),
		)
		.join('');
	const variant = '89ab'[parseInt(hex[16], 16) % 4];
	const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
	return [...groups, `${variant}${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

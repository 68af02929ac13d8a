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
	return hex.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5');
}

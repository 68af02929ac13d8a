/** The SHA-256 of a text, as 64 hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return Buffer.from(digest).toString('hex');
}

/** The first characters of a text's SHA-256 in Base64, six bits each: short, for memories of many texts. */
export async function shortHash(text: string, characters: number): Promise<string> {
	const hex = await sha256(text);
	return Buffer.from(hex, 'hex').toString('base64url').slice(0, characters);
}

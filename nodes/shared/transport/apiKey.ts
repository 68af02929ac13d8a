import { NodeOperationError, type INode } from 'n8n-workflow';

/** The key as it is sent: without blanks around it, and without a "Bearer" that was copied with it. */
export function apiKeyOf(entered: unknown): string {
	return String(entered ?? '')
		.trim()
		.replace(/^bearer\s+/i, '');
}

/** Throws NodeOperationError for a key with a character that no header can have. */
export function checkApiKey(apiKey: string, node: INode): void {
	const found = /[^\x20-\x7e\x80-\xff]/u.exec(apiKey);
	if (found === null) return;
	const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
	throw new NodeOperationError(
		node,
		'The API Key of the credential contains a character that cannot be sent',
		{
			description: `It is character ${found.index + 1} of the key, U+${code}. Copy the key again from your dashboard, and nothing else with it.`,
			level: 'warning',
		},
	);
}

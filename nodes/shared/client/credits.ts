import type { IDataObject } from 'n8n-workflow';

/**
 * Returns the credits that a response reports as used (`credits_used` on some servers) or, in an extraction that ends
 * immediately, as billed; undefined if it reports none or doesn't know (-1).
 */
export function creditsIn(body: IDataObject): number | undefined {
	const { creditsUsed, credits_used: alsoUsed, creditsBilled, data } = body;
	const metadata = (data as IDataObject | undefined)?.metadata as IDataObject | undefined;
	return [creditsUsed, alsoUsed, creditsBilled, metadata?.creditsUsed].find(
		(value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0,
	);
}

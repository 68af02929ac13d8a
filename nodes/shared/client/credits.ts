import type { IDataObject } from 'n8n-workflow';

/**
 * Returns the credits that a response says were used or, in an extraction that ends immediately, billed; undefined if
 * it doesn't say or doesn't know (-1).
 */
export function creditsIn({ creditsUsed, creditsBilled, data }: IDataObject): number | undefined {
	const metadata = (data as IDataObject | undefined)?.metadata as IDataObject | undefined;
	return [creditsUsed, creditsBilled, metadata?.creditsUsed].find(
		(value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0,
	);
}

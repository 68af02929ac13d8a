import type { IDataObject } from 'n8n-workflow';

/**
 * Returns the credits that a response reports as used or, in an extraction that ends immediately, as billed; undefined
 * if it reports none or doesn't know (-1).
 */
export function creditsIn({ creditsUsed, creditsBilled, data }: IDataObject): number | undefined {
	const metadata = (data as IDataObject | undefined)?.metadata as IDataObject | undefined;
	return [creditsUsed, creditsBilled, metadata?.creditsUsed].find(
		(value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0,
	);
}

/** Returns the largest of the numbers of credits that were read for the same call; undefined if none was. */
export function mostCredits(...read: Array<number | undefined>): number | undefined {
	const known = read.filter((credits) => credits !== undefined);
	return known.length > 0 ? Math.max(...known) : undefined;
}

/** Returns a job's status with the larger of the numbers of credits that it and another one say it has used. */
export function withMostCredits(status: IDataObject, other: IDataObject): IDataObject {
	const [own, credits] = [creditsIn(status), mostCredits(creditsIn(status), creditsIn(other))];
	return credits === own ? status : { ...status, creditsUsed: credits };
}

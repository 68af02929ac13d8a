import { AccountLimiter } from '../../nodes/shared/limiter/accountLimiter';
import { type KnownAccount, accounts } from '../../nodes/shared/client/account';

/**
 * Replaces the limiters with new ones that know of no limit yet, because n8n's process keeps them between executions.
 * Call it before each test; jest.restoreAllMocks() undoes it.
 */
export function freshLimiters(): void {
	const limiters = new Map<string, KnownAccount>();
	jest.spyOn(accounts, 'of').mockImplementation(async (baseUrl, apiKey) => {
		const account = `${baseUrl} ${apiKey}`;
		const known = limiters.get(account) ?? { limiter: new AccountLimiter(), lacks: new Set() };
		limiters.set(account, known);
		return known;
	});
}

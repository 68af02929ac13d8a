import { AccountLimiter } from '../../nodes/shared/limiter/accountLimiter';
import { accounts } from '../../nodes/shared/limiter/accounts';

/**
 * Replaces the limiters with new ones that know of no limit yet, because n8n's process keeps them between executions.
 * Call it before each test; jest.restoreAllMocks() undoes it.
 */
export function freshLimiters(): void {
	const limiters = new Map<string, AccountLimiter>();
	jest.spyOn(accounts, 'limiterOf').mockImplementation(async (baseUrl, apiKey) => {
		const account = `${baseUrl} ${apiKey}`;
		const limiter = limiters.get(account) ?? new AccountLimiter();
		limiters.set(account, limiter);
		return limiter;
	});
}

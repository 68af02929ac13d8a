import { AccountLimiter } from '../../nodes/shared/limiter/accountLimiter';
import { accounts } from '../../nodes/shared/limiter/accounts';

/**
 * Gives the accounts of a test limiters that know of no limit yet: n8n's process keeps them between executions. To be
 * called before each test; ended by jest.restoreAllMocks().
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

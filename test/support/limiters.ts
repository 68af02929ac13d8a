import { AccountLimiter } from '../../nodes/shared/limiter/accountLimiter';
import { type KnownAccount, accounts } from '../../nodes/shared/client/accounts';

/**
 * Gives the accounts of a test limiters that know of no limit yet: n8n's process keeps them between executions. To be
 * called before each test; ended by jest.restoreAllMocks().
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

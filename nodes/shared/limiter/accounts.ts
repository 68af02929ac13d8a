import { sha256 } from '../base/text';
import { AccountLimiter } from './accountLimiter';

/** Keeps an account without calls for so long (ms): longer than any pause that its 429s may have named. */
const KEPT_MS = 600_000;

/**
 * Keeps the limiters of all accounts in this n8n process, shared by all executions and nodes. An account is a base URL
 * with an API key; only a digest of the key is kept.
 */
export class Accounts {
	private readonly limiters = new Map<string, AccountLimiter>();

	/** Gives the limiter of an account, the same one to all callers, and forgets the accounts that nobody uses any more. */
	async limiterOf(baseUrl: string, apiKey: string): Promise<AccountLimiter> {
		const key = await sha256(`${baseUrl} ${apiKey}`);
		const limiter = this.limiters.get(key) ?? new AccountLimiter();
		this.limiters.set(key, limiter);
		for (const [other, { idleMs }] of this.limiters) {
			if (other !== key && idleMs > KEPT_MS) this.limiters.delete(other);
		}
		return limiter;
	}
}

export const accounts = new Accounts();

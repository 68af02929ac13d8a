import { sha256 } from '../base/text';
import { AccountLimiter } from './accountLimiter';

/** How long (ms) an idle account is kept: longer than any pause its 429s may have named. */
const KEPT_MS = 600_000;

/**
 * The limiters of all accounts in this n8n process, shared by all executions and nodes. An account is a base URL with
 * an API key, of which only a digest is kept.
 */
export class Accounts {
	private readonly limiters = new Map<string, AccountLimiter>();

	/** Returns the limiter of an account, the same for all callers, and drops accounts that have been idle for long. */
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

import { sha256 } from '../base/text';
import { AccountLimiter } from '../limiter/accountLimiter';

/** How long (ms) an idle account is kept: longer than any pause its 429s may have named. */
const KEPT_MS = 600_000;

/** What this n8n process knows about an account. */
export interface KnownAccount {
	/** The limiter that all nodes of this n8n process share for this account. */
	readonly limiter: AccountLimiter;
	/** Paths, without the ID, that the service lacks. */
	readonly lacks: Set<string>;
}

/**
 * The accounts in this n8n process, shared by all executions and nodes. An account is a base URL with an API key, of
 * which only a digest is kept.
 */
export class Accounts {
	private readonly known = new Map<string, KnownAccount>();

	/** Returns an account, the same for all callers, and drops accounts that have been idle for long. */
	async of(baseUrl: string, apiKey: string): Promise<KnownAccount> {
		const key = await sha256(`${baseUrl} ${apiKey}`);
		const account = this.known.get(key) ?? { limiter: new AccountLimiter(), lacks: new Set() };
		this.known.set(key, account);
		for (const [other, { limiter }] of this.known) {
			if (other !== key && limiter.idleMs > KEPT_MS) this.known.delete(other);
		}
		return account;
	}
}

export const accounts = new Accounts();

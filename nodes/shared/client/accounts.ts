import { sha256 } from '../base/text';
import { AccountLimiter } from '../limiter/accountLimiter';

/** How long (ms) an idle account is kept: longer than any pause that its 429s may have named. */
const KEPT_MS = 600_000;

/** What this n8n process has learned of an account. */
export interface KnownAccount {
	/** Gives the calls of all nodes their turn. */
	readonly limiter: AccountLimiter;
	/** Paths that the service lacks, without an ID. */
	readonly lacks: Set<string>;
}

/**
 * The accounts in this n8n process, shared by all executions and nodes. An account is a base URL with an API key; only a
 * digest of the key is kept.
 */
export class Accounts {
	private readonly known = new Map<string, KnownAccount>();

	/** Returns an account, the same one to all callers, and forgets the accounts that nobody uses any more. */
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

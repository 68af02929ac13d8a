import { sha256 } from '../base/text';
import { monotonicMs } from '../base/time';
import { AccountLimiter } from '../limiter/accountLimiter';

/** Time (ms) for which an idle account is kept: longer than any pause that its 429s may have named. */
const KEPT_MS = 600_000;

/** Interval (ms) between two searches for idle accounts. */
const SWEPT_MS = 60_000;

/** What this n8n process knows about an account. */
export interface KnownAccount {
	/** The limiter that all nodes of this n8n process share for this account. */
	readonly limiter: AccountLimiter;
	/** Paths, without the ID, of endpoints that the service lacks. */
	readonly lacks: Set<string>;
}

/**
 * The accounts known to this n8n process, shared by all executions and nodes. An account is a base URL with an API key,
 * of which only a digest is kept.
 */
export class Accounts {
	private readonly known = new Map<string, KnownAccount>();

	/** When idle accounts were last searched for (ms). */
	private sweptAt = monotonicMs();

	/** Returns an account, the same for all callers, and drops accounts that have been idle for a long time. */
	async of(baseUrl: string, apiKey: string): Promise<KnownAccount> {
		const key = await sha256(`${baseUrl} ${apiKey}`);
		const account = this.known.get(key) ?? { limiter: new AccountLimiter(), lacks: new Set() };
		this.known.set(key, account);
		this.sweep(key);
		return account;
	}

	/** Drops idle accounts except this one. Does so only occasionally, because there may be as many as items. */
	private sweep(but: string): void {
		const now = monotonicMs();
		if (now - this.sweptAt < SWEPT_MS) return;
		this.sweptAt = now;
		for (const [key, { limiter }] of this.known) {
			if (key !== but && limiter.idleMs > KEPT_MS) this.known.delete(key);
		}
	}
}

export const accounts = new Accounts();

import { monotonicMs } from '../../time';
import { sha256 } from '../../text';
import { AccountLimiter } from './accountLimiter';

/** How long what was learned about an account is kept after its last call, in ms. */
export const REMEMBER_MS = 600_000;

/** Runs `act` after `ms`, without keeping n8n alive for it. */
type Later = (ms: number, act: () => void) => void;

const later: Later = (ms, act) => AbortSignal.timeout(ms).addEventListener('abort', act);

/**
 * The limiters of all accounts in this n8n process, shared by all executions and nodes. An account is a base URL with
 * an API key. Only a digest of the key is kept, and an account is forgotten once it has been neither asked for nor called
 * for ten minutes.
 */
export class Accounts {
	private readonly limiters = new Map<string, { limiter: AccountLimiter; askedAt: number }>();

	constructor(
		private readonly create: () => AccountLimiter = () => new AccountLimiter(),
		private readonly after: Later = later,
	) {}

	/** The limiter of an account; the same one for all callers. */
	async limiterOf(baseUrl: string, apiKey: string): Promise<AccountLimiter> {
		const key = await sha256(`${baseUrl} ${apiKey}`);
		const known = this.limiters.get(key);
		if (known !== undefined) {
			known.askedAt = monotonicMs();
			return known.limiter;
		}
		const limiter = this.create();
		this.limiters.set(key, { limiter, askedAt: monotonicMs() });
		this.forgetLater(key, REMEMBER_MS);
		return limiter;
	}

	/** How many accounts are remembered. */
	get size(): number {
		return this.limiters.size;
	}

	private forgetLater(key: string, ms: number): void {
		this.after(ms, () => {
			const { limiter, askedAt } = this.limiters.get(key)!;
			// A node run asks for its limiter once, and may make calls for hours.
			const unusedMs = Math.min(limiter.idleMs, monotonicMs() - askedAt);
			if (unusedMs < REMEMBER_MS) this.forgetLater(key, REMEMBER_MS - unusedMs);
			else this.limiters.delete(key);
		});
	}
}

/** The accounts of this n8n process. */
export const accounts = new Accounts();

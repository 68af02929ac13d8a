import { AccountLimiter } from '../../../../nodes/shared/transport/limits/accountLimiter';
import { Accounts, REMEMBER_MS } from '../../../../nodes/shared/transport/limits/accounts';
import type { Permit } from '../../../../nodes/shared/transport/limits/types';

const URL = 'https://api.example.com';

describe('Accounts', () => {
	let accounts: Accounts;

	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['performance'] });
		jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
		accounts = new Accounts(
			() => new AccountLimiter(),
			(ms, act) => void setTimeout(act, ms),
		);
	});

	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});

	const pass = (ms: number) => jest.advanceTimersByTime(ms);
	const call = { run: {}, group: 'GET', maxConcurrent: 1, maxWaitMs: 1_000 };

	it('gives all callers of an account the same limiter, and others their own', async () => {
		const [a, b] = await Promise.all([
			accounts.limiterOf(URL, 'key'),
			accounts.limiterOf(URL, 'key'),
		]);
		expect(a).toBe(b);
		expect(await accounts.limiterOf(URL, 'other')).not.toBe(a);
		expect(await accounts.limiterOf(`${URL}/v2`, 'key')).not.toBe(a);
	});

	it('keeps nothing of the key', async () => {
		await accounts.limiterOf(URL, 'secret-key');
		const kept = (accounts as unknown as { limiters: Map<string, unknown> }).limiters;
		expect([...kept.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
	});

	it('forgets an account ten minutes after it was asked for', async () => {
		const limiter = await accounts.limiterOf(URL, 'key');
		pass(REMEMBER_MS - 1);
		expect(accounts.size).toBe(1);
		pass(1);
		expect(accounts.size).toBe(0);
		expect(jest.getTimerCount()).toBe(0);
		expect(await accounts.limiterOf(URL, 'key')).not.toBe(limiter);
	});

	it('remembers an account that is asked for', async () => {
		const limiter = await accounts.limiterOf(URL, 'key');
		for (let n = 0; n < 5; n++) {
			pass(REMEMBER_MS - 1);
			expect(await accounts.limiterOf(URL, 'key')).toBe(limiter);
		}
	});

	it('remembers an account while a call is in flight, and for ten minutes after', async () => {
		const limiter = await accounts.limiterOf(URL, 'key');
		const permit = (await limiter.acquire(call)) as Permit;
		pass(10.5 * REMEMBER_MS);
		limiter.release(permit, { kind: 'accepted' });
		pass(REMEMBER_MS - 1);
		expect(accounts.size).toBe(1);
		pass(1);
		expect(accounts.size).toBe(0);
	});

	it('remembers an account for ten minutes after a call of a run that asked long before', async () => {
		const limiter = await accounts.limiterOf(URL, 'key');
		for (let n = 0; n < 5; n++) {
			pass(REMEMBER_MS - 1);
			const permit = (await limiter.acquire(call)) as Permit;
			limiter.release(permit, { kind: 'accepted' });
		}
		pass(REMEMBER_MS - 1);
		expect(accounts.size).toBe(1);
	});

	it('waits with a timer that does not keep n8n alive', async () => {
		const timer = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timer.signal);
		accounts = new Accounts();
		expect(await accounts.limiterOf(URL, 'key')).toBeInstanceOf(AccountLimiter);
		expect(timeout).toHaveBeenCalledWith(REMEMBER_MS);
		timeout.mockReturnValueOnce(AbortSignal.abort());
		timer.abort();
		expect(timeout).toHaveBeenCalledTimes(2);
		timeout.mockRestore();
	});
});
